/** A refused change of keys. The message contains the reason, and no part of a key but its id. */
export class KeyError extends Error {
  /** unknown: the key does not exist. refused: the present state does not allow the change. */
  readonly kind: 'unknown' | 'refused'

  constructor(kind: KeyError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
