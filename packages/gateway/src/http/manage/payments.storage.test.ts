import { sandboxIds } from '@tollgate/operations'
import { afterAll, expect, test } from 'vitest'
import { cardPayment, cardWithoutPayment, testGateway } from '../../testing/test-gateway.ts'
import { transactionRow } from '../../testing/transaction-row.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { gateway, send, manage } = tollgate

test('a payment is shown with its state, its amounts and its transactions, by the id of any of them', async () => {
  const sent = cardPayment({ paymentType: 'PA', merchantTransactionId: 'order-4711', merchantMemo: 'for reports only' })
  const { body } = await send('POST', '/v1/payments', sent)
  const capture = { paymentType: 'CP', amount: '60.00', currency: 'EUR' }
  const { body: captured } = await send('POST', `/v1/payments/${body.id}`, capture)
  const refund = { paymentType: 'RF', amount: '10.00', currency: 'EUR' }
  const { body: refunded } = await send('POST', `/v1/payments/${captured.id}`, refund)
  for (const id of [body.id, captured.id, refunded.id]) {
    const { status, body: shown, text } = await manage('GET', `/payments/${id}`)
    expect(status).toBe(200)
    expect(shown).toEqual({
      id: body.id,
      merchant: sandboxIds.merchant,
      channel: sandboxIds.channel,
      merchantTransactionId: 'order-4711',
      state: 'PARTIALLY_REFUNDED',
      currency: 'EUR',
      amounts: { authorised: '92.00', captured: '60.00', refunded: '10.00', chargedBack: '0.00', open: '32.00' },
      brand: 'VISA',
      method: 'CC',
      testMode: 'INTERNAL',
      account: { card: body.card },
      registrationId: null,
      transactions: expect.arrayContaining([
        {
          id: body.id,
          referencedId: null,
          type: 'PA',
          status: 'ACK',
          resultCode: '000.100.110',
          amount: '92.00',
          currency: 'EUR',
          merchantTransactionId: 'order-4711',
          createdAt: '2026-05-04T03:02:01.000Z',
        },
        expect.objectContaining({ id: captured.id, referencedId: body.id, type: 'CP', amount: '60.00' }),
        expect.objectContaining({ id: refunded.id, referencedId: captured.id, type: 'RF', amount: '10.00' }),
      ]),
    })
    expect(shown.transactions).toHaveLength(3)
    expect(shown.account.card.last4Digits).toBe('0000')
    for (const secret of ['4200000000000000', 'for reports only']) expect(text).not.toContain(secret)
  }
})

test('a declined payment has amounts of zero', async () => {
  const { body } = await send('POST', '/v1/payments', cardPayment({ 'card.number': '4000000000000002' }))
  const { body: shown } = await manage('GET', `/payments/${body.id}`)
  expect(shown).toMatchObject({ state: 'REJECTED', amounts: { authorised: '0.00', captured: '0.00', open: '0.00' } })
})

test('a damaged payment has neither state nor amounts', async () => {
  const [root, capture] = [gateway.ids.ordered(), gateway.ids.ordered()]
  const common = { root_id: root, merchant: sandboxIds.merchant, channel: sandboxIds.channel }
  const rows = [
    transactionRow({ ...common, id: root }),
    transactionRow({ ...common, id: capture, referenced_id: root, type: 'CP', amount_minor: 9201 }),
  ]
  const expectedVersions = [{ id: root, merchant: sandboxIds.merchant, version: 0 }]
  await gateway.storage.commit({ id: root, expectedVersions, rows: { payment_transaction: rows } })
  const { status, body } = await manage('GET', `/payments/${root}`)
  expect([status, body.state, body.amounts, body.transactions.length]).toEqual([200, null, null, 2])
})

test('an unknown payment and a registration are answered with 404', async () => {
  const { body: registered } = await send('POST', '/v1/registrations', cardWithoutPayment())
  for (const id of ['0'.repeat(32), registered.id]) {
    const { status, body } = await manage('GET', `/payments/${id}`)
    expect([status, body.error.message]).toEqual([404, expect.stringContaining('give the id of one of its')])
  }
})
