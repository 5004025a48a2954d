import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileInfo } from '../protocol/packets.ts'
import { failureOf } from './failure-of.ts'
import type { OpenFile, TreeFailure } from './file-tree.ts'

/** Resolves a path of a tree to the real one; rejects with an error of the file system. */
export type ResolvePath = (path: string) => Promise<string>

/** An error like those of the file system. */
class FileSystemError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`the file system refuses an operation with ${code}`)
    this.code = code
  }
}

/** Turns the errors of the file system into failures. */
export async function attempt<T>(action: () => Promise<T>): Promise<T | TreeFailure> {
  try {
    return await action()
  } catch (error) {
    return failureOf(error)
  }
}

/** Resolves paths below a folder. All folders on the way are real ones, not links; the last part may not exist. */
export function pathsBelow(base: string): ResolvePath {
  return async (path) => {
    if (path === '/') return base
    const real = join(base, path)
    await checkFolderOf(real)
    return real
  }
}

async function checkFolderOf(real: string): Promise<void> {
  if ((await realpath(dirname(real))) !== dirname(real)) throw new FileSystemError('ENOENT')
}

/** Describes a file or a folder; links and special files do not exist. */
export function describe(stats: Stats): FileInfo {
  if (!stats.isFile() && !stats.isDirectory()) throw new FileSystemError('ENOENT')
  const kind = stats.isFile() ? 'file' : 'folder'
  return { kind, sizeBytes: kind === 'file' ? stats.size : 0, modifiedAtMs: stats.mtimeMs }
}

/**
 * Opens a file only if it is a regular one, and the one at this path: a link in the place of one of its folders is
 * refused, also one that was put there meanwhile.
 */
export async function openRegular(real: string, flags: number): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const handle = await open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o640)
  try {
    const [opened, found] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true })])
    if (!opened.isFile() || !isSame(opened, found)) throw new FileSystemError('ENOENT')
    await checkFolderOf(real)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

const isSame = (one: BigIntStats, other: BigIntStats): boolean => one.dev === other.dev && one.ino === other.ino

/** The operations of an open file that read. */
export function openFile(handle: FileHandle): OpenFile {
  return {
    info: () => attempt(async () => describe(await handle.stat())),
    read: (position, bytesMax) =>
      attempt(async () => {
        const buffer = Buffer.alloc(bytesMax)
        let filled = 0
        while (filled < bytesMax) {
          const { bytesRead } = await handle.read(buffer, filled, bytesMax - filled, position + filled)
          if (bytesRead === 0) break
          filled += bytesRead
        }
        return buffer.subarray(0, filled)
      }),
    close: () => handle.close(),
  }
}
