import type { RemoteEntry, RemoteFiles } from './remote-files.ts'
import { checkPath } from './remote-path.ts'
import { SftpFailure } from './sftp-error.ts'

/**
 * Lists a folder, without `.` and `..`, in the order of the server.
 *
 * @throws SftpFailure; `tooLarge` if the folder has more entries than `entriesMax`
 */
export async function listFolder(
  files: RemoteFiles,
  path: string,
  entriesMax: number,
): Promise<readonly RemoteEntry[]> {
  checkPath(path)
  const handle = await files.openFolder(path)
  const entries: RemoteEntry[] = []
  try {
    // Each answer has an entry; those that are left out count, too, so that the answers are bounded.
    for (let answers = 0; answers <= entriesMax; answers++) {
      const next = await files.readFolder(handle)
      if (next === undefined) return entries
      entries.push(...next)
      if (entries.length > entriesMax) break
    }
  } finally {
    await files.close(handle).catch(() => undefined)
  }
  throw new SftpFailure('tooLarge', `The folder has more than ${entriesMax} entries.`)
}
