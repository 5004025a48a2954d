import { clientLimits, type ClientLimits } from '../limits.ts'
import { systemTimers } from '../timers.ts'
import { deliver, type Delivery, type DeliverySource } from './deliver.ts'
import { fetchFile, type FileSink } from './fetch-file.ts'
import { listFolder } from './list-folder.ts'
import { openSession } from './open-session.ts'
import { remoteFiles, type RemoteEntry } from './remote-files.ts'
import { checkPath } from './remote-path.ts'
import { resultOf, type SftpResult } from './sftp-error.ts'
import type { SftpOptions } from './sftp-options.ts'

/**
 * A connection to an SFTP server. After an error of the kinds `timeout`, `closed`, `cancelled` and `protocol` it cannot
 * be used any more. Paths are absolute, or relative to the folder of the user.
 */
export interface SftpClient {
  /**
   * Delivers a file. It is written to `.name.<id>.part` and renamed, so that no reader sees a part of it as a file.
   *
   * @param deliveryId the same for all attempts, which resume what earlier ones have sent; letters, digits, `-`, `_`
   */
  readonly deliver: (path: string, source: DeliverySource, deliveryId: string) => Promise<SftpResult<Delivery>>
  /** Fetches a file of at most `bytesMax` bytes. @returns its bytes */
  readonly fetch: (path: string, sink: FileSink, bytesMax: number) => Promise<SftpResult<number>>
  readonly list: (path: string) => Promise<SftpResult<readonly RemoteEntry[]>>
  readonly remove: (path: string) => Promise<SftpResult<void>>
  /** Renames a file, in one step. A server with the extension `posix-rename` replaces an existing target. */
  readonly rename: (from: string, to: string) => Promise<SftpResult<void>>
  readonly close: () => Promise<void>
}

/**
 * Connects to an SFTP server and authenticates. The host key is checked before credentials are sent.
 *
 * @returns a client, or the reason why there is no connection
 */
export function connectSftp(options: SftpOptions): Promise<SftpResult<SftpClient>> {
  const limits: ClientLimits = { ...clientLimits, ...options.limits }
  const { timers = systemTimers } = options
  return resultOf(async () => {
    const session = await openSession({ ...options, limits, timers })
    const files = remoteFiles(session.requests)
    return {
      deliver: (path, source, id) => resultOf(() => deliver({ files, source, limits }, path, id)),
      fetch: (path, sink, bytesMax) => resultOf(() => fetchFile(files, path, sink, { ...limits, bytesMax })),
      list: (path) => resultOf(() => listFolder(files, path, limits.entriesMax)),
      remove: (path) =>
        resultOf(async () => {
          checkPath(path)
          await files.remove(path)
        }),
      rename: (from, to) =>
        resultOf(async () => {
          for (const path of [from, to]) checkPath(path)
          await files.rename(from, to)
        }),
      close: session.close,
    }
  })
}
