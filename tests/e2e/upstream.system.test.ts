import { cardWithoutPayment, type Parameters, summary } from '@tollgate/gateway/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type DownstreamGateway, startDownstream } from '../support/upstream.ts'

// Payments of one gateway that are processed by another, without faults and pages.

let upstream: GatewayProcess
let tollgate: DownstreamGateway

beforeAll(async () => {
  upstream = await startGateway({ data: temporaryFolder() })
  tollgate = await startDownstream(upstream)
})
beforeEach(() => tollgate.proxy.reset())
afterAll(async () => {
  await tollgate.close()
  await cleanUp()
})

const APPROVED = [200, '000.100.110']

test('a debit is a payment at the upstream with the same result', async () => {
  const paid = await tollgate.pay({ merchantTransactionId: 'order-4711', merchantMemo: 'a memo for us' })
  expect(summary(paid)).toEqual(APPROVED)
  const there = await tollgate.atUpstream(paid)
  expect(there).toMatchObject({
    id: paid.body.resultDetails.ConnectorTxID1,
    paymentType: 'DB',
    amount: '92.00',
    currency: 'EUR',
    descriptor: paid.body.descriptor,
    card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones' },
  })
  expect(there['merchantTransactionId']).toContain(paid.body.id)
  expect(paid.body.merchantTransactionId).toBe('order-4711')
  expect(tollgate.lastPost().form).not.toContain('order-4711')
  expect(tollgate.lastPost().form).not.toContain('memo')
})

test('a decline keeps its code', async () => {
  const declined = await tollgate.pay({ 'customParameters[forceResultCode]': '800.100.155' })
  expect(summary(declined)).toEqual([400, '800.100.155'])
  expect((await tollgate.atUpstream(declined)).result.code).toBe('800.100.155')
})

test('a preauthorisation is captured in parts, and refunded', async () => {
  const hold = await tollgate.pay({ paymentType: 'PA' })
  const capture = await tollgate.followUp(hold.body.id, 'CP', '42.00')
  const last = await tollgate.followUp(hold.body.id, 'CP', '10.00', { sequence: 'FINAL' })
  const refund = await tollgate.followUp(capture.body.id, 'RF', '12.00')
  expect([hold, capture, last, refund].map(summary)).toEqual([APPROVED, APPROVED, APPROVED, APPROVED])
  const there = await Promise.all([hold, capture, last, refund].map(tollgate.atUpstream))
  expect(there.map(({ paymentType, amount, referencedId }) => [paymentType, amount, referencedId])).toEqual([
    ['PA', '92.00', undefined],
    ['CP', '42.00', there[0]?.id],
    ['CP', '10.00', there[0]?.id],
    ['RF', '12.00', there[1]?.id],
  ])
})

test('a preauthorisation is increased, reversed in part and then in full', async () => {
  const hold = await tollgate.pay({ paymentType: 'PA' })
  const increase = await tollgate.followUp(hold.body.id, 'PA', '8.00', {
    'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
  })
  const part = await tollgate.followUp(hold.body.id, 'RV', '30.00')
  const rest = await tollgate.followUp(hold.body.id, 'RV')
  expect([hold, increase, part, rest].map(summary)).toEqual([APPROVED, APPROVED, APPROVED, APPROVED])
  expect((await tollgate.atUpstream(rest))['amount']).toBe('70.00')
  const refused = await tollgate.followUp(hold.body.id, 'CP', '1.00')
  expect(refused.status).toBe(400)
})

test('a debit is reversed, and a rebill is a debit', async () => {
  const paid = await tollgate.pay({ createRegistration: 'true' })
  const rebill = await tollgate.followUp(paid.body.id, 'RB', '10.00')
  const reversal = await tollgate.followUp(rebill.body.id, 'RV')
  expect([paid, rebill, reversal].map(summary)).toEqual([APPROVED, APPROVED, APPROVED])
  expect(await tollgate.atUpstream(rebill)).toMatchObject({ paymentType: 'DB', amount: '10.00' })
  expect(await tollgate.atUpstream(reversal)).toMatchObject({ paymentType: 'RV', amount: '10.00' })
})

test('a registration stays here, and charges send its card', async () => {
  const stored = await tollgate.send(
    'POST',
    '/v1/registrations',
    cardWithoutPayment({ amount: '0.00', currency: 'EUR' }),
  )
  expect(summary(stored)).toEqual(APPROVED)
  expect(tollgate.lastPost().form).toContain('amount=0.00')
  const charge = await tollgate.send('POST', `/v1/registrations/${stored.body.id}/payments`, {
    amount: '11.00',
    currency: 'EUR',
    paymentType: 'DB',
  })
  expect(summary(charge)).toEqual(APPROVED)
  const there = await tollgate.atUpstream(charge)
  expect(there).toMatchObject({ amount: '11.00', card: { last4Digits: '0000', holder: 'Jane Jones' } })
  expect(there['registrationId']).toBeUndefined()
})

test('a verification without a currency uses that of the account', async () => {
  const stored = await tollgate.send(
    'POST',
    '/v1/registrations',
    cardWithoutPayment({
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'CIT',
    }),
  )
  expect(summary(stored)).toEqual(APPROVED)
  expect(tollgate.lastPost().form).toContain('currency=EUR')
})

test.each<[kind: string, parameters: Parameters, structure: object]>([
  [
    'a bank account',
    {
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.iban': 'DE89370400440532013000',
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.mandate.id': 'MANDATE-ONE',
      'bankAccount.mandate.dateOfSignature': '2026-05-01',
    },
    { bankAccount: { holder: 'Jane Jones', country: 'DE', mandate: { id: 'MANDATE-ONE' } } },
  ],
  [
    'a network token',
    {
      paymentBrand: 'VISA',
      'tokenAccount.number': '4200000000000000',
      'tokenAccount.type': 'NETWORK',
      'tokenAccount.expiryMonth': '05',
      'tokenAccount.expiryYear': '2034',
      'tokenAccount.cryptogram': 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=',
    },
    { tokenAccount: { type: 'NETWORK', last4Digits: '0000' } },
  ],
])('%s is forwarded', async (_, parameters, structure) => {
  const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }
  const paid = await tollgate.send('POST', '/v1/payments', { ...money, ...parameters })
  expect(summary(paid)).toEqual([200, expect.stringMatching(/^000\.100\.110|^800\.400\.501/)])
  expect(await tollgate.atUpstream(paid)).toMatchObject(structure)
})
