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
import { checkExists, integrityErrorsOf, nameFileInErrors, schemaVersionOf } from './data-set.ts'
import { type Database, openReader } from './database.ts'
import { takeOwnership } from './owner-lock.ts'

/**
 * Copies a database, which may be in use, to a new file that only its owner can read. The file appears when the copy is
 * complete and durable, and never replaces another file. Writers do not wait; the write-ahead log grows until the end.
 * The copy is made in a temporary folder beside the file; the folder of a killed backup of the same name is removed.
 *
 * @throws StorageError `constraint` if the file exists, `unavailable` or `full` if SQLite cannot make the copy; and the
 *   errors of the file system
 */
export function backUpSqlite(file: string, to: string): void {
  checkExists(file)
  refuseExisting(to, 'name a new file')
  removeAbandoned(to)
  const folder = mkdtempSync(`${to}${PARTIAL}`)
  const copy = join(folder, COPY)
  try {
    const release = takeOwnership(copy)
    try {
      closeSync(openSync(copy, 'wx', 0o600))
      const database = openReader(file)
      try {
        nameFileInErrors(to, () => database.prepare('VACUUM INTO ?').run(copy))
      } finally {
        database.close()
      }
      sync(copy)
      // Unlike a rename, a link fails if the file exists.
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

/** Removes the folders of killed backups of the same name. A running backup holds the lock in its folder. */
function removeAbandoned(to: string): void {
  const folders = readdirSync(dirname(to), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name.startsWith(`${basename(to)}${PARTIAL}`),
  )
  for (const { name } of folders) {
    const folder = join(dirname(to), name)
    const release = takeOwnershipUnlessInUse(join(folder, COPY))
    if (!release) continue
    rmSync(folder, { recursive: true, force: true })
    release()
  }
}

/** @returns the function that ends the ownership; undefined if the file has another owner */
function takeOwnershipUnlessInUse(file: string): (() => void) | undefined {
  try {
    return takeOwnership(file)
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'in-use') return undefined
    throw error
  }
}

/**
 * Restores a database from a copy, which is checked first. After an error, nothing has been restored.
 *
 * @param check receives the installation's values by name, and throws to refuse the copy
 * @throws StorageError `constraint` if a database exists, `in-use` if a gateway creates one, `unavailable` if the copy
 *   is missing or SQLite cannot read it, `incompatible` if the copy is damaged, was written by a newer program or is no
 *   database of Tollgate; and the errors of `check` and of the file system
 */
export async function restoreSqlite(
  from: string,
  file: string,
  check: (installation: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  checkExists(from)
  for (const suffix of ['', '-wal', '-shm']) refuseExisting(`${file}${suffix}`, 'move it away first')
  const release = nameFileInErrors(file, () => takeOwnership(file))
  const restoring = `${file}.restoring`
  const removeRestoring = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${restoring}${suffix}`, { force: true })
  }
  try {
    // A killed restore may have left files.
    removeRestoring()
    copyFileSync(from, restoring)
    chmodSync(restoring, 0o600)
    await check(nameFileInErrors(from, () => checkCopy(from, restoring)))
    sync(restoring)
    renameSync(restoring, file)
    sync(dirname(file))
  } finally {
    removeRestoring()
    release()
  }
}

/** Checks the copy, and returns the installation's values by name. */
function checkCopy(from: string, restoring: string): ReadonlyMap<string, string> {
  const database = openReader(restoring)
  try {
    const [error] = integrityErrorsOf(database)
    if (error !== undefined) throw new StorageError('incompatible', `${from} is damaged: ${error}`)
    const version = schemaVersionOf(database)
    if (version === 0) throw new StorageError('incompatible', `${from} contains no data of Tollgate`)
    if (version > migrations.length) {
      const newest = `newer than ${migrations.length}, the newest that this program supports`
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
  if (existsSync(file)) throw new StorageError('constraint', `${file} exists already: ${remedy}`)
}

/** Makes the content of a file or folder durable. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
