import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectedVersion, transaction } from '../testing/sample-rows.ts'
import { runSql } from '../testing/postgres-database.ts'
import { findPrograms, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { openPostgres } from './open.ts'

// Only root can mount a small file system.
const canLimitDisk = process.env['TOLLGATE_TEST_LONG'] === '1' && process.getuid?.() === 0

let server: PostgresServer
let disk: string

beforeAll(async () => {
  if (!canLimitDisk) return
  const programs = findPrograms(process.env['PATH'] ?? '')
  if (!programs) throw new Error('PostgreSQL is not installed: run apt-get install postgresql')
  server = await startPostgres(programs)
  const [row] = await runSql<{ folder: string }>(server.url, `SELECT current_setting('data_directory') AS folder`)
  const { uid } = statSync(row?.folder ?? '')
  disk = mkdtempSync(join(tmpdir(), 'tollgate-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=32m,uid=${uid},mode=700`, 'tollgate', disk])
})

afterAll(async () => {
  if (!canLimitDisk) return
  await server.remove()
  execFileSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

test.runIf(canLimitDisk)(
  'a storage on a full disk refuses units as full, answers reads, and accepts units once there is space',
  async () => {
    await runSql(server.url, `CREATE TABLESPACE small LOCATION '${disk}'`)
    await runSql(server.url, 'CREATE DATABASE small TABLESPACE small')
    const storage = await openPostgres({ url: server.url.replace(/postgres$/, 'small') })
    const pay = (id: string) =>
      storage.commit({ id, expectedVersions: [expectedVersion(id)], rows: { payment_transaction: [transaction(id)] } })
    await pay('first')
    const filler = join(disk, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024))
    } catch {
      // The disk is full now.
    }
    let last = 0
    let fault: unknown
    while (!fault && last < 100_000) {
      const ids = Array.from({ length: 100 }, () => `p${(last += 1)}`)
      const results = await Promise.allSettled(ids.map(pay))
      fault = results.find((result) => result.status === 'rejected')?.reason
    }
    expect(fault).toMatchObject({ name: 'StorageError', kind: 'full' })
    expect(await storage.treeOf('first')).toMatchObject({ version: 1 })
    unlinkSync(filler)
    for (let index = 0; index < 300; index += 1) expect(await pay(`after${index}`)).toEqual({ kind: 'committed' })
    await storage.close()
  },
)
