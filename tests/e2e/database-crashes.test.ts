import { setTimeout } from 'node:timers/promises'
import { findPrograms, newDatabase, type PostgresServer, startPostgres } from '@tollgate/storage/testing'
import { afterEach, expect, test } from 'vitest'
import { type Sent, startLoad } from '../support/load.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { expectAnswered, expectRows, rowsOfPostgres } from '../support/promises.ts'

const roundCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 50 : 1

let server: PostgresServer | undefined

afterEach(async () => {
  await cleanUp()
  await server?.remove()
})

test(`${roundCount} crashes of PostgreSQL under load: it goes on itself, nothing is lost or doubled`, async () => {
  const programs = process.env['TOLLGATE_TEST_DATABASE_PROGRAMS'] ?? findPrograms(process.env['PATH'] ?? '')
  server = await startPostgres(programs ?? '')
  const database = await newDatabase(server.url)
  const gateway = await startGateway({ data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } })
  const readiness = async () => (await fetch(`${gateway.url}/readyz`)).status
  const history: Sent[] = []
  for (let round = 0; round < roundCount; round += 1) {
    const load = startLoad(gateway, `round-${round}`, 24)
    await setTimeout(300 + Math.random() * 300)
    await server.crash()
    await expect.poll(readiness).toBe(503)
    await setTimeout(Math.random() * 1000)
    await server.start()
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200)
    const before = load.sent.filter(({ answer }) => answer?.status === 200).length
    await expect
      .poll(() => load.sent.filter(({ answer }) => answer?.status === 200).length, { timeout: 20_000 })
      .toBeGreaterThan(before + 50)
    await load.stop()
    history.push(...load.sent)
    expectRows(await rowsOfPostgres(database), history)
  }
  // Only now, because it sends again what was refused.
  await expectAnswered(gateway, history)
  expect(history.filter(({ answer }) => !answer)).toEqual([])
  console.log(`crashes of PostgreSQL: ${roundCount} rounds, ${history.length} requests, all of them answered`)
  expect((await gateway.pay(cardPayment())).status).toBe(200)
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
}, 3_600_000)
