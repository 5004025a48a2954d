import { constants } from 'node:fs'
import { link, lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises'
import type { TreeFailure, TreeWrites, WritableFile, WriteMode } from './file-tree.ts'
import { attempt, describe, openFile, openRegular, type ResolvePath } from './real-files.ts'

/**
 * The operations that change a folder.
 *
 * @param resolve the real path of a path of the tree
 * @param spaceBytes bytes by which files may grow, altogether
 */
export function directoryWrites(resolve: ResolvePath, spaceBytes: number): TreeWrites {
  let freeBytes = spaceBytes

  /** Carries out an action on a path, which may not be the root. */
  async function change(path: string, action: (real: string) => Promise<unknown>): Promise<TreeFailure | undefined> {
    if (path === '/') return 'permissionDenied'
    return attempt(async () => void (await action(await resolve(path))))
  }

  async function openToWrite(real: string, mode: WriteMode): Promise<WritableFile> {
    const handle = await openRegular(real, flagsOf(mode))
    // The file is truncated only after the checks of its opening.
    if (mode.truncates) await handle.truncate()
    let { size } = await handle.stat()
    return {
      ...openFile(handle),
      write: (position, bytes) =>
        attempt(async () => {
          const growth = Math.max(position + bytes.length - size, 0)
          if (growth > freeBytes) return 'noSpace'
          freeBytes -= growth
          size += growth
          return void (await handle.write(bytes, 0, bytes.length, position))
        }),
      sync: () =>
        attempt(async () => {
          await handle.sync()
          return undefined
        }),
    }
  }

  return {
    open: (path, mode) => attempt(async () => openToWrite(await resolve(path), mode)),
    rename: (from, to, replaces) => attempt(async () => move(await resolve(from), await resolve(to), replaces)),
    remove: (path) => change(path, unlink),
    createFolder: (path) => change(path, (real) => mkdir(real, 0o750)),
    removeFolder: (path) => change(path, rmdir),
  }
}

function flagsOf({ reads, creates, isExclusive }: WriteMode): number {
  const access = reads ? constants.O_RDWR : constants.O_WRONLY
  return access | (creates ? constants.O_CREAT : 0) | (isExclusive ? constants.O_CREAT | constants.O_EXCL : 0)
}

/** Renames a file; folders stay where they are. */
async function move(source: string, target: string, replaces: boolean): Promise<TreeFailure | undefined> {
  if (describe(await lstat(source)).kind === 'folder') return 'permissionDenied'
  if (replaces) {
    await rename(source, target)
    return undefined
  }
  // A link fails if the target exists, also if it was created a moment ago.
  await link(source, target)
  await unlink(source)
  return undefined
}
