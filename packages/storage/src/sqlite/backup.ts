import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { migrations } from '../migrations/index.ts'
import { StorageError } from '../storage-error.ts'
import { checkIsThere, damagesOf, reading, schemaVersionOf } from './data-set.ts'
import { type Database, openReader } from './database.ts'
import { takeOwnership } from './owner-lock.ts'

/**
 * Copies a database as it is at this moment, be it in use or not: to a file that only its owner may read, that is there
 * once it is whole and on disk, and that takes nobody's place. Whoever writes meanwhile does not wait; the write-ahead
 * log grows for as long. It is made in a folder of its own beside that place; a folder that a killed backup of the same
 * name has left is removed first.
 *
 * @throws StorageError `constraint` where the copy is there already, `unavailable` or `full` where it cannot be made
 */
export function backUpSqlite(file: string, to: string): void {
  checkIsThere(file)
  refuseExisting(to, 'no backup takes the place of a file')
  removeAbandoned(to)
  const folder = mkdtempSync(`${to}${PARTIAL}`)
  const copy = join(folder, COPY)
  try {
    const release = takeOwnership(copy)
    try {
      closeSync(openSync(copy, 'wx', 0o600))
      const database = openReader(file)
      try {
        reading(to, () => database.prepare('VACUUM INTO ?').run(copy))
      } finally {
        database.close()
      }
      sync(copy)
      // Unlike a rename it fails if the file exists by now.
      linkSync(copy, to)
    } finally {
      release()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  sync(dirname(to))
}

const PARTIAL = '.partial-'
const COPY = 'copy.db'

/** Removes the remains of killed backups of the same name. A running one holds the lock in its folder. */
function removeAbandoned(to: string): void {
  const folders = readdirSync(dirname(to), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name.startsWith(`${basename(to)}${PARTIAL}`),
  )
  for (const { name } of folders) {
    const folder = join(dirname(to), name)
    const release = ownershipUnlessTaken(join(folder, COPY))
    if (!release) continue
    rmSync(folder, { recursive: true, force: true })
    release()
  }
}

function ownershipUnlessTaken(file: string): (() => void) | undefined {
  try {
    return takeOwnership(file)
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'in-use') return undefined
    throw error
  }
}

/**
 * Puts a copy of a database in the place of one that is gone, whole and checked or not at all.
 *
 * @param check is asked whether the data may be put there: it gets the named values of the installation
 * @throws StorageError `constraint` where there is a database already, `in-use` where a gateway makes one,
 *   `incompatible` where the copy is damaged, of a newer program or no database of ours; and what `check` throws
 */
export async function restoreSqlite(
  from: string,
  file: string,
  check: (installation: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  checkIsThere(from)
  for (const end of ['', '-wal', '-shm']) refuseExisting(`${file}${end}`, 'move the data away first')
  const giveUpOwnership = reading(file, () => takeOwnership(file))
  const restoring = `${file}.restoring`
  const removeRestoring = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${restoring}${end}`, { force: true })
  }
  try {
    // A restore that was killed may have left some.
    removeRestoring()
    copyFileSync(from, restoring)
    chmodSync(restoring, 0o600)
    await check(reading(from, () => checked(from, restoring)))
    sync(restoring)
    renameSync(restoring, file)
    sync(dirname(file))
  } finally {
    removeRestoring()
    giveUpOwnership()
  }
}

/** The named values of the installation. */
function checked(from: string, restoring: string): ReadonlyMap<string, string> {
  const database = openReader(restoring)
  try {
    const [damage] = damagesOf(database)
    if (damage !== undefined) throw new StorageError('incompatible', `${from} is damaged: ${damage}`)
    const version = schemaVersionOf(database)
    if (version === 0) throw new StorageError('incompatible', `${from} holds no data of Tollgate`)
    if (version > migrations.length) {
      const newest = `newer than ${migrations.length}, the newest that this program knows`
      throw new StorageError('incompatible', `${from} has schema ${version}, ${newest}`)
    }
    return installationOf(database)
  } finally {
    database.close()
  }
}

function installationOf(database: Database): ReadonlyMap<string, string> {
  const rows: { name: string; value: string }[] = database.prepare('SELECT name, value FROM installation').all()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

function refuseExisting(file: string, remedy: string): void {
  if (existsSync(file)) throw new StorageError('constraint', `${file} is there already: ${remedy}`)
}

/** Makes the bytes of a file, or the names in a folder, durable. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
