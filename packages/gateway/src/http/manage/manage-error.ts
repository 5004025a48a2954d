/** A request of an operator that is refused. The message says what would be valid. */
export class ManageError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429

  constructor(status: ManageError['status'], message: string) {
    super(message)
    this.status = status
  }
}
