import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'
import { cardPayment, type Parameters, summary, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { postTransactions } from '../ledger/post-transactions.task.ts'
import { type ClearedConnector, useClearedConnector } from '../testing/cleared-connector.ts'
import { closeDays } from './close-days.task.ts'

const noon = Date.UTC(2026, 5, 15, 12)
const day = Date.UTC(2026, 5, 15) / DAY_MS

let tollgate: TestGateway
let north: ClearedConnector

beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = noon
  north = useClearedConnector(tollgate)
})
afterEach(() => tollgate.close())

const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', ...changes }))).body.id
const followUp = (id: string, paymentType: string, amount?: string) =>
  tollgate.send('POST', `/v1/payments/${id}`, { paymentType, ...(amount && { amount, currency: 'EUR' }) })

async function runTasks(): Promise<void> {
  for (const task of [postTransactions(tollgate.gateway), closeDays(tollgate.gateway)])
    while ((await task.step()) === 'more');
}

/** Moves the clock to a time, and posts and clears what is due. */
async function until(atMs: number): Promise<void> {
  tollgate.clock.nowMs = atMs
  await runTasks()
}

const batches = async () =>
  (await tollgate.gateway.storage.clearingBatchesBefore('north', 99_999, 99)).map(
    ({ id, state, attempts }) => `${id} ${state} ${attempts}`,
  )
const total = (count: number, amountMinor: number) => ({ count, amountMinor })

test('soon after the first hour after the cut-off, the totals of the day are agreed, per currency', async () => {
  const debit = await pay()
  const hold = await pay({ paymentType: 'PA' })
  const { body: capture } = await followUp(hold, 'CP', '60.00')
  await followUp(capture.id, 'RF', '10.00')
  await followUp(debit, 'RV')
  await pay({ currency: 'USD', amount: '7.00' })
  await until(noon + 7 * HOUR_MS - MINUTE_MS)
  expect([north.compared, await batches()]).toEqual([[], []])
  await until(noon + 7 * HOUR_MS + 15 * MINUTE_MS)
  expect(north.compared).toEqual([
    {
      day,
      currency: 'EUR',
      totals: {
        debits: total(2, 15_200),
        debitReversals: total(1, 9200),
        credits: total(1, 1000),
        creditReversals: total(0, 0),
      },
    },
    { day, currency: 'USD', totals: expect.objectContaining({ debits: total(1, 700) }) },
  ])
  expect(await batches()).toEqual(['north/2026-06-15 agreed 1'])
  await until(noon + 9 * HOUR_MS)
  expect(north.compared.length).toBe(2)
})

test('a payment after the cut-off belongs to the next day', async () => {
  await pay()
  tollgate.clock.nowMs = noon + 6 * HOUR_MS
  await pay({ amount: '5.00' })
  await until(noon + 8 * HOUR_MS)
  expect(north.compared.map(({ totals }) => totals.debits)).toEqual([total(1, 9200)])
  await until(noon + DAY_MS + 8 * HOUR_MS)
  expect(north.compared.map(({ totals }) => totals.debits)).toEqual([total(1, 9200), total(1, 500)])
  expect(await batches()).toEqual(['north/2026-06-16 agreed 1', 'north/2026-06-15 agreed 1'])
})

test('the day that the acquirer states precedes that of the cut-off', async () => {
  north.settlementDay = day
  tollgate.clock.nowMs = noon + 6 * HOUR_MS + 1
  await pay()
  await until(noon + 8 * HOUR_MS)
  expect(north.compared.map((each) => each.day)).toEqual([day])
})

test('other totals are compared again, and named', async () => {
  await pay()
  const acquirer = {
    debits: total(2, 10_000),
    debitReversals: total(0, 0),
    credits: total(0, 0),
    creditReversals: total(0, 0),
  }
  north.verdict = () => ({ kind: 'differs', totals: acquirer })
  await until(noon + 8 * HOUR_MS)
  expect(await batches()).toEqual(['north/2026-06-15 differs 1'])
  const batch = await tollgate.gateway.storage.clearingBatch('north/2026-06-15')
  expect(JSON.parse(batch?.totals ?? '')).toMatchObject({ EUR: { own: { debits: total(1, 9200) }, acquirer } })
  await runTasks()
  expect(north.compared.length).toBe(1)
  north.verdict = () => ({ kind: 'agreed' })
  await until(noon + 9 * HOUR_MS)
  expect(await batches()).toEqual(['north/2026-06-15 agreed 2'])
})

