import { expect, test } from 'vitest'
import { expectedVersion, transaction } from '../testing/sample-rows.ts'
import { runSql } from '../testing/postgres-database.ts'
import { findPrograms, startPostgres } from '../testing/postgres-server.ts'
import { startProxy } from '../testing/proxy.ts'
import { openPostgres } from './open.ts'

const rounds = process.env['TOLLGATE_TEST_LONG'] === '1' ? 20 : 1

test('units wait for a standby, none is refused, and a promoted standby has each acknowledged unit once', async () => {
  const programs = findPrograms(process.env['PATH'] ?? '')
  if (!programs) throw new Error('PostgreSQL is not installed: run apt-get install postgresql')
  for (let round = 0; round < rounds; round += 1) {
    const primary = await startPostgres(programs, ['synchronous_standby_names=*'])
    const standby = await startPostgres(programs, [], primary)
    const proxy = await startProxy(primary.url)
    const storage = await openPostgres({ url: proxy.url })
    const acknowledged: string[] = []
    let isOver = false
    const commitUnits = async (name: number) => {
      for (let index = 0; !isOver; index += 1) {
        const id = `p${name}-${index}`
        const unit = { id, expectedVersions: [expectedVersion(id)], rows: { payment_transaction: [transaction(id)] } }
        expect(await storage.commit(unit)).toEqual({ kind: 'committed' })
        acknowledged.push(id)
      }
    }
    const committers = Promise.all(Array.from({ length: 20 }, (_, name) => commitUnits(name)))
    await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(100)
    // Reads on a restarted primary show units that no standby has yet. Those units must not be acknowledged.
    await standby.stop()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const countBeforeCrash = acknowledged.length
    await primary.crash()
    await primary.start()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(acknowledged.length).toBe(countBeforeCrash)
    await standby.start()
    await expect
      .poll(() => acknowledged.length, { timeout: 20_000, interval: 5 })
      .toBeGreaterThan(countBeforeCrash + 100)
    await primary.crash()
    proxy.redirectTo(standby.url)
    await runSql(standby.url, 'SELECT pg_promote()')
    const countBeforePromotion = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(countBeforePromotion + 100)
    isOver = true
    await committers
    const stored = await runSql<{ id: string }>(standby.url, 'SELECT id FROM payment_transaction')
    expect(stored.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted())
    await storage.close()
    proxy.close()
    await Promise.all([primary.remove(), standby.remove()])
  }
})
