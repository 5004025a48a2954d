import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { memoryDisk } from '../memory/disk.ts'
import { openMemory } from '../memory/open.ts'
import type { CommitResult, Storage, Unit } from '../port.ts'
import { openPostgres } from '../postgres/open.ts'
import { openSqlite } from '../sqlite/open.ts'
import { emptyDatabase, newDatabase, removeDatabase } from './postgres-database.ts'

type Open = () => Promise<Storage>

/** A dialect under test. */
interface TestedDialect {
  /** The storage, which is empty at the start of each test. */
  storage: Storage
  /** Opens the storage again after it was closed. */
  open: Open
  /** Commits a unit; omitted members are empty. */
  readonly commit: (unit: Partial<Unit>) => Promise<CommitResult>
}

const server = process.env['TOLLGATE_TEST_DATABASE_URL']

/** Defines the same tests for every dialect; for PostgreSQL if there is a server. */
export function describeDialects(define: (dialect: TestedDialect) => void): void {
  let database = ''
  beforeAll(async () => {
    if (server) database = await newDatabase(server)
  })
  afterAll(async () => {
    if (server) await removeDatabase(database)
  })

  const dialects: Readonly<Record<string, (folder: string) => Open | Promise<Open>>> = {
    memory: () => {
      const disk = memoryDisk()
      return async () => openMemory(disk)
    },
    sqlite: (folder) => () => openSqlite({ file: join(folder, 'test.db') }),
    postgres: async () => {
      await emptyDatabase(database)
      return () => openPostgres({ url: database })
    },
  }
  for (const [name, prepare] of Object.entries(dialects)) {
    if (name !== 'postgres' || server) describe(name, () => define(testedDialect(prepare)))
  }
}

function testedDialect(prepare: (folder: string) => Open | Promise<Open>): TestedDialect {
  let folder = ''
  const dialect: TestedDialect = {
    storage: openMemory(),
    open: async () => openMemory(),
    commit: (unit) => dialect.storage.commit({ id: 'u', expectedVersions: [], rows: {}, ...unit }),
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-storage-'))
    dialect.open = await prepare(folder)
    dialect.storage = await dialect.open()
  })

  afterEach(async () => {
    await dialect.storage.close()
    rmSync(folder, { recursive: true })
  })

  return dialect
}
