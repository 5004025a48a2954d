/** Reads a stream of chunks in pieces of other lengths. */
export interface ByteReader {
  /** @returns so many bytes; fewer only at the end of the stream, and none after it */
  readonly take: (bytes: number) => Promise<Buffer>
  /** Ends the stream. */
  readonly close: () => Promise<void>
}

export function createByteReader(chunks: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return {
    async take(bytes) {
      const parts: Uint8Array[] = []
      let missing = bytes
      while (missing > 0) {
        if (rest.length === 0) {
          const next = await iterator.next()
          if (next.done === true) break
          rest = next.value
        }
        const part = rest.subarray(0, missing)
        parts.push(part)
        rest = rest.subarray(part.length)
        missing -= part.length
      }
      return Buffer.concat(parts)
    },
    close: async () => void (await iterator.return?.()),
  }
}
