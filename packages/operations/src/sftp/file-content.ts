import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { SftpDeliveryPartRow, SftpDeliveryRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { SftpSource } from '../ports/sftp-client.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** A delivery with a further part of its content. */
export interface Appended {
  readonly delivery: SftpDeliveryRow
  readonly part: SftpDeliveryPartRow
}

/** Appends a text to the content of a delivery. The caller stores both rows in one unit. */
export async function appended(delivery: SftpDeliveryRow, text: string, rows: number): Promise<Appended> {
  const bytes = Buffer.from(text, 'utf8')
  const parts = delivery.parts + 1
  return {
    delivery: { ...delivery, parts, rows: delivery.rows + rows, size_bytes: delivery.size_bytes + bytes.length },
    part: {
      delivery_id: delivery.id,
      number: parts,
      start_bytes: delivery.size_bytes,
      bytes: new Uint8Array(await compress(bytes)),
    },
  }
}

/**
 * The content of a delivery, which is the same at every attempt: its parts are stored once and never change. One part
 * at a time is in memory.
 */
export const contentOf = (
  { storage }: Pick<Context, 'storage'>,
  { id, size_bytes: sizeBytes }: SftpDeliveryRow,
): SftpSource => ({
  sizeBytes,
  async *read(from) {
    let part = await storage.sftpDeliveryPartAt(id, from)
    for (let start = from; part && start < sizeBytes; ) {
      const bytes = await decompress(part.bytes)
      yield bytes.subarray(start - part.start_bytes)
      start = part.start_bytes + bytes.length
      part = await storage.sftpDeliveryPart(id, part.number + 1)
    }
  },
})

/** Removes the content of a delivery, the last part first. */
export async function removeContentOf(
  dependencies: Pick<Context, 'storage' | 'ids'>,
  { id, parts }: SftpDeliveryRow,
): Promise<void> {
  for (let last = parts; last > 0; last -= limits.deliveredPartsPerUnit) {
    const first = Math.max(1, last - limits.deliveredPartsPerUnit + 1)
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const stored = await Promise.all(numbers.map((number) => dependencies.storage.sftpDeliveryPart(id, number)))
    const compareAndSets = stored.flatMap((from) =>
      from ? [{ table: 'sftp_delivery_part' as const, from, to: null }] : [],
    )
    if (compareAndSets.length > 0) await commitChange(dependencies, { compareAndSets })
  }
}
