/**
 * A value that must never be printed, logged, serialised or kept: a card number, a cvv, an account number.
 *
 * The bytes are held off the JavaScript string heap so that `wipe` can really erase them; there is no toString and no
 * toJSON. The owner of the request wipes its secrets when the request ends.
 */
export class Secret {
  readonly #bytes: Uint8Array

  /** Takes ownership of `bytes`: the caller must not keep or share them. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Number of bytes; 0 after `wipe` is still the former length, because only the content is erased. */
  get length(): number {
    return this.#bytes.length
  }

  /** Lends the bytes to `reader`, which must not keep them. */
  use<T>(reader: (bytes: Uint8Array) => T): T {
    return reader(this.#bytes)
  }

  /** Overwrites the bytes with zeros. */
  wipe(): void {
    this.#bytes.fill(0)
  }
}
