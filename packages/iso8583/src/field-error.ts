/**
 * An invalid message. The error names the place, and never contains a value, because values may be secret.
 */
export class FieldError extends Error {
  override readonly name = 'FieldError'
  /** The number of the field; 0 for the message type, 1 for the bitmap; undefined outside of fields. */
  readonly field: number | undefined
  /** The offset of the field in the encoded message, in bytes; undefined while a message is encoded. */
  readonly offset: number | undefined

  /** The fault without its place: `must be digits`. */
  readonly problem: string

  constructor(problem: string, field?: number, offset?: number) {
    super(`${placeOf(field, offset)}: ${problem}`)
    this.problem = problem
    this.field = field
    this.offset = offset
  }
}

function placeOf(field?: number, offset?: number): string {
  const part =
    field === undefined ? 'message' : field === 0 ? 'message type' : field === 1 ? 'bitmap' : `field ${field}`
  return offset === undefined ? part : `${part} at byte ${offset}`
}
