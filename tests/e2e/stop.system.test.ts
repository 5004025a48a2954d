import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startLoad } from '../support/load.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName, expectAnswered, expectStored, rowsOfSqlite } from '../support/durability.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

afterEach(cleanUp)

test.each(['SIGTERM', 'SIGINT'] as const)('an idle gateway exits after %s', async (signal) => {
  const gateway = await startGateway({ data: temporaryFolder() })
  gateway.signal(signal)
  expect(await gateway.ended).toEqual({ code: 0, signal: null })
  expect(gateway.stderr()).toBe('')
})

test('a gateway under load answers all accepted requests after SIGTERM, and exits', async () => {
  for (let round = 0; round < (isLong ? 20 : 1); round += 1) {
    const data = temporaryFolder()
    const gateway = await startGateway({ data })
    const load = startLoad(gateway, `round-${round}`)
    await load.untilSent(100 + Math.floor(Math.random() * 100))
    expect(await gateway.stop()).toEqual({ code: 0, signal: null })
    await load.stop()

    const file = join(data, databaseName)
    expectStored(file, load.sent)
    const answered = new Set(load.sent.flatMap((sent) => (sent.answer ? [sent.merchantTransactionId] : [])))
    expect(answered.size).toBeGreaterThanOrEqual(100)
    expect(rowsOfSqlite(file).filter(({ merchantTransactionId }) => !answered.has(merchantTransactionId))).toEqual([])
    await expectAnswered(await gateway.restart(), load.sent.slice(-200))
  }
})
