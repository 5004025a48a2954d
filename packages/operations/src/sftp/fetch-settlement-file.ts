import { Readable } from 'node:stream'
import { limits } from '../limits.ts'
import type { SftpEntry, SftpFault, SftpSession } from '../ports/sftp-client.ts'
import { type Received, receiveFile } from '../settlement/receive-file.ts'
import type { SftpContext } from './sftp-context.ts'

type Fetched = { readonly received: Received } | { readonly fault: SftpFault }

/**
 * Fetches a file and stores it as a settlement file while it arrives. If the transfer breaks off, or the file is no
 * longer as it was listed, nothing of it is stored.
 *
 * @throws the error of the storage
 */
export async function fetchSettlementFile(
  context: SftpContext,
  session: SftpSession,
  path: string,
  { name, sizeBytes }: SftpEntry,
): Promise<Fetched> {
  const channel = createChannel()
  const receiving = receiveFile(context, { name, arrivedBy: 'sftp', chunks: channel.chunks })
  const fetching = fetchInto()
  const [received, fault] = await Promise.allSettled([receiving, fetching])
  // A file that is refused, such as an archive, is not fetched to its end.
  if (received.status === 'fulfilled') return { received: received.value }
  if (fault.status === 'fulfilled' && fault.value !== undefined) return { fault: fault.value }
  throw received.reason

  async function fetchInto(): Promise<SftpFault | undefined> {
    try {
      const { value, error } = await session.fetchFile(path, channel.put, limits.settlementFileBytesMax)
      const fetchFault = error ?? (value === sizeBytes ? undefined : CHANGED_FILE)
      channel.end(fetchFault && new Error(fetchFault.message))
      return fetchFault
    } catch (error) {
      channel.end(error instanceof Error ? error : new Error('the file cannot be fetched', { cause: error }))
      throw error
    }
  }
}

const CHANGED_FILE: SftpFault = { kind: 'changed', message: 'The file was changed while it was fetched.' }

/** Chunks from one side to the other. `put` resolves when there is room, and rejects after the reader has ended. */
function createChannel() {
  let wake = (): void => undefined
  const chunks = new Readable({
    read: () => wake(),
    destroy(error, callback) {
      wake()
      callback(error)
    },
  })
  return {
    chunks,
    put: async (chunk: Uint8Array): Promise<void> => {
      if (!chunks.destroyed && !chunks.push(chunk))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (chunks.destroyed) throw new Error('the reader of the file has ended')
    },
    end(error?: Error): void {
      if (error) chunks.destroy(error)
      else chunks.push(null)
    },
  }
}
