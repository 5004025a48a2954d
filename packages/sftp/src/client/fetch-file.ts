import type { ClientLimits } from '../limits.ts'
import { openFlags } from '../protocol/constants.ts'
import { readRange } from './read-range.ts'
import type { RemoteFiles } from './remote-files.ts'
import { checkPath } from './remote-path.ts'
import { SftpFailure } from './sftp-error.ts'

/** Takes the chunks of a file, in order. The next one is passed when the promise resolves. */
export type FileSink = (chunk: Buffer) => void | Promise<void>

/**
 * Reads a file, up to the size that it had when it was opened.
 *
 * @param bytesMax a larger file is refused, before its content is requested if the server states its size
 * @returns the bytes of the file
 * @throws SftpFailure; and what the sink throws
 */
export async function fetchFile(
  files: RemoteFiles,
  path: string,
  sink: FileSink,
  { bytesMax, requestsMax }: { readonly bytesMax: number } & Pick<ClientLimits, 'requestsMax'>,
): Promise<number> {
  checkPath(path)
  const handle = await files.open(path, openFlags.READ)
  let bytes = 0
  try {
    const { sizeBytes } = await files.statOpen(handle)
    checkSize(sizeBytes ?? 0, bytesMax)
    const range = { from: 0, to: sizeBytes ?? Number.MAX_SAFE_INTEGER }
    for await (const chunk of readRange(files, handle, range, requestsMax)) {
      bytes += chunk.length
      checkSize(bytes, bytesMax)
      await sink(chunk)
    }
    if (bytes < (sizeBytes ?? 0)) throw new SftpFailure('changed', 'The file became shorter while it was read.')
    return bytes
  } finally {
    await files.close(handle).catch(() => undefined)
  }
}

function checkSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new SftpFailure('tooLarge', `The file is larger than ${bytesMax} bytes.`)
}
