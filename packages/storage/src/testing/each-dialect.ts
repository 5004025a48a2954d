import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { memoryDisk } from '../memory/disk.ts'
import { openMemory } from '../memory/open.ts'
import type { CommitResult, Storage, Unit } from '../port.ts'
import { openPostgres } from '../postgres/open.ts'
import { openSqlite } from '../sqlite/open.ts'
import { emptyDatabase, newDatabase, removeDatabase } from './postgres-database.ts'
import { emptySqlite } from './run-sqlite.ts'

/** A dialect under test. */
interface TestedDialect {
  /** The storage, which is empty at the start of each test. */
  storage: Storage
  /** Opens the storage again after it was closed. */
  open: () => Promise<Storage>
  /** Commits a unit; omitted members are empty. */
  readonly commit: (unit: Partial<Unit>) => Promise<CommitResult>
}

/** The database of a dialect. */
interface TestDatabase {
  readonly open: () => Promise<Storage>
  /** Deletes all rows, even while a storage is open. */
  readonly empty: () => unknown
  readonly remove: () => unknown
}

const server = process.env['TOLLGATE_TEST_DATABASE_URL']

const dialects: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  memory: async () => {
    const disk = memoryDisk()
    const empty = () => Object.values(disk).forEach((rows) => rows.clear())
    return { open: async () => openMemory(disk), empty, remove: empty }
  },
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-storage-'))
    const file = join(folder, 'test.db')
    return {
      open: () => openSqlite({ file }),
      empty: () => emptySqlite(file),
      remove: () => rmSync(folder, { recursive: true }),
    }
  },
  postgres: async () => {
    const url = await newDatabase(server)
    return { open: () => openPostgres({ url }), empty: () => emptyDatabase(url), remove: () => removeDatabase(url) }
  },
}

/**
 * Defines the same tests for every dialect, for PostgreSQL only if there is a server. Unless a test closes its storage,
 * the next test uses it again, because emptying it is faster than opening a new one.
 */
export function describeDialects(define: (dialect: TestedDialect) => void): void {
  for (const [name, create] of Object.entries(dialects)) {
    if (name !== 'postgres' || server) describe(name, () => define(testedDialect(create)))
  }
}

function testedDialect(create: () => Promise<TestDatabase>): TestedDialect {
  let database: TestDatabase | undefined
  let opened: Storage | undefined

  async function open(): Promise<Storage> {
    if (!database) throw new Error('the storage cannot be opened outside of a test')
    const storage = await database.open()
    const close = () => {
      opened = undefined
      return storage.close()
    }
    return (opened = { ...storage, close })
  }

  const dialect: TestedDialect = {
    storage: openMemory(),
    open,
    commit: (unit) => dialect.storage.commit({ id: 'u', expectedVersions: [], rows: {}, ...unit }),
  }

  beforeAll(async () => {
    database = await create()
  })

  beforeEach(async () => {
    dialect.storage = opened ?? (await open())
    await database?.empty()
  })

  afterAll(async () => {
    await opened?.close()
    await database?.remove()
  })

  return dialect
}
