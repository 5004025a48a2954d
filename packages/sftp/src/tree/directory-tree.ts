import { constants } from 'node:fs'
import { lstat, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { treeLimits } from '../limits.ts'
import { isEntryName } from '../virtual-path.ts'
import { directoryWrites } from './directory-writes.ts'
import { type FileEntry, type FileTree, isFailure } from './file-tree.ts'
import { attempt, describe, openFile, openRegular, pathsBelow } from './real-files.ts'

export interface DirectoryTreeOptions {
  /** Whether clients may change the files. */
  readonly access?: 'read' | 'read-write'
  /** Bytes by which clients may enlarge files, altogether; then there is no space. */
  readonly spaceBytes?: number
}

/**
 * A tree over a real folder. Symbolic links and special files in it do not exist for clients, nor do entries whose
 * names no path can contain.
 *
 * @param folder an existing folder; it may be reached by a link
 * @throws an error of the file system if there is no such folder
 */
export async function directoryTree(folder: string, options: DirectoryTreeOptions = {}): Promise<FileTree> {
  const resolve = pathsBelow(await realpath(folder))
  const { access = 'read', spaceBytes = Number.MAX_SAFE_INTEGER } = options
  return {
    stat: (path) => attempt(async () => describe(await lstat(await resolve(path)))),
    list: (path) =>
      attempt(async () => {
        const real = await resolve(path)
        const info = describe(await lstat(real))
        return info.kind === 'folder' ? entriesOf(real) : 'failed'
      }),
    open: (path) => attempt(async () => openFile(await openRegular(await resolve(path), constants.O_RDONLY))),
    ...(access === 'read-write' && { writes: directoryWrites(resolve, spaceBytes) }),
  }
}

/** Opens the folder with its first entry, and closes it when the iteration ends, also early. */
async function* entriesOf(real: string): AsyncGenerator<FileEntry, void> {
  let skipped = 0
  for await (const { name } of await opendir(real)) {
    const info = isEntryName(name) ? await attempt(async () => describe(await lstat(join(real, name)))) : 'noSuchFile'
    if (!isFailure(info)) yield { name, ...info }
    else if (++skipped > treeLimits.skippedMax) return
  }
}
