import { type ClientLimits, limits } from '../limits.ts'
import { openFlags } from '../protocol/constants.ts'
import { isDeliveryId, temporaryName } from '../temporary-name.ts'
import { createByteReader } from './byte-reader.ts'
import { readRange } from './read-range.ts'
import type { RemoteFiles } from './remote-files.ts'
import { checkPath, nameOf } from './remote-path.ts'
import { SftpFailure } from './sftp-error.ts'

/** A file to deliver. It must not change between attempts. */
export interface DeliverySource {
  readonly sizeBytes: number
  /** The content from a position to the end. */
  readonly read: (from: number) => AsyncIterable<Uint8Array>
}

export interface Delivery {
  /** Bytes that this attempt has sent. */
  readonly sentBytes: number
  /** Whether the target already had this content. */
  readonly wasThere: boolean
}

interface Context {
  readonly files: RemoteFiles
  readonly source: DeliverySource
  readonly limits: ClientLimits
}

/**
 * Delivers a file. It is written under a temporary name beside its target, and renamed when it is complete. An earlier
 * attempt with the same id is resumed.
 *
 * @throws SftpFailure `exists` if the target exists with another content; `changed` if the source has another size
 */
export async function deliver(context: Context, path: string, deliveryId: string): Promise<Delivery> {
  const { files, source } = context
  const part = partPath(path, deliveryId)
  if (await isThere(context, path)) {
    if (await files.stat(part)) await files.remove(part)
    return { sentBytes: 0, wasThere: true }
  }
  const from = await resumePosition(context, part)
  await upload(context, part, from)
  await moveToTarget(context, part, path)
  return { sentBytes: source.sizeBytes - from, wasThere: false }
}

function partPath(path: string, deliveryId: string): string {
  checkPath(path)
  const name = nameOf(path)
  if (!isDeliveryId(deliveryId)) throw new SftpFailure('invalid', 'The id of the delivery is invalid.')
  const part = temporaryName(name, deliveryId)
  if (name === '' || Buffer.byteLength(part) > limits.nameBytesMax)
    throw new SftpFailure('invalid', 'The path does not end in a file name, or its file name is too long.')
  return path.slice(0, path.length - name.length) + part
}

/** Whether the target exists and has the content of the source. */
async function isThere(context: Context, path: string): Promise<boolean> {
  const target = await context.files.stat(path)
  if (target === undefined) return false
  const { sizeBytes } = context.source
  if (target.sizeBytes === sizeBytes && (await isSameContent(context, path, 0, sizeBytes))) return true
  throw new SftpFailure('exists', 'The target exists and has another content.')
}

/**
 * The position from which an interrupted upload is resumed. The bytes before it were acknowledged, because at most
 * `requestsMax` blocks are on the way; they are compared with the source, all of them or the last block.
 */
async function resumePosition(context: Context, part: string): Promise<number> {
  const { requestsMax, comparedBytesMax } = context.limits
  const { sizeBytes = 0 } = (await context.files.stat(part)) ?? {}
  const position = sizeBytes - requestsMax * limits.blockBytes
  if (position <= 0 || sizeBytes > context.source.sizeBytes) return 0
  const comparedFrom = position <= comparedBytesMax ? 0 : position - limits.blockBytes
  return (await isSameContent(context, part, comparedFrom, position)) ? position : 0
}

/** Whether a part of a remote file has the content of the source. */
async function isSameContent({ files, source, ...bounds }: Context, path: string, from: number, to: number) {
  const handle = await files.open(path, openFlags.READ)
  const local = createByteReader(source.read(from))
  let compared = from
  try {
    for await (const chunk of readRange(files, handle, { from, to }, bounds.limits.requestsMax)) {
      if (!chunk.equals(await local.take(chunk.length))) return false
      compared += chunk.length
    }
    return compared === to
  } finally {
    await local.close()
    await files.close(handle)
  }
}

/** Writes the content from a position to the end, and waits until the server has it on disk, if it offers that. */
async function upload(context: Context, part: string, from: number): Promise<void> {
  const { files } = context
  const flags = openFlags.WRITE | openFlags.CREATE | (from === 0 ? openFlags.TRUNCATE : 0)
  const handle = await files.open(part, flags)
  try {
    await writeBlocks(context, handle, from)
    if (files.canSync) await files.sync(handle)
    const { sizeBytes } = await files.statOpen(handle)
    if (sizeBytes !== undefined && sizeBytes !== context.source.sizeBytes)
      throw new SftpFailure('protocol', 'The server has stored another number of bytes than were sent.')
    await files.close(handle)
  } catch (error) {
    // The handle is closed for a later attempt on this connection; the part stays for it.
    await files.close(handle).catch(() => undefined)
    throw await explained(context, part, error)
  }
}

async function writeBlocks({ files, source, ...bounds }: Context, handle: Buffer, from: number): Promise<void> {
  const { sizeBytes } = source
  const content = createByteReader(source.read(from))
  const pending: Promise<void>[] = []
  try {
    for (let position = from; ; ) {
      const block = await content.take(limits.blockBytes)
      if (position + block.length > sizeBytes || (block.length === 0 && position < sizeBytes))
        throw new SftpFailure('changed', 'The source does not have the stated size.')
      if (block.length === 0) break
      const written = files.write(handle, position, block)
      // A failure is reported when its turn comes; another one may end the upload before.
      written.catch(() => undefined)
      pending.push(written)
      position += block.length
      if (pending.length >= bounds.limits.requestsMax) await pending.shift()
    }
    await Promise.all(pending)
  } finally {
    await content.close()
  }
}

/** Version 3 has no status for a full disk: a refused write is explained by the free space, if the server shows it. */
async function explained({ files, source }: Context, part: string, error: unknown): Promise<unknown> {
  if (!(error instanceof SftpFailure) || error.kind !== 'refused') return error
  const freeBytes = await files.freeBytes(part).catch(() => undefined)
  const isFull = freeBytes !== undefined && freeBytes < source.sizeBytes
  return isFull ? new SftpFailure('noSpace', 'The server has no space left for the file.', error.status) : error
}

/** A server that cannot rename in one step refuses if the target was created meanwhile. */
async function moveToTarget(context: Context, part: string, path: string): Promise<void> {
  try {
    await context.files.rename(part, path)
  } catch (error) {
    if (!(error instanceof SftpFailure) || error.status === undefined) throw error
    if (!(await isThere(context, path))) throw error
    await context.files.remove(part)
  }
}
