import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StorageError } from '@tollgate/storage'
import { ConfigError } from '../config.ts'
import { syncFolder } from '../runtime/sync-folder.ts'

/** The entries of a tombstone log. */
export interface Tombstones {
  /** The ids of the erased accounts. */
  readonly accounts: readonly string[]
  /** The length of the file, in bytes. */
  readonly lengthBytes: number
}

/**
 * A file beside the data that lists erased accounts and is in no backup of the data, so that an erasure also holds for
 * restored data. Entries are only appended, and contain only ids.
 */
export interface TombstoneLog {
  /**
   * Appends an entry for each account: `erased` before its erasure, `kept` if the erasure was not committed. The
   * entries are on disk when the promise resolves.
   */
  append(entry: 'erased' | 'kept', accounts: readonly string[]): Promise<void>
  close(): Promise<void>
}

const FILE_NAME = 'erasures.log'
const filePattern = /^erasures(-[\w.-]+)?\.log$/
const headPattern = /^tollgate erasures ([0-9a-f]{32})$/
const linePattern = /^([+-]) ([0-9A-Za-z._-]{1,64})$/
const signs = { erased: '+', kept: '-' } as const

/** The paths of the folder's own log and of logs that operators have copied to it from other machines. */
export function tombstoneFiles(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => filePattern.test(name))
        .map((name) => join(folder, name))
    : []
}

/** Opens the folder's own log, to which all processes with this folder append; creates it if it is missing. */
export async function openTombstoneLog(folder: string): Promise<TombstoneLog> {
  const handle = await open(join(folder, FILE_NAME), 'a+', 0o600)
  const { size } = await handle.stat()
  if (size === 0) {
    await write(handle, `tollgate erasures ${randomBytes(16).toString('hex')}\n`)
    await syncFolder(folder)
  }
  // A killed process or a full disk may have truncated the last line, whose erasure was not committed. A line break
  // separates it from the next line.
  let isTruncated = size > 0 && !(await endsWithLineBreak(handle, size))

  return {
    async append(entry, accounts) {
      const lines = accounts.map((id) => `${signs[entry]} ${id}\n`).join('')
      try {
        await write(handle, isTruncated ? `\n${lines}` : lines)
        isTruncated = false
      } catch (error) {
        isTruncated = true
        const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
        throw new StorageError(isFull ? 'full' : 'unavailable', `${FILE_NAME} cannot be written`, { cause: error })
      }
    },
    close: () => handle.close(),
  }
}

async function write(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text)
  await handle.datasync()
}

/** Whether the last byte of a file of this size is a line break. */
async function endsWithLineBreak(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/** The id of a tombstone log. @throws ConfigError for any other file */
export async function tombstoneLogId(file: string): Promise<string> {
  for await (const line of linesOf(file, 0)) {
    const [, id] = headPattern.exec(line) ?? []
    if (id !== undefined) return id
    break
  }
  throw new ConfigError(`${file} is not a tombstone log: put the right file in its place, or remove it`)
}

/**
 * Reads the entries from a byte on. If two processes erase an account at once, one of them fails and appends `kept`: an
 * account is erased if it has more entries `erased` than entries `kept`. An entry `kept` cancels only an entry that is
 * read before it: the entry `erased` of the same attempt may precede the byte, and later erasures are not cancelled.
 */
export async function readTombstones(file: string, fromByte: number): Promise<Tombstones> {
  const { size } = await stat(file)
  if (size < fromByte) {
    throw new ConfigError(
      `${file} is older than the data: put its newest copy in its place, or remove it if that is lost`,
    )
  }
  const counts = new Map<string, number>()
  for await (const line of linesOf(file, fromByte)) {
    const [, sign, id] = linePattern.exec(line) ?? []
    if (id !== undefined) counts.set(id, Math.max(0, (counts.get(id) ?? 0) + (sign === signs.erased ? 1 : -1)))
  }
  return { accounts: [...counts].filter(([, count]) => count > 0).map(([id]) => id), lengthBytes: size }
}

/** The lines of a file, which is also closed if the iteration stops early. */
async function* linesOf(file: string, start: number): AsyncGenerator<string, void, undefined> {
  const input = createReadStream(file, { start })
  try {
    yield* createInterface({ input })
  } finally {
    input.destroy()
  }
}
