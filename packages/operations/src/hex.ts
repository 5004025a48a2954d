/** Bytes as lower-case hexadecimal digits, two for each. */
export const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
