/**
 * A copy of secret bytes in a buffer of its own outside of the heap of JavaScript, so that erasing it leaves no copy.
 *
 * @param parts joined in their order
 */
export function copyOf(...parts: readonly Uint8Array[]): Uint8Array {
  const copy = bytesOf(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    copy.set(part, offset)
    offset += part.length
  }
  return copy
}

/** Bytes for a secret, with zeros. */
export const bytesOf = (length: number): Uint8Array => new Uint8Array(new ArrayBuffer(length))

/** The text of characters in ASCII, without a copy of the bytes. */
export const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')
