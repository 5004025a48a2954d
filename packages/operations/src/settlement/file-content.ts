import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { isArchive } from '@tollgate/domain'
import type { Chunks } from '@tollgate/settlement-files'
import type { SettlementContentRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** The content of a settlement file that was stored. */
export interface StoredContent {
  readonly contentId: string
  /** SHA-256, hex. */
  readonly digest: string
  readonly sizeBytes: number
  readonly parts: number
}

type Dependencies = Pick<Context, 'storage' | 'ids'>

/**
 * Stores the content of a file in compressed parts, as it arrives.
 *
 * @returns tooLarge: the content is larger than `bytesMax`; archive: it is an archive or compressed. Nothing of it
 *   remains
 */
export async function storeContent(
  dependencies: Dependencies,
  chunks: Chunks,
  bytesMax: number = limits.settlementFileBytesMax,
): Promise<StoredContent | 'tooLarge' | 'archive'> {
  const contentId = dependencies.ids.ordered()
  const hash = createHash('sha256')
  let [sizeBytes, parts] = [0, 0]
  let rows: SettlementContentRow[] = []
  const store = async () => {
    await commitChange(dependencies, { rows: { settlement_content: rows } })
    rows = []
  }
  try {
    for await (const part of partsOf(chunks)) {
      if (parts === 0 && isArchive(part)) return 'archive'
      sizeBytes += part.length
      if (sizeBytes > bytesMax) {
        await removeContent(dependencies, contentId)
        return 'tooLarge'
      }
      hash.update(part)
      parts += 1
      rows.push({ content_id: contentId, number: parts, bytes: new Uint8Array(await compress(part)) })
      if (rows.length === limits.settlementPartsPerUnit) await store()
    }
    if (rows.length > 0) await store()
  } catch (error) {
    await removeContent(dependencies, contentId)
    throw error
  }
  return { contentId, digest: hash.digest('hex'), sizeBytes, parts }
}

/** The bytes of chunks of any length, in parts of one length; the last part may be shorter. */
async function* partsOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let part = Buffer.alloc(limits.settlementPartBytes)
  let length = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const taken = chunk.subarray(start, start + part.length - length)
      part.set(taken, length)
      length += taken.length
      start += taken.length
      if (length < part.length) continue
      yield part
      part = Buffer.alloc(limits.settlementPartBytes)
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}

/** The stored content of a file, in its parts. The next part is read and decompressed while one is used. */
export async function* readContent(
  { storage }: Pick<Context, 'storage'>,
  contentId: string,
): AsyncGenerator<Uint8Array> {
  const read = async (number: number): Promise<Uint8Array | undefined> => {
    const row = await storage.settlementContent(contentId, number)
    return row && decompress(row.bytes)
  }
  let next = read(1)
  for (let number = 2; ; number += 1) {
    const part = await next
    if (!part) return
    next = read(number)
    // The failure is that of the next part.
    next.catch(() => undefined)
    yield part
  }
}

/** Removes the parts of a content, the last one first. */
export async function removeContent(dependencies: Dependencies, contentId: string): Promise<void> {
  const { storage } = dependencies
  let parts = 0
  while (await storage.settlementContent(contentId, parts + 1)) parts += 1
  for (let number = parts; number > 0; number -= 1) {
    const from = await storage.settlementContent(contentId, number)
    if (from) await commitChange(dependencies, { compareAndSets: [{ table: 'settlement_content', from, to: null }] })
  }
}
