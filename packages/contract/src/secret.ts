/**
 * A value that must never be printed, logged, serialised or stored unencrypted, such as a card number or a cvv.
 *
 * The value is held as bytes, not as a string, so that `wipe` can erase it; the class defines neither toString nor
 * toJSON. The secrets of a request are wiped when the request ends.
 */
export class Secret {
  readonly #bytes: Uint8Array

  /** Takes ownership of `bytes`: the caller must not keep or share them. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The number of bytes. It does not change with `wipe`, which erases only the content. */
  get length(): number {
    return this.#bytes.length
  }

  /** Calls `callback` with the bytes, which it must not keep. */
  use<T>(callback: (bytes: Uint8Array) => T): T {
    return callback(this.#bytes)
  }

  /** Overwrites the bytes with zeros. */
  wipe(): void {
    this.#bytes.fill(0)
  }
}
