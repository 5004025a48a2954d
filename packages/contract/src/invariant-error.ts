/**
 * A state that no rule allows: a defect of the program, or altered data. Message and id are written to the log, so
 * neither may contain a value of a client.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
  /** The id of the affected stored record. */
  readonly recordId: string | undefined

  /**
   * @param message without values of clients; the id of a record is in `recordId`
   * @param recordId an id that the service generated
   */
  constructor(message: string, recordId?: string) {
    super(message)
    this.recordId = recordId
  }
}
