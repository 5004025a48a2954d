import { DAY_MS } from '@tollgate/contract'
import {
  cardPayment,
  cardWithoutPayment,
  type Parameters,
  testGateway,
  transactionRow,
} from '@tollgate/gateway/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { formatTime } from '../answer.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway, clock } = tollgate

const amounts = (authorised: string, captured: string, refunded: string, chargedBack: string, open: string) => ({
  authorised,
  captured,
  refunded,
  chargedBack,
  open,
})

const follow = async (id: string, paymentType: string, amount: string, more: Parameters = {}): Promise<string> => {
  const { status, body } = await send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR', ...more })
  expect([status, body.paymentType]).toEqual([200, paymentType])
  return body.id
}

async function pay(changes: Parameters, status = 200): Promise<string> {
  const answer = await send('POST', '/v1/payments', cardPayment(changes))
  expect([answer.status, answer.text]).toEqual([status, answer.text])
  return answer.body.id
}

type Query = readonly [path: string, parameters: Parameters]

/** The amounts of the records in the answer to a query, by their ids. */
async function amountsIn([path, parameters]: Query): Promise<ReadonlyMap<string, unknown>> {
  const { status, body } = await send('GET', path, parameters)
  expect(status).toBe(200)
  const records = body.records ?? [...(body.paymentType ? [body] : []), ...(body.payments ?? [])]
  return new Map(records.map((record: { id: string; amounts?: unknown }) => [record.id, record.amounts]))
}

/** Every query that finds the transactions of one payment, or one of them. */
const queriesOf = (id: string, merchantTransactionId: string): readonly Query[] => {
  const linked = { includeLinkedTransactions: 'true' }
  return ['/v1/query', '/v3/query'].flatMap((path): readonly Query[] => [
    [`${path}/${id}`, {}],
    [`${path}/${id}`, linked],
    [path, { merchantTransactionId }],
    [path, { merchantTransactionId, ...linked }],
    [path, { limit: '500' }],
    [path, { limit: '500', ...linked }],
  ])
}

describe('the record of a transaction that began a payment', () => {
  test('has the amounts of the payment in every query, and records of its other transactions have none', async () => {
    const merchantTransactionId = 'amounts-1'
    const root = await pay({ paymentType: 'PA', merchantTransactionId })
    const capture = await follow(root, 'CP', '60.00', { merchantTransactionId })
    const refund = await follow(capture, 'RF', '10.50', { merchantTransactionId })
    for (const query of queriesOf(root, merchantTransactionId)) {
      const shown = await amountsIn(query)
      expect([query, shown.get(root)]).toEqual([query, amounts('92.00', '60.00', '10.50', '0.00', '32.00')])
      for (const id of [capture, refund]) expect(shown.get(id)).toBeUndefined()
    }
    const byRefund = await amountsIn([`/v3/query/${refund}`, { includeLinkedTransactions: 'true' }])
    expect(byRefund).toEqual(
      new Map<string, unknown>([
        [refund, undefined],
        [capture, undefined],
        [root, amounts('92.00', '60.00', '10.50', '0.00', '32.00')],
      ]),
    )
  })

  test('has the amounts at the time of the query', async () => {
    const root = await pay({ paymentType: 'PA', merchantTransactionId: 'amounts-2' })
    const shown = async () => (await amountsIn(['/v1/query', { merchantTransactionId: 'amounts-2' }])).get(root)
    expect(await shown()).toEqual(amounts('92.00', '0.00', '0.00', '0.00', '92.00'))
    clock.nowMs += 40 * DAY_MS
    expect(await shown()).toEqual(amounts('92.00', '0.00', '0.00', '0.00', '0.00'))
    clock.nowMs -= 40 * DAY_MS
  })

  test.each<[name: string, changes: Parameters, expected: object]>([
    ['a debit', {}, amounts('92.00', '92.00', '0.00', '0.00', '0.00')],
    ['a declined debit', { 'card.number': '4000000000000002' }, amounts('0.00', '0.00', '0.00', '0.00', '0.00')],
    ['a payment in yen', { currency: 'JPY' }, amounts('92.00', '92.00', '0.00', '0.00', '0.00')],
    ['a payment in fils', { currency: 'KWD' }, amounts('92.00', '92.00', '0.00', '0.00', '0.00')],
  ])('has the amounts of %s', async (name, changes, expected) => {
    const merchantTransactionId = `order: ${name}`
    const root = await pay({ merchantTransactionId, ...changes }, changes['card.number'] ? 400 : 200)
    for (const query of queriesOf(root, merchantTransactionId))
      expect([query, (await amountsIn(query)).get(root)]).toEqual([query, expected])
  })

  test('has none for a registration', async () => {
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment())
    expect([...(await amountsIn([`/v3/query/${body.id}`, {}]))]).toEqual([[body.id, undefined]])
  })

  test('has none for a payment whose stored transactions contradict each other; other records do', async () => {
    const [root, capture] = [gateway.ids.ordered(), gateway.ids.ordered()]
    const outcome = JSON.stringify({ result: { code: '000.100.110', description: 'approved' }, resultDetails: {} })
    const common = {
      merchant: sandboxIds.merchant,
      channel: sandboxIds.channel,
      merchant_transaction_id: 'order-damaged',
      outcome,
    }
    const rows = [
      transactionRow({ ...common, id: root, root_id: root, type: 'PA' }),
      transactionRow({ ...common, id: capture, type: 'CP', root_id: root, referenced_id: root, amount_minor: 9201 }),
    ]
    for (const [version, row] of rows.entries()) {
      const expectedVersions = [{ id: root, merchant: sandboxIds.merchant, version }]
      await gateway.storage.commit({ id: row.id, expectedVersions, rows: { payment_transaction: [row] } })
    }
    const sound = await pay({ merchantTransactionId: 'order-damaged' })
    const shown = await amountsIn(['/v1/query', { merchantTransactionId: 'order-damaged' }])
    expect([shown.has(root), shown.get(root)]).toEqual([true, undefined])
    expect(shown.get(sound)).toEqual(amounts('92.00', '92.00', '0.00', '0.00', '0.00'))
  })
})

test('no other answer and no event has amounts: a record is the answer with this field', async () => {
  Object.assign(gateway.webhooks, { webhookIdsFor: () => ['w1'] })
  const paid = await send(
    'POST',
    '/v1/payments',
    cardPayment({ paymentType: 'PA', merchantTransactionId: 'order-bytes' }),
  )
  const { id } = paid.body
  Object.assign(gateway.webhooks, { webhookIdsFor: () => [] })
  await follow(id, 'CP', '60.00')
  clock.nowMs += 1_000
  const read = await send('GET', `/v1/payments/${id}`)
  const record = await send('GET', `/v1/query/${id}`)

  // The answers end with the build, the time of the answer and its own number.
  const atMs = clock.nowMs - 1_000
  const answerAt = (time: number, ndc: string) =>
    paid.text.replace(formatTime(atMs), formatTime(time)).replace(paid.body.ndc, ndc)
  expect(paid.text).not.toContain('amounts')
  expect(read.text).toBe(answerAt(clock.nowMs, read.body.ndc))
  const shown = JSON.stringify(amounts('92.00', '60.00', '0.00', '0.00', '32.00'))
  expect(record.text.replace(`"amounts":${shown},`, '')).toBe(answerAt(atMs, record.body.ndc))
  expect(record.body.amounts).toEqual(JSON.parse(shown))
  const events = await gateway.storage.eventsBetween(sandboxIds.merchant, '', '~', 1_000)
  expect(events.filter(({ root_id: root }) => root === id).map(({ payload }) => payload)).toEqual([paid.text])
})
