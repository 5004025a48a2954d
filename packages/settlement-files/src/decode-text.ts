import { isUtf8 } from 'node:buffer'
import type { FaultReason } from './file-fault.ts'
import { limits } from './limits.ts'

/** Chunks of a file, as a file or a connection supplies them. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A piece of the text, or the reason why the text ends at this place. */
export type Decoded = { readonly piece: string } | { readonly reason: FaultReason }

/**
 * Decodes a file in UTF-8, with or without a byte order mark, in pieces of 16 KiB, whatever the lengths of the chunks.
 * The text before a fault of the encoding is passed on, so that the reader knows the place of the fault.
 */
export async function* decodeText(chunks: Chunks, fileBytesMax: number = limits.fileBytesMax): AsyncGenerator<Decoded> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let fileBytes = 0
  let undecoded = new Uint8Array()
  for await (const block of blocksOf(chunks)) {
    fileBytes += block.length
    if (fileBytes > fileBytesMax) return yield { reason: 'FILE_SIZE' }
    const bytes = joined(undecoded, block)
    const end = completeEnd(bytes)
    const part = bytes.subarray(0, end)
    if (!isUtf8(part)) {
      yield { piece: decoder.decode(part.subarray(0, validEnd(part)), { stream: true }) }
      return yield { reason: 'ENCODING' }
    }
    yield { piece: decoder.decode(part, { stream: true }) }
    undecoded = bytes.slice(end)
  }
  if (undecoded.length > 0) yield { reason: 'ENCODING' }
}

/** The bytes in blocks of one length, the last of which may be shorter. A block is valid until the next one. */
async function* blocksOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(limits.pieceBytes)
  let filled = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + block.length - filled)
      block.set(part, filled)
      filled += part.length
      start += part.length
      if (filled < block.length) continue
      yield block
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  return head.length === 0 ? tail : Buffer.concat([head, tail])
}

/** The end of the bytes without an incomplete character, which has at most three bytes. */
function completeEnd(bytes: Uint8Array): number {
  for (let end = bytes.length - 1; end >= 0 && end >= bytes.length - 3; end--) {
    const byte = bytes[end] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      return end + size > bytes.length ? end : bytes.length
    }
  }
  return bytes.length
}

/** The length of the longest valid start of invalid bytes. */
function validEnd(bytes: Uint8Array): number {
  let end = 0
  const isCharacter = (size: number): boolean => end + size <= bytes.length && isUtf8(bytes.subarray(end, end + size))
  for (;;) {
    const size = [1, 2, 3, 4].find(isCharacter)
    if (size === undefined) return end
    end += size
  }
}
