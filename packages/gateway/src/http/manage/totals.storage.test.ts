import { dayIn, postTransactions, sandboxIds } from '@tollgate/operations'
import type { TransactionDayRow } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const { merchant, channel } = sandboxIds
const pay = (changes: Parameters = {}) => tollgate.send('POST', '/v1/payments', cardPayment(changes))
const totals = (query = '', accept = 'application/json') =>
  tollgate.manage('GET', `/totals?from=2026-05-01&to=2026-05-31${query}`, undefined, undefined, accept)

async function post(): Promise<void> {
  tollgate.clock.nowMs += 10_000
  const task = postTransactions(tollgate.gateway)
  while ((await task.step()) === 'more');
}

const total = (changes: object = {}) => ({
  day: '2026-05-04',
  entityId: channel,
  type: 'DB',
  brand: 'VISA',
  currency: 'EUR',
  approvedCount: 1,
  approvedAmount: '92.00',
  declinedCount: 0,
  ...changes,
})

test('totals count approved and declined transactions by day, channel, type, brand and currency', async () => {
  await pay()
  await pay({ amount: '8.00' })
  await pay({ 'card.holder': '{800.100.151}' })
  await pay({ currency: 'JPY' })
  const { body } = await pay({ paymentType: 'PA' })
  await tollgate.send('POST', `/v1/payments/${body.id}`, { paymentType: 'CP', amount: '60.00', currency: 'EUR' })
  await post()
  const answer = await totals()
  const rows = [
    total({ type: 'CP', approvedAmount: '60.00' }),
    total({ approvedCount: 2, approvedAmount: '100.00', declinedCount: 1 }),
    total({ currency: 'JPY' }),
    total({ type: 'PA' }),
  ]
  expect([answer.status, answer.body]).toEqual([200, { completeTo: '2026-05-04T03:02:06.000Z', totals: rows }])
  expect((await totals('&currency=JPY')).body.totals).toEqual([total({ currency: 'JPY' })])
  const csv = await totals('&currency=JPY', 'text/csv')
  expect([csv.headers['content-type'], csv.text]).toEqual([
    'text/csv; charset=utf-8',
    'day;entityId;type;brand;currency;approvedCount;approvedAmount;declinedCount\n' +
      `2026-05-04;${channel};DB;VISA;JPY;1;92.00;0\n`,
  ])
})

test('totals are those of an entity of any level', async () => {
  const { psp, division, merchant: other, channel: otherChannel, token } = await otherMerchant(tollgate)
  await pay()
  await tollgate.send(
    'POST',
    '/v1/payments',
    { ...cardPayment(), entityId: otherChannel },
    {
      authorization: `Bearer ${token}`,
    },
  )
  await post()
  for (const id of [psp, division, other, otherChannel])
    expect((await totals(`&entityId=${id}`)).body.totals).toEqual([total({ entityId: otherChannel })])
  for (const id of [merchant, channel]) expect((await totals(`&entityId=${id}`)).body.totals).toEqual([total()])
  expect((await totals(`&entityId=${sandboxIds.secureChannel}`)).body.totals).toEqual([])
  expect((await totals()).body.totals).toHaveLength(2)
})

test('totals of a year are streamed in the order of days', async () => {
  const day = dayIn('2026-01-01') ?? 0
  const row = (offset: number): TransactionDayRow => ({
    merchant,
    day: day + offset,
    channel,
    type: 'DB',
    method: 'CC',
    brand: 'VISA',
    currency: 'EUR',
    acquirer: 'acme',
    country: '',
    outcome: 'ACK',
    transactions: 1,
    amount_minor: offset,
  })
  const days = Array.from({ length: 365 }, (_, offset) => row(offset))
  const { storage, ids } = tollgate.gateway
  for (const transactionDay of days)
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { transaction_day: [transactionDay] } })
  const { body } = await tollgate.manage('GET', '/totals?from=2026-01-01&to=2026-12-31')
  expect(body.completeTo).toBeNull()
  const amounts = body.totals.map((each: { approvedAmount: string }) => each.approvedAmount)
  expect(amounts).toEqual(days.map((each) => (each.amount_minor / 100).toFixed(2)))
})

describe('invalid queries', () => {
  test.each([
    ['to=2026-05-04', "querystring must have required property 'from'"],
    ['from=2026-02-30&to=2026-05-04', 'querystring/from must be a day such as 2027-01-31'],
    ['from=2026-05-05&to=2026-05-04', 'querystring/to must not be before from'],
    ['from=2026-01-01&to=2027-02-05', 'querystring/to must be at most 400 days after from, inclusive'],
    ['from=2026-05-04&to=2026-05-04&currency=eur', 'querystring/currency must match pattern'],
    ['from=2026-05-04&to=2026-05-04&entityId=1', 'querystring/entityId must match pattern'],
  ])('%s', async (query, message) => {
    const { status, body } = await tollgate.manage('GET', `/totals?${query}`)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('an unknown entity', async () => {
    expect((await totals(`&entityId=${'0'.repeat(32)}`)).status).toBe(404)
  })
})
