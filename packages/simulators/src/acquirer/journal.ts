import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { limits } from '../limits.ts'
import type { JournalEntry } from './host-state.ts'

/** The changes of the host's state, on disk. */
export interface HostJournal {
  /** Adds an entry. @returns resolves when it and all earlier entries are on disk; rejects if the disk fails */
  append(entry: JournalEntry): Promise<void>
  /** Resolves when all entries are on disk. */
  flush(): Promise<void>
  /** Whether the bound of its size is reached. */
  isFull(): boolean
  close(): Promise<void>
}

/** An open journal. */
export interface OpenedJournal {
  readonly journal: HostJournal
  /** The key of the hashes of card numbers, in its first line. */
  readonly key: Uint8Array
}

const done = Promise.resolve()

/** For a host that keeps its state in memory only. */
export const noJournal: HostJournal = {
  append: () => done,
  flush: () => done,
  isFull: () => false,
  close: () => done,
}

const FORMAT = 'tollgate acquirer 2'
const KEY_BYTES = 32
const LINE_BREAK = 0x0a

/**
 * Opens a journal, or creates it. The file has one line of JSON for each message that changed the state. A last line
 * without its line break was being written when the process ended; its answer never left, and it is dropped.
 *
 * @param random draws the key of a new journal
 * @param replay receives the entries of the file in their order
 * @throws Error if a line in the file is damaged
 */
export async function openJournal(
  file: string,
  random: (bytes: number) => Uint8Array,
  replay: (entry: JournalEntry) => void,
): Promise<OpenedJournal> {
  const handle = await open(file, 'a+', 0o600)
  try {
    const content = await handle.readFile()
    const length = content.lastIndexOf(LINE_BREAK) + 1
    if (length < content.length) await handle.truncate(length)
    const [head, ...lines] = linesOf(content.subarray(0, length))
    const key = head === undefined ? await writeHead(handle, file, random) : keyOf(head, file)
    for (const [index, line] of lines.entries()) replay(entryOf(line, `${file}:${index + 2}`))
    return { journal: appendTo(handle, length), key }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function linesOf(content: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(LINE_BREAK, start)
    lines.push(content.subarray(start, end))
    start = end + 1
  }
  return lines
}

async function writeHead(handle: FileHandle, file: string, random: (bytes: number) => Uint8Array): Promise<Uint8Array> {
  const key = random(KEY_BYTES)
  await handle.appendFile(`${JSON.stringify({ journal: FORMAT, key: Buffer.from(key).toString('hex') })}\n`)
  await handle.sync()
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
  return key
}

function keyOf(line: Buffer, file: string): Uint8Array {
  const { journal, key }: { journal?: unknown; key?: unknown } = parse(line, `${file}:1`)
  if (journal !== FORMAT || typeof key !== 'string' || key.length !== 2 * KEY_BYTES)
    throw new Error(
      `${file} is not a journal of this version of the simulated acquirer. Remove it, or name another file.`,
    )
  return Uint8Array.from(Buffer.from(key, 'hex'))
}

function entryOf(line: Buffer, place: string): JournalEntry {
  const entry: JournalEntry = parse(line, place)
  return entry
}

function parse(line: Buffer, place: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    throw new Error(`${place} is damaged. Remove the file to start with an empty state.`)
  }
}

/** Appends lines. The entries that arrive during a write share the next one. */
function appendTo(handle: FileHandle, initialBytes: number): HostJournal {
  let waiting: string[] = []
  let bytes = initialBytes
  /** The write in progress, and the one that will include the waiting lines. */
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function write(): Promise<void> {
    await current
    const lines = waiting.join('')
    waiting = []
    current = next ?? current
    next = undefined
    if (lines === '') return
    await handle.appendFile(lines)
    await handle.datasync()
  }

  function flush(): Promise<void> {
    next ??= write()
    return next
  }

  return {
    append(entry) {
      const line = `${JSON.stringify(entry)}\n`
      bytes += Buffer.byteLength(line)
      waiting.push(line)
      return flush()
    },
    flush,
    isFull: () => bytes >= limits.acquirerJournalBytesMax,
    async close() {
      await flush().catch(() => undefined)
      await handle.close()
    },
  }
}