test('without an answer the batch stays open, and an agreed currency is not compared again', async () => {
  await pay()
  await pay({ currency: 'USD' })
  north.verdict = ({ currency }) => ({ kind: currency === 'EUR' ? 'agreed' : 'unknown' })
  await until(noon + 8 * HOUR_MS)
  expect(await batches()).toEqual(['north/2026-06-15 open 1'])
  north.verdict = () => ({ kind: 'agreed' })
  await until(noon + 9 * HOUR_MS)
  expect(north.compared.map(({ currency }) => currency)).toEqual(['EUR', 'USD', 'USD'])
  expect(await batches()).toEqual(['north/2026-06-15 agreed 2'])
})

const zero = total(0, 0)
const nothing = { debits: zero, debitReversals: zero, credits: zero, creditReversals: zero }
async function forTenDays(): Promise<void> {
  for (let hours = 8; hours < 24 * 10; hours += 6) await until(noon + hours * HOUR_MS)
}

test('the comparisons with other totals end after some attempts; an operator compares once more', async () => {
  await pay()
  north.verdict = () => ({ kind: 'differs', totals: nothing })
  await forTenDays()
  expect(north.compared.length).toBe(12)
  north.verdict = () => ({ kind: 'agreed' })
  const compare = () => tollgate.manage('POST', '/clearing-batches/north/2026-06-15/compare')
  expect(await compare()).toMatchObject({ status: 200, body: { state: 'agreed', comparisons: 13 } })
  const line = { audit: 'clearing batch compared', batch: 'north/2026-06-15', state: 'agreed' }
  expect(tollgate.logged).toContainEqual(expect.objectContaining(line))
  expect((await compare()).status).toBe(409)
})

test('without an answer for days, the totals are compared every six hours', async () => {
  await pay()
  north.verdict = () => ({ kind: 'unknown' })
  await forTenDays()
  expect(north.compared.length).toBe(39)
  north.verdict = () => ({ kind: 'agreed' })
  await until(noon + 11 * DAY_MS)
  expect(await batches()).toEqual(['north/2026-06-15 agreed 40'])
})

test('a batch that is older than many others is compared', async () => {
  await pay()
  north.verdict = () => ({ kind: 'unknown' })
  await until(noon + 8 * HOUR_MS)
  const { storage } = tollgate.gateway
  const batch = await storage.clearingBatch('north/2026-06-15')
  if (!batch) throw new Error('no batch is stored')
  const others = Array.from({ length: limits.clearingBatchesRead }, (_, index) => {
    const later = day + 1 + index
    return { ...batch, id: `north/${later}`, day: later, state: 'agreed' }
  })
  await storage.commit({ id: 'many', expectedVersions: [], rows: { clearing_batch: others } })
  north.verdict = () => ({ kind: 'agreed' })
  await until(noon + 9 * HOUR_MS)
  expect(await storage.clearingBatch('north/2026-06-15')).toMatchObject({ state: 'agreed', attempts: 2 })
})

test.each([
  ['before the cut-off is reversed', 6 * HOUR_MS - 1, [200, '000.100.112']],
  ['after the cut-off is refused: its reversal would come too late', 6 * HOUR_MS, [400, '700.300.700']],
])('a debit %s', async (_name, laterMs, result) => {
  const debit = await pay()
  tollgate.clock.nowMs = noon + laterMs
  expect(summary(await followUp(debit, 'RV')).slice(0, 2)).toEqual(result)
})

test('of several processes, one opens the batch of a day', async () => {
  await pay()
  tollgate.clock.nowMs = noon + 8 * HOUR_MS
  const post = postTransactions(tollgate.gateway)
  while ((await post.step()) === 'more');
  const tasks = [closeDays(tollgate.gateway), closeDays(tollgate.gateway)]
  for (let step = 0; step < 3; step += 1) await Promise.all(tasks.map((task) => task.step()))
  expect(await batches()).toEqual(['north/2026-06-15 agreed 1'])
})
