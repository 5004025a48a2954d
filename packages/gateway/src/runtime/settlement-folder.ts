import { constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ArrivedFile,
  type BackgroundTask,
  type Clock,
  errorFields,
  type Log,
  type Received,
} from '@tollgate/operations'
import { limits } from '../limits.ts'

interface Parts {
  readonly folder: string
  /** Stores a file (operations, `receiveFile`). */
  readonly receive: (file: ArrivedFile) => Promise<Received>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** The folders in the watched folder to which files are moved. */
const READ = 'read'
const REFUSED = 'refused'

/**
 * Receives the settlement files of a folder. A file is taken once it has not changed for a while, and moved to `read`
 * when it is stored, or to `refused` if it is empty, too large or an archive. Hidden files and those of unfinished
 * transfers (`.part`, `.tmp`) are not touched, nor is anything that is no regular file, such as a symbolic link. A file
 * that cannot be read or moved is logged and stays; it delays no other file.
 */
export function watchSettlementFolder({ folder, receive, clock, log }: Parts): BackgroundTask {
  /** The size and the time of the last change of the files that were seen, by name. */
  const seen = new Map<string, string>()
  /** The name of the last file that a step has examined: the next step begins after it. */
  let last = ''

  async function take(name: string): Promise<void> {
    const path = join(folder, name)
    const stats = await lstat(path)
    if (!stats.isFile()) return
    const version = `${stats.size} ${stats.mtimeMs}`
    const isUnchanged = seen.get(name) === version
    seen.set(name, version)
    if (!isUnchanged) return
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const received = await receiveFrom(handle, name)
    const target = received.kind === 'received' || received.kind === 'repeated' ? READ : REFUSED
    if (target === REFUSED) log.error({ settlementFolder: 'a file was refused', reason: received.kind })
    await mkdir(join(folder, target), { recursive: true, mode: 0o700 })
    await rename(path, join(folder, target, `${clock.now()}-${name}`))
    seen.delete(name)
  }

  async function receiveFrom(handle: FileHandle, name: string): Promise<Received> {
    try {
      return await receive({ name, arrivedBy: 'folder', chunks: handle.createReadStream({ autoClose: false }) })
    } finally {
      await handle.close()
    }
  }

  return {
    name: 'settlement folder',
    everyMs: limits.settlementFolderEveryMs,
    pauseMs: 0,
    async step() {
      const names = (await readdir(folder, { withFileTypes: true }))
        .filter(isFinished)
        .map(({ name }) => name)
        .toSorted()
      const present = new Set(names)
      for (const name of seen.keys()) if (!present.has(name)) seen.delete(name)
      const isFull = names.length > limits.settlementFolderFilesMax
      const turned = isFull ? [...names.filter((name) => name > last), ...names.filter((name) => name <= last)] : names
      for (const name of turned.slice(0, limits.settlementFolderFilesMax)) {
        await take(name).catch((error: unknown) =>
          log.error({ settlementFolder: 'a file was not taken', ...errorFields(error) }),
        )
        last = name
      }
      return 'done'
    },
  }
}

const isFinished = (entry: Dirent): boolean =>
  entry.isFile() &&
  !entry.name.startsWith('.') &&
  !/\.(?:part|tmp)$/i.test(entry.name) &&
  entry.name !== READ &&
  entry.name !== REFUSED
