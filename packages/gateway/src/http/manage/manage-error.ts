/** A request of an operator that cannot be done; the message says what would be right. */
export class ManageError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429

  constructor(status: ManageError['status'], message: string) {
    super(message)
    this.status = status
  }
}
