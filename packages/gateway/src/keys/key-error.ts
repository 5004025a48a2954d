/** A refused change of keys. The message gives the reason and a valid request, and of a key only its id. */
export class KeyError extends Error {
  /** unknown: there is no such key. refused: not as things are. */
  readonly kind: 'unknown' | 'refused'

  constructor(kind: KeyError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
