/** A buffer and a view of the same bytes. */
export interface Block {
  readonly bytes: Buffer
  readonly view: DataView
}

/** A block of zeros. */
export const blockOf = (size: number): Block => {
  const bytes = Buffer.alloc(size)
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, size) }
}
