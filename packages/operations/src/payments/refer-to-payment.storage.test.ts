import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { cardPayment, comparableBody, type Parameters, testGateway } from '@tollgate/gateway/testing'
import {
  cd,
  cp,
  db,
  FINAL,
  PREAUTHORISED,
  increase,
  last,
  delayed,
  UNKNOWN_ID,
  pa,
  PAID,
  sendSteps,
  rb,
  rf,
  rv,
  type PaymentStep,
} from '../testing/steps.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())

describe('answers', () => {
  test('to a capture have every field that strict clients need', async () => {
    const [preauthorisation, captured] = await sendSteps(tollgate, [
      PREAUTHORISED,
      cp(0, '92.00', { descriptor: 'Order 7' }),
    ])
    expect(captured?.status).toBe(200)
    expect(captured?.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      referencedId: preauthorisation?.body.id,
      paymentType: 'CP',
      paymentBrand: 'VISA',
      amount: '92.00',
      currency: 'EUR',
      descriptor: 'Order 7',
      result: { code: '000.100.110', description: expect.stringMatching(/^Request successfully processed/) },
      resultDetails: {
        ExtendedDescription: expect.any(String),
        clearingInstituteName: 'Tollgate Simulator',
        ConnectorTxID1: expect.any(String),
        ConnectorTxID2: expect.any(String),
        ConnectorTxID3: expect.any(String),
        AcquirerResponse: '00',
      },
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      merchant: { bankAccount: expect.anything() },
      buildNumber: expect.any(String),
      timestamp: expect.any(String),
      ndc: expect.any(String),
    })
  })

  test.each([{ sent: {} }, { sent: { amount: '', currency: '' } }])(
    'to an RV with $sent have the amount and currency of the payment',
    async ({ sent }) => {
      const [, reversed] = await sendSteps(tollgate, [PREAUTHORISED, rv(0, undefined, sent)])
      expect(reversed?.status).toBe(200)
      expect(reversed?.body).toMatchObject({ amount: '92.00', currency: 'EUR', paymentType: 'RV' })
    },
  )

  test.each([
    { amount: '20', answered: '20.00' },
    { amount: '020.50', answered: '20.50' },
    { amount: '0', answered: '0.00' },
    { amount: '00.10', answered: '0.10' },
  ])(
    'to a refund of $amount have the amount $answered, and refused amounts are padded, too',
    async ({ amount, answered }) => {
      const [, , refunded, refused] = await sendSteps(tollgate, [
        db('92.00'),
        db('0.01'),
        rf(0, amount),
        rf(1, amount === '0' ? amount : `9${amount}`),
      ])
      expect(refunded?.body.amount).toBe(answered)
      expect(refused?.status).toBe(400)
      expect(refused?.body.amount).toBe(amount === '0' ? '0.00' : `9${amount.includes('.') ? amount : `${amount}.00`}`)
    },
  )

  test('to a follow-up without amount and currency are parameter errors, except to a reversal', async () => {
    for (const type of ['CP', 'RF', 'RB', 'PA', 'CB', 'CR', 'RC']) {
      const [, answer] = await sendSteps(tollgate, [PREAUTHORISED, { type, to: 0 }])
      expect(answer?.status).toBe(400)
      expect(answer?.body.result.parameterErrors).toEqual([
        { name: 'amount', value: '', message: 'may not be empty' },
        { name: 'currency', value: '', message: 'may not be empty' },
      ])
    }
  })

  test('to an unknown type are parameter errors', async () => {
    const [, answer] = await sendSteps(tollgate, [PAID, { type: 'QQ', to: 0 }])
    expect([answer?.status, answer?.body.result.code]).toEqual([400, '200.300.404'])
    expect(answer?.body.result.parameterErrors).toEqual([
      { name: 'paymentType', value: 'QQ', message: 'must be one of [CP, RV, RF, RB, PA, CB, CR, RC]' },
    ])
  })

  interface FaultyRequest {
    readonly fault: string
    readonly sent: Parameters
    readonly headers?: Parameters
    readonly code?: string
    /** The fields that differ from the answer to a capture of 46.00 EUR; undefined: the field is missing. */
    readonly answered: Parameters
  }
  const CAPTURE = { paymentType: 'CP', amount: '46.00', currency: 'EUR', 'customParameters[note]': 'half' }
  const faultyRequests: readonly FaultyRequest[] = [
    { fault: 'an invalid amount', sent: { amount: 'x' }, answered: { amount: '92.00' } },
    { fault: 'no amount', sent: { amount: undefined }, answered: { amount: '92.00' } },
    { fault: 'an invalid currency', sent: { currency: 'eur' }, answered: {} },
    { fault: 'an invalid type', sent: { paymentType: 'QQ' }, answered: { paymentType: undefined } },
    { fault: 'an invalid descriptor', sent: { descriptor: 'x'.repeat(128) }, answered: {} },
    {
      fault: 'an invalid merchantTransactionId',
      sent: { merchantTransactionId: '7' },
      answered: { merchantTransactionId: undefined },
    },
    { fault: 'an invalid address', sent: { 'billing.country': 'X' }, answered: { billing: undefined } },
    { fault: 'no entityId', sent: { entityId: undefined }, answered: {} },
    { fault: 'an invalid entityId', sent: { entityId: 'x' }, answered: {} },
    { fault: 'the id of a merchant', sent: { entityId: sandboxIds.merchant }, code: '200.300.407', answered: {} },
    {
      fault: 'the id of a merchant, and an invalid amount',
      sent: { entityId: sandboxIds.merchant, amount: 'x' },
      code: '200.300.407',
      answered: { amount: '92.00' },
    },
    { fault: 'an invalid idempotency key', sent: {}, headers: { 'idempotency-key': '' }, answered: {} },
    { fault: 'a used idempotency key', sent: {}, headers: { 'idempotency-key': 'used' }, answered: {} },
  ]

  test.each(faultyRequests)(
    'to a request with $fault have its valid fields, and otherwise the fields of the payment',
    async ({ sent, headers, code = '200.300.404', answered }) => {
      await tollgate.send('POST', '/v1/payments', cardPayment(), { 'idempotency-key': 'used' })
      const [preauthorisation] = await sendSteps(tollgate, [PREAUTHORISED])
      const { status, body } = await tollgate.send(
        'POST',
        `/v1/payments/${preauthorisation?.body.id}`,
        { ...CAPTURE, ...sent },
        headers,
      )
      expect([status, body.result.code]).toEqual([400, code])
      expect({ ...body, result: undefined, buildNumber: undefined, timestamp: undefined, ndc: undefined }).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        referencedId: preauthorisation?.body.id,
        paymentType: 'CP',
        amount: '46.00',
        currency: 'EUR',
        descriptor: expect.stringMatching(/^\d{4}\.\d{4}\.\d{4} Sandbox$/),
        customParameters: { note: 'half' },
        ...answered,
      })
    },
  )

  test('to invalid parameters for an unknown payment have only the valid fields of the request', async () => {
    const path = `/v1/payments/${UNKNOWN_ID}`
    const { status, body } = await tollgate.send('POST', path, { paymentType: 'RF', amount: '1.00', currency: 'eur' })
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body).toMatchObject({ referencedId: UNKNOWN_ID, paymentType: 'RF', amount: '1.00' })
    expect(body).not.toHaveProperty('currency')
  })

  test('have the descriptions that clients match', async () => {
    const descriptionOf = async (step: PaymentStep) => last(await sendSteps(tollgate, [step])).body.result.description
    expect(await descriptionOf(cp('unknown', '1.00'))).toBe(
      'capture needs at least one successful transaction of type (PA)',
    )
    expect(await descriptionOf(rv('unknown'))).toBe(
      'reversal needs at least one successful transaction of type (CP or DB or RB or PA)',
    )
    expect(await descriptionOf(rf('unknown', '1.00'))).toMatch(/^Invalid payment data.*configur/i)
  })

  test('echo the sent parameters', async () => {
    const more = { 'customParameters[note]': 'first half', merchantTransactionId: 'capture-0001' }
    const answers = await sendSteps(tollgate, [PREAUTHORISED, cp(0, '46.00', more), cp(0, '92.00', more)])
    for (const { body } of answers.slice(1)) {
      expect(body).toMatchObject({ customParameters: { note: 'first half' }, merchantTransactionId: 'capture-0001' })
    }
  })

  test('to declined captures are stored, and the capture can be repeated', async () => {
    const decline = { 'customParameters[forceResultCode]': '800.100.152' }
    const [, declined, captured] = await sendSteps(tollgate, [PREAUTHORISED, cp(0, '92.00', decline), cp(0, '92.00')])
    expect(declined?.status).toBe(400)
    expect(declined?.body).toMatchObject({ amount: '92.00', currency: 'EUR', result: { code: '800.100.152' } })
    expect(captured?.status).toBe(200)
    const read = await tollgate.send('GET', `/v1/payments/${declined?.body.id}`)
    expect(declined && comparableBody(read)).toEqual(declined && comparableBody(declined))
  })

  test('can be read by the id of each transaction', async () => {
    const answers = await sendSteps(tollgate, [PREAUTHORISED, cp(0, '50.00'), rf(1, '20.00'), rv(0)])
    for (const answer of answers) {
      const read = await tollgate.send('GET', `/v1/payments/${answer.body.id}`)
      expect(read.status).toBe(200)
      expect(comparableBody(read)).toEqual(comparableBody(answer))
    }
  })

  test('do not repeat an invalid id', async () => {
    const answer = await tollgate.send('POST', '/v1/payments/%3Cb%3E', { paymentType: 'RV' })
    expect([answer.status, answer.body.result.code]).toEqual([404, '700.400.530'])
    expect(answer.text).not.toContain('<')
  })
})

