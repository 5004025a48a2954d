import { dayIn, postTransactions, sandboxIds } from '@tollgate/operations'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const { merchant, channel } = sandboxIds
const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment(changes))).body.id
const followUp = async (id: string, paymentType: string, amount: string): Promise<string> =>
  (await tollgate.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })).body.id
const get = (path: string, accept?: string) => tollgate.manage('GET', path, undefined, undefined, accept)

const fees = {
  fees: [
    { kind: 'capture', currency: 'EUR', prices: [{ percent: '2' }] },
    { kind: 'refund', currency: 'EUR', prices: [{ fixed: '0.30' }] },
  ],
}

async function post(): Promise<void> {
  tollgate.clock.nowMs += 10_000
  const task = postTransactions(tollgate.gateway)
  while ((await task.step()) === 'more');
}

/** A preauthorisation of 92.00 EUR, a capture of 60.00 and a refund of 10.00, with fees. @returns their ids */
async function takePayments(): Promise<string[]> {
  await tollgate.manage('POST', `/entities/${merchant}/fee-plans`, fees)
  const hold = await pay({ paymentType: 'PA' })
  tollgate.clock.nowMs += 1
  const capture = await followUp(hold, 'CP', '60.00')
  tollgate.clock.nowMs += 1
  const refund = await followUp(capture, 'RF', '10.00')
  await post()
  return [hold, capture, refund]
}

interface BalanceView {
  readonly account: string
  readonly class: string
  readonly currency: string
  readonly debitsLessCredits: string
}

describe('balances', () => {
  const balances = async (query = ''): Promise<BalanceView[]> => (await get(`/ledger/balances${query}`)).body.balances
  const accountsIn = (rows: readonly BalanceView[]) =>
    Object.fromEntries(rows.map(({ account, debitsLessCredits }) => [account, debitsLessCredits]))

  test('are the debits less the credits of each account, and add up to zero in each currency', async () => {
    await takePayments()
    await pay({ currency: 'JPY', amount: '500' })
    await post()
    const rows = await balances(`?entityId=${merchant}`)
    expect(accountsIn(rows.filter(({ currency }) => currency === 'EUR'))).toEqual({
      acquirerReceivable: '60.00',
      merchantPending: '-58.80',
      merchantAvailable: '10.30',
      refundTransit: '-10.00',
      feeIncome: '-1.50',
      authorisationHold: '32.00',
      authorisationContra: '-32.00',
    })
    expect(accountsIn(rows.filter(({ currency }) => currency === 'JPY'))).toEqual({
      acquirerReceivable: '500.00',
      merchantPending: '-500.00',
      feeIncome: '0.00',
    })
    for (const code of ['EUR', 'JPY']) {
      const cents = rows
        .filter(({ currency }) => currency === code)
        .map((row) => Math.round(Number(row.debitsLessCredits) * 100))
      expect([code, cents.reduce((sum, each) => sum + each, 0)]).toEqual([code, 0])
    }
  })

  test('are those at the end of a day, and of the entities below one', async () => {
    await takePayments()
    const { psp } = await otherMerchant(tollgate)
    expect(await balances('?at=2026-05-03')).toEqual([])
    expect(await balances(`?entityId=${psp}`)).toEqual([])
    expect(await balances('?at=2026-05-04')).toEqual(await balances())
    const { body } = await get('/ledger/balances?at=2026-05-04')
    expect(body).toMatchObject({ at: '2026-05-04', completeTo: '2026-05-04T03:02:06.002Z' })
    const csv = await get('/ledger/balances', 'text/csv')
    expect(csv.text.split('\n').slice(0, 2)).toEqual([
      'account;class;currency;acquirer;debitsLessCredits',
      'acquirerReceivable;asset;EUR;simulator;60.00',
    ])
  })
})

test('balances without a day include the business days that have begun ahead of UTC', async () => {
  const { storage, ids } = tollgate.gateway
  const tomorrow = {
    merchant,
    day: (dayIn('2026-05-04') ?? 0) + 1,
    acquirer: 'acme',
    currency: 'EUR',
    kind: 'charge',
    postings: 1,
    amount_minor: 100,
    fee_minor: 0,
  }
  await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { ledger_day: [tomorrow] } })
  expect((await get('/ledger/balances?at=2026-05-04')).body.balances).toEqual([])
  const { body } = await get('/ledger/balances')
  expect([body.at, body.balances[0].debitsLessCredits]).toEqual([null, '1.00'])
})

describe('the journal', () => {
  const path = '/ledger/entries?from=2026-05-01&to=2026-05-31'

  test('has the movements of each entry', async () => {
    const [hold, capture, refund] = await takePayments()
    const { body } = await get(`${path}&entityId=${merchant}`)
    const view = (row: Record<string, string>) =>
      [row['transactionId'], row['kind'], row['debit'], row['credit'], row['amount']].join(' ')
    expect(body.entries.map(view)).toEqual([
      `${hold} hold authorisationHold authorisationContra 92.00`,
      `${capture} capture acquirerReceivable merchantPending 60.00`,
      `${capture} capture authorisationContra authorisationHold 60.00`,
      `${capture} capture merchantPending feeIncome 1.20`,
      `${refund} refund merchantAvailable refundTransit 10.00`,
      `${refund} refund merchantAvailable feeIncome 0.30`,
    ])
    const common = { day: '2026-05-04', merchantId: merchant, currency: 'EUR', acquirer: 'simulator' }
    for (const entry of body.entries) expect(entry).toMatchObject(common)
    expect((await get('/ledger/entries?from=2026-05-05&to=2026-05-31')).body.entries).toEqual([])
    const { text } = await get(path, 'text/csv')
    expect(text.split('\n')).toHaveLength(8)
  })

  test('contains each entry once, over several pages and merchants', async () => {
    const other = await otherMerchant(tollgate)
    const { storage, ids } = tollgate.gateway
    const ownerOf = (index: number) => (index % 3 === 0 ? other.merchant : merchant)
    const posting = Array.from({ length: 1_700 }, (_, index) => ({
      transaction_id: ids.ordered(),
      kind: 'charge',
      merchant: ownerOf(index),
      acquirer: 'acme',
      currency: 'EUR',
      day: 20_577 + (index % 5),
      amount_minor: index + 1,
      fee_minor: 0,
      reference: null,
    }))
    for (let start = 0; start < posting.length; start += 100)
      await storage.commit({
        id: ids.ordered(),
        expectedVersions: [],
        rows: { posting: posting.slice(start, start + 100) },
      })
    const { body } = await get(path)
    const idsIn = (rows: readonly { transactionId: string }[]) => rows.map((row) => row.transactionId).toSorted()
    expect(idsIn(body.entries)).toEqual(posting.map((row) => row.transaction_id).toSorted())
    const places = body.entries.map((row: { merchantId: string; day: string }) => `${row.merchantId} ${row.day}`)
    expect(places).toEqual(places.toSorted())
  })
})

test.each([
  ['/ledger/balances?at=2026-02-30', 400, 'querystring/at must be a day such as 2027-01-31'],
  [`/ledger/balances?entityId=${channel}`, 400, 'querystring/entityId is a channel, which has no accounts'],
  [`/ledger/entries?from=2026-05-01&to=2026-05-31&entityId=${channel}`, 400, 'give its merchant'],
  [`/ledger/balances?entityId=${'0'.repeat(32)}`, 404, 'There is no entity'],
  ['/ledger/entries?from=2026-05-01', 400, "querystring must have required property 'to'"],
])('%s is answered with %i', async (path, status, message) => {
  const answer = await get(path)
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)])
})
