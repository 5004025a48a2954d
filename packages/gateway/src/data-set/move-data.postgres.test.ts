import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres, openSqlite } from '@tollgate/storage'
import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway } from '../start-gateway.ts'
import { readConfig } from '../config.ts'
import { testBank } from '../testing/bank.ts'
import { fillData } from '../testing/fill-data.ts'
import { chargesOf } from '../testing/subscription.ts'
import { summary, testGateway } from '../testing/test-gateway.ts'
import { examineData } from './integrity/examine-data.ts'
import { moveData } from './move-data.ts'

let data = ''
let url = ''
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'tollgate-move-'))
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})
afterAll(async () => {
  rmSync(data, { recursive: true })
  await removeDatabase(url)
})

const configOf = (env: Readonly<Record<string, string>>) =>
  readConfig({ PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent', ...env })

test('a gateway continues in PostgreSQL where it stopped in SQLite', async () => {
  const bank = testBank()
  const redirects = bank.connector
  const before = await testGateway({
    storage: await openSqlite({ file: join(data, 'tollgate.db') }),
    data,
    redirects,
  })
  const filled = await fillData(before)
  const paymentsOf = async ({ send }: typeof before) => {
    const answers = await Promise.all([filled.debit, filled.refund].map((id) => send('GET', `/v1/payments/${id}`)))
    return answers.map(({ body }) => ({ ...body, ndc: undefined, timestamp: undefined }))
  }
  const expected = await paymentsOf(before)
  const atMs = before.clock.nowMs
  await before.close()

  const config = configOf({ TOLLGATE_DATABASE_URL: url })
  const tables = new Set<string>()
  const result = await moveData(config, (step, table, rows) => step === 'compared' && rows > 0 && tables.add(table))
  expect(result.kind).toBe('moved')
  // Every table has moved rows, including the tables that the requests below do not read.
  expect(Object.keys(result.tables).filter((table) => !tables.has(table))).toEqual([])
  const findings: string[] = []
  await examineData(
    config,
    (finding) => findings.push(finding),
    () => undefined,
  )
  expect(findings).toEqual([])

  const after = await testGateway({ storage: await openPostgres({ url }), data, redirects })
  after.clock.nowMs = atMs
  expect(await paymentsOf(after)).toEqual(expected)
  const { send, manage } = after
  const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' }
  expect(summary(await send('POST', `/v1/payments/${filled.debit}`, refund))).toEqual([200, '000.100.110'])
  const { key, form, id } = filled.idempotent
  expect((await send('POST', '/v1/payments', form, { 'idempotency-key': key })).body.id).toBe(id)
  // The clock passes a run of the migrated plan: the run is charged, and the migrated webhook is notified.
  bank.lastPayment().state = 'paid'
  const receivedBefore = filled.webhook.receiver.received.length
  const { body } = await manage('POST', '/clock', { to: '2026-06-01T01:00:00Z' })
  expect(body.happened.map(({ kind }: { kind: string }) => kind)).toContain('run-schedule')
  expect((await chargesOf(after, filled.registration)).map(({ code }) => code)).toEqual(['000.100.110'])
  expect(filled.webhook.receiver.received.length).toBeGreaterThan(receivedBefore)
  await filled.webhook.receiver.close()
  await after.close()
})

test.each([
  [{}, 'TOLLGATE_DATABASE_URL must name the empty PostgreSQL database to which the data is moved'],
  [
    { TOLLGATE_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' },
    /^the database that TOLLGATE_DATABASE_URL names cannot be used: connect ECONNREFUSED/,
  ],
  [
    { TOLLGATE_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d', TOLLGATE_DATA: '/nowhere' },
    '/nowhere/tollgate.db does not exist',
  ],
])('a move with the settings %j is refused', async (env, message) => {
  await expect(moveData(configOf(env), () => undefined)).rejects.toThrow(message)
})

test('a move into a database that is not empty is refused, and so is a move while the gateway runs', async () => {
  await expect(moveData(configOf({ TOLLGATE_DATABASE_URL: url }), () => undefined)).rejects.toThrow(
    'the database is not empty',
  )
  const running = await startGateway(configOf({}))
  await expect(moveData(configOf({ TOLLGATE_DATABASE_URL: url }), () => undefined)).rejects.toThrow(
    /tollgate\.db is in use already: a process holds .*\.lock; stop the gateway first$/,
  )
  await running.stop()
})