/** Sequences of transactions that are all approved. */
const sequences: readonly { readonly sequence: string; readonly steps: readonly PaymentStep[] }[] = [
  {
    sequence: 'partial captures up to the whole amount',
    steps: [PREAUTHORISED, cp(0, '30.00'), cp(0, '30.00'), cp(0, '32.00')],
  },
  { sequence: 'capture of the whole held amount', steps: [PREAUTHORISED, cp(0, '92.00')] },
  { sequence: 'capture of a part, reversal of the remaining amount', steps: [PREAUTHORISED, cp(0, '30.00'), rv(0)] },
  {
    sequence: 'reversal of a part, capture of the remaining amount',
    steps: [PREAUTHORISED, rv(0, '30.00'), cp(0, '62.00')],
  },
  { sequence: 'a final capture, then its refund', steps: [PREAUTHORISED, cp(0, '30.00', FINAL), rf(1, '30.00')] },
  {
    sequence: 'a capture of the amount of a reversed capture',
    steps: [PREAUTHORISED, cp(0, '92.00'), rv(1), cp(0, '92.00')],
  },
  {
    sequence: 'the only announced capture, after the reversal of an earlier capture',
    steps: [pa('9.00', { numberOfCaptures: '1' }), cp(0, '9.00'), rv(1), cp(0, '9.00')],
  },
  {
    sequence: 'as many captures as the merchant announced',
    steps: [pa('9.00', { numberOfCaptures: '3' }), cp(0, '1.00'), cp(0, '1.00'), cp(0, '1.00')],
  },
  { sequence: 'partial refunds up to the whole amount', steps: [PAID, rf(0, '50.00'), rf(0, '42.00')] },
  {
    sequence: 'refunds of each capture',
    steps: [PREAUTHORISED, cp(0, '40.00'), cp(0, '52.00'), rf(1, '40.00'), rf(2, '52.00')],
  },
  { sequence: 'refund of a payout', steps: [cd('92.00'), rf(0, '92.00')] },
  { sequence: 'reversal of a debit', steps: [PAID, rv(0)] },
  { sequence: 'reversal of a debit with its amount', steps: [PAID, rv(0, '92.00')] },
  { sequence: 'reversal of a debit up to the cut-off', steps: [PAID, delayed(DAY_MS, rv(0))] },
  {
    sequence: 'capture just before the expiry of the preauthorisation',
    steps: [PREAUTHORISED, delayed(7 * DAY_MS - 1, cp(0, '92.00'))],
  },
  { sequence: 'refund up to a year later', steps: [PAID, delayed(365 * DAY_MS, rf(0, '92.00'))] },
  {
    sequence: 'capture of the preauthorisation of a hotel after almost 30 days',
    steps: [pa('92.00', { 'merchant.mcc': '7011' }), delayed(30 * DAY_MS - 1, cp(0, '92.00'))],
  },
  {
    sequence: 'a refund with the test mode of the debit',
    steps: [db('92.00', { testMode: 'INTERNAL' }), rf(0, '92.00', { testMode: 'INTERNAL' })],
  },
  {
    sequence: 'an increment, then a capture of the increased amount',
    steps: [PREAUTHORISED, increase(0, '8.00'), cp(0, '100.00')],
  },
  {
    sequence: 'an increment after a capture, then a capture of the remaining amount',
    steps: [PREAUTHORISED, cp(0, '90.00'), increase(0, '8.00'), cp(0, '10.00')],
  },
  {
    sequence: 'a rebill of a debit, then refunds of both',
    steps: [PAID, rb(0, '100.00'), rf(1, '100.00'), rf(0, '92.00')],
  },
  {
    sequence: 'a rebill of a capture, then a reversal of the rebill',
    steps: [PREAUTHORISED, cp(0, '92.00'), rb(1, '8.00'), rv(2)],
  },
  { sequence: 'a rebill of a refunded debit', steps: [PAID, rf(0, '92.00'), rb(0, '92.00')] },
  { sequence: '98 captures', steps: [PREAUTHORISED, ...Array.from({ length: 98 }, () => cp(0, '0.01'))] },
]

