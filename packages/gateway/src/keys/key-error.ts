/** A change of keys that cannot be done; the message says why, what would be right, and nothing of a key but its id. */
export class KeyError extends Error {
  /** unknown: there is no such key. refused: not as things are. */
  readonly kind: 'unknown' | 'refused'

  constructor(kind: KeyError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
