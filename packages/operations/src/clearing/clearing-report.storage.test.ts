import { HOUR_MS } from '@tollgate/contract'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postTransactions } from '../ledger/post-transactions.task.ts'
import { type ClearedConnector, useClearedConnector } from '../testing/cleared-connector.ts'
import { closeDays } from './close-days.task.ts'

const noon = Date.UTC(2026, 5, 15, 12)

let tollgate: TestGateway
let north: ClearedConnector

beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = noon
  north = useClearedConnector(tollgate)
})
afterEach(() => tollgate.close())

const pay = (changes: Parameters = {}) =>
  tollgate.send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', ...changes }))
const get = (path: string, accept?: string) => tollgate.manage('GET', path, undefined, undefined, accept)
const list = (query = '', accept?: string) => get(`/clearing-batches?from=2026-06-01&to=2026-06-30${query}`, accept)

async function clear(): Promise<void> {
  tollgate.clock.nowMs = noon + 8 * HOUR_MS
  for (const task of [postTransactions(tollgate.gateway), closeDays(tollgate.gateway)])
    while ((await task.step()) === 'more');
}

const none = { count: 0, amountMinor: 0 }

/** Clears a day with a payment in EUR of which the acquirer has no record, and one in USD on which it agrees. */
async function clearWithBreak(): Promise<void> {
  await pay()
  await pay({ currency: 'USD', amount: '7.00' })
  const totals = { debits: none, debitReversals: none, credits: none, creditReversals: none }
  north.verdict = ({ currency }) => (currency === 'EUR' ? { kind: 'differs', totals } : { kind: 'agreed' })
  await clear()
}

test('the batches of days are listed by currency, with the answers of the acquirer', async () => {
  await clearWithBreak()
  const { body } = await list()
  const common = { acquirer: 'north', day: '2026-06-15', state: 'differs', comparisons: 1, debitsCount: 1 }
  expect(body.batches).toEqual([
    expect.objectContaining({
      ...common,
      currency: 'EUR',
      netAmount: '92.00',
      acquirerAnswer: 'differs',
      acquirerNetAmount: '0.00',
      breaks: 'debits',
    }),
    expect.objectContaining({
      ...common,
      currency: 'USD',
      netAmount: '7.00',
      acquirerAnswer: 'agreed',
      acquirerNetAmount: '7.00',
      breaks: null,
    }),
  ])
})

test('the list is restricted to days, an acquirer and a state, and is available as CSV', async () => {
  await clearWithBreak()
  const count = async (query: string) => (await list(query)).body.batches.length
  expect(await count('&acquirer=north&state=differs')).toBe(2)
  expect(await count('&acquirer=south')).toBe(0)
  expect(await count('&state=agreed')).toBe(0)
  expect((await get('/clearing-batches?from=2026-06-16&to=2026-06-30')).body.batches).toEqual([])
  const { text } = await list('', 'text/csv')
  const lines = text.split('\n')
  expect(lines[0]).toMatch(/^acquirer;day;state;comparisons;changedAt;currency;debitsCount;/)
  expect(lines[1]).toMatch(
    /^north;2026-06-15;differs;1;2026-06-15T20:00:00\.000Z;EUR;1;0;0;0;92\.00;differs;0\.00;debits;$/,
  )
  expect(lines.length).toBe(4)
})

test('a batch shows each total beside that of the acquirer', async () => {
  await clearWithBreak()
  const { body } = await get('/clearing-batches/north/2026-06-15')
  expect(body).toMatchObject({ acquirer: 'north', day: '2026-06-15', state: 'differs', comparisons: 1 })
  expect(body.totals.length).toBe(8)
  expect(body.totals[0]).toEqual({
    currency: 'EUR',
    item: 'debits',
    count: 1,
    amount: '92.00',
    acquirerAnswer: 'differs',
    acquirerCount: 0,
    acquirerAmount: '0.00',
    countDifference: -1,
    amountDifference: '-92.00',
  })
  expect(body.totals[4]).toMatchObject({
    currency: 'USD',
    item: 'debits',
    countDifference: 0,
    amountDifference: '0.00',
  })
})

test('totals without an answer have none of the acquirer', async () => {
  await pay()
  north.verdict = () => ({ kind: 'unknown' })
  await clear()
  const unknown = { acquirerAnswer: null, acquirerCount: null, acquirerAmount: null, countDifference: null }
  expect((await get('/clearing-batches/north/2026-06-15')).body.totals[0]).toMatchObject(unknown)
  expect((await list()).body.batches).toMatchObject([{ state: 'open', acquirerAnswer: null, breaks: null }])
})

test('a day on which nothing is cleared has a row without a currency', async () => {
  await pay({ paymentType: 'PA' })
  await clear()
  expect((await list()).body.batches).toMatchObject([
    { state: 'agreed', currency: null, debitsCount: 0, netAmount: null },
  ])
})

describe('errors', () => {
  test.each([
    ['/clearing-batches?from=2026-06-01', 400],
    ['/clearing-batches?from=2026-06-02&to=2026-06-01', 400],
    ['/clearing-batches?from=2026-06-01&to=2026-06-02&state=closed', 400],
    ['/clearing-batches/north/2026-06-31', 400],
    ['/clearing-batches/north/2026-06-15', 404],
  ])('%s is answered with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})
