import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StorageError } from '@tollgate/storage'
import { ConfigError } from '../config.ts'

/** The entries of a tombstone log. */
export interface Tombstones {
  /** The accounts that were erased, by id. */
  readonly accounts: readonly string[]
  /** The length of the file, in bytes. */
  readonly reached: number
}

/**
 * A file beside the data, and in no backup of it, that names erased accounts, so that an erasure also holds for
 * restored data. It only grows, and contains ids only.
 */
export interface TombstoneLog {
  /** Notes that accounts are about to be erased, or that an erasure was not committed. Durable once it resolves. */
  note(what: 'erased' | 'kept', accounts: readonly string[]): Promise<void>
  close(): Promise<void>
}

const OWN = 'erasures.log'
const fileForm = /^erasures(-[\w.-]+)?\.log$/
const headForm = /^tollgate erasures ([0-9a-f]{32})$/
const lineForm = /^([+-]) ([0-9A-Za-z._-]{1,64})$/
const signs = { erased: '+', kept: '-' } as const

/** The log of this process, and the logs of other processes in the same folder. @returns their paths */
export function tombstoneFiles(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => fileForm.test(name))
        .map((name) => join(folder, name))
    : []
}

/** Opens the file of this process, and makes it if need be. */
export async function openTombstoneLog(folder: string): Promise<TombstoneLog> {
  const handle = await open(join(folder, OWN), 'a+', 0o600)
  const { size } = await handle.stat()
  if (size === 0) {
    await write(handle, `tollgate erasures ${randomBytes(16).toString('hex')}\n`)
    await syncNames(folder)
  }
  // A line that was cut off by a kill or a full disk is ended: its erasure was not committed.
  let isCut = size > 0 && !(await endsAt(handle, size))

  return {
    async note(what, accounts) {
      const lines = accounts.map((id) => `${signs[what]} ${id}\n`).join('')
      try {
        await write(handle, isCut ? `\n${lines}` : lines)
        isCut = false
      } catch (error) {
        isCut = true
        const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
        throw new StorageError(isFull ? 'full' : 'unavailable', `${OWN} cannot be written`, { cause: error })
      }
    },
    close: () => handle.close(),
  }
}

async function write(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text)
  await handle.datasync()
}

/** Whether the last of so many bytes ends a line. */
async function endsAt(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/** Makes the names in a folder durable, so that a new file is there after a power cut. */
async function syncNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The id of a tombstone log, under which data record the replayed part. @throws ConfigError if it is none */
export async function tombstoneLogId(file: string): Promise<string> {
  for await (const line of linesOf(file, 0)) {
    const [, id] = headForm.exec(line) ?? []
    if (id !== undefined) return id
    break
  }
  throw new ConfigError(
    `${file} does not begin as a log of erasures does: put the right file in its place, or remove it`,
  )
}

/**
 * Reads the entries from a byte on. If two processes erase an account at once, one fails and notes it: an account is
 * erased if it was noted more often than taken back.
 */
export async function readTombstones(file: string, fromByte: number): Promise<Tombstones> {
  const { size } = await stat(file)
  if (size < fromByte) {
    throw new ConfigError(
      `${file} is older than the data: put its newest copy in its place, or remove it where that is lost`,
    )
  }
  const counts = new Map<string, number>()
  for await (const line of linesOf(file, fromByte)) {
    const [, sign, id] = lineForm.exec(line) ?? []
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + (sign === signs.erased ? 1 : -1))
  }
  return { accounts: [...counts].filter(([, count]) => count > 0).map(([id]) => id), reached: size }
}

/** Closes the file however the reading ends. */
async function* linesOf(file: string, start: number): AsyncGenerator<string, void, undefined> {
  const input = createReadStream(file, { start })
  try {
    yield* createInterface({ input })
  } finally {
    input.destroy()
  }
}
