/** The refusal of an operator's request. The operator gets the message, so it contains no secrets. */
export class ManageError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429

  constructor(status: ManageError['status'], message: string) {
    super(message)
    this.status = status
  }
}