test.each(sequences)('$sequence: every step is approved', async ({ steps }) => {
  const answers = await sendSteps(tollgate, steps)
  expect(answers.map(({ body }) => body.result.code)).toEqual(steps.map(() => '000.100.110'))
  expect(answers.map(({ status }) => status)).toEqual(steps.map(() => 200))
})

test('the 99th capture is refused', async () => {
  const answers = await sendSteps(tollgate, [PREAUTHORISED, ...Array.from({ length: 99 }, () => cp(0, '0.01'))])
  expect(last(answers).body.result.code).toBe('700.400.100')
})

test('the cut-off of reversals is a setting of the channel', async () => {
  const settings = { clearingCutOffHours: 1 }
  const channel = { kind: 'channel', name: 'Early', parentId: sandboxIds.merchant, settings }
  const { body } = await tollgate.manage('POST', '/entities', channel)
  const onChannel = { entityId: body.id }
  const inTime = await sendSteps(tollgate, [db('92.00', onChannel), delayed(HOUR_MS, rv(0, undefined, onChannel))])
  const late = await sendSteps(tollgate, [db('92.00', onChannel), delayed(HOUR_MS + 1, rv(0, undefined, onChannel))])
  expect([last(inTime).status, last(late).body.result.code]).toEqual([200, '700.300.700'])
})

test('concurrent captures do not exceed the authorised amount', async () => {
  const [preauthorisation] = await sendSteps(tollgate, [PREAUTHORISED])
  const path = `/v1/payments/${preauthorisation?.body.id}`
  const capture = () => tollgate.send('POST', path, { paymentType: 'CP', amount: '10.00', currency: 'EUR' })
  const answers = await Promise.all(Array.from({ length: 30 }, capture))
  const approved = answers.filter(({ status }) => status === 200).length
  expect(approved).toBeGreaterThan(0)
  expect(approved).toBeLessThanOrEqual(9)
  for (const { status, body } of answers) {
    if (status !== 200) expect(['700.400.100', '800.700.100']).toContain(body.result.code)
  }
  const reversal = await tollgate.send('POST', path, { paymentType: 'RV' })
  expect(reversal.body.amount).toBe(`${92 - approved * 10}.00`)
})
