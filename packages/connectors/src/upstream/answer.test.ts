import { describe, expect, test } from 'vitest'
import { type AnsweredRequest, readAnswer } from './answer.ts'
import { readPayment } from './payment-json.ts'
import { approvedJson, upstreamId } from './testing/upstream.ts'

const expected: AnsweredRequest = {
  operation: 'PA',
  amountMinor: 9200,
  currency: 'EUR',
  reference: 'attempt-1',
  atMs: Date.parse('2026-11-20T09:30:15Z'),
  awaitsResult: true,
}
const original = { transactionId: 'original', references: ['c'.repeat(32)] }

function meaningOf(
  changes: object = {},
  request: Partial<AnsweredRequest> = {},
  environment: 'test' | 'live' = 'live',
) {
  const payment = readPayment(JSON.stringify(approvedJson(changes)))
  if (!payment) throw new Error('the answer has no result')
  return readAnswer({ name: 'provider', environment }, { ...expected, ...request }, payment)
}

const coded = (code: string, changes: object = {}) => ({ result: { code }, ...changes })

test('an approval has the id of the payment as its first reference, and those of the acquirer after it', () => {
  const resultDetails = {
    ConnectorTxID1: 'rrn',
    ConnectorTxID2: 'original data',
    ConnectorTxID3: 'A1B2C3',
    clearingInstituteName: 'Their acquirer',
    AcquirerResponse: '00',
    ExtendedDescription: 'Approved, card 4200000000000091',
    CardholderInitiatedTransactionID: '489324123456786',
    issuerText: 'refused: 4200 0000 0000 0091',
  }
  expect(meaningOf({ resultDetails, merchantTransactionId: 'attempt-1' })).toEqual({
    kind: 'answer',
    answer: {
      status: 'approved',
      code: '000.000.000',
      amountMinor: 9200,
      details: {
        ConnectorTxID1: upstreamId,
        ConnectorTxID2: 'rrn',
        ConnectorTxID3: 'original data',
        ConnectorTxID4: 'A1B2C3',
        clearingInstituteName: 'Their acquirer',
        AcquirerResponse: '00',
        ExtendedDescription: 'Approved, card ****************',
        CardholderInitiatedTransactionID: '489324123456786',
        issuerText: 'refused: **** **** **** ****',
      },
    },
  })
})

test('an answer with an empty description gets one', () => {
  expect(meaningOf({ resultDetails: { ExtendedDescription: '' } })).toMatchObject({
    answer: { details: { ExtendedDescription: 'Transaction approved' } },
  })
})

describe('the result', () => {
  test.each([
    ['000.000.000', 'approved', 9200],
    ['000.600.000', 'approved', 9200],
    ['000.400.000', 'approved', 9200],
    ['000.000.999', 'approved', 9200],
    ['800.100.155', 'declined', 0],
    ['900.100.400', 'declined', 0],
    ['800.100.999', 'declined', 0],
  ])('%s is %s', (code, status, amountMinor) => {
    const meaning = meaningOf(coded(code))
    expect(meaning).toMatchObject({ kind: 'answer', answer: { status, amountMinor } })
  })

  test('a code that this gateway does not know is in the details', () => {
    expect(meaningOf(coded('800.100.999'))).toMatchObject({
      answer: { code: '999.999.999', details: { UpstreamResultCode: '800.100.999' } },
    })
    expect(meaningOf()).not.toHaveProperty('answer.details.UpstreamResultCode')
  })

  test('a rejection may have no payment', () => {
    const rejected = { id: undefined, paymentType: undefined, amount: undefined, currency: undefined }
    const parameterErrors = [{ name: 'billing.city', value: '', message: 'may not be empty' }]
    const result = { code: '200.300.404', description: 'invalid or missing parameter', parameterErrors }
    expect(meaningOf({ ...rejected, result })).toMatchObject({
      answer: {
        status: 'declined',
        code: '200.300.404',
        details: { ExtendedDescription: 'invalid or missing parameter: billing.city' },
      },
    })
  })

  test('900.100.300 is no result yet', () => {
    expect(meaningOf(coded('900.100.300'))).toEqual({ kind: 'uncertain' })
  })

  test('the reason of a chargeback is no result of a request', () => {
    expect(meaningOf(coded('000.100.201'))).toEqual({ kind: 'mismatch', field: 'result.code' })
  })
})

describe('an answer that does not fit the request', () => {
  test.each<[field: string, changes: object, request?: Partial<AnsweredRequest>]>([
    ['id', { id: undefined }],
    ['id', { id: 'd'.repeat(32) }, { id: upstreamId, reference: undefined }],
    ['merchantTransactionId', { merchantTransactionId: 'attempt-2' }],
    ['referencedId', { referencedId: 'd'.repeat(32) }, { original }],
    ['paymentType', { paymentType: undefined }],
    ['paymentType', { paymentType: 'DB' }],
    ['currency', { currency: undefined }],
    ['currency', { currency: 'USD' }],
    ['amount', { amount: undefined }],
    ['amount', { amount: '9200' }],
    ['amount', { amount: '920.00' }],
    ['amount', { amount: '91.99' }],
    ['amount', { amount: '92,00' }],
    ['amount', coded('000.000.001')],
    ['amount', coded('000.000.001', { amount: '0.00' })],
    ['amount', coded('000.200.000', { amount: '1.00' })],
  ])('is a mismatch of its %s: %j', (field, changes, request) => {
    expect(meaningOf(changes, request)).toEqual({ kind: 'mismatch', field })
  })

  test.each<[field: string, changes: object]>([
    ['merchantTransactionId', coded('800.100.155', { merchantTransactionId: 'attempt-2' })],
    ['paymentType', coded('800.100.155', { paymentType: 'DB' })],
  ])('is a mismatch of its %s even if it is a rejection', (field, changes) => {
    expect(meaningOf(changes)).toEqual({ kind: 'mismatch', field })
  })
})

describe('in live', () => {
  test.each(['000.100.110', '000.100.111', '000.100.112', '000.100.199'])('%s was processed in a test mode', (code) => {
    expect(meaningOf(coded(code))).toMatchObject({
      kind: 'refused',
      reason: 'testMode',
      answer: { status: 'declined', code: '600.200.700', amountMinor: 0, details: { ConnectorTxID1: upstreamId } },
    })
    expect(meaningOf(coded(code), {}, 'test')).toMatchObject({ kind: 'answer', answer: { status: 'approved' } })
  })

  test('a shopper is sent over TLS only', () => {
    const redirect = { url: 'http://bank.example/pay', parameters: [] }
    expect(meaningOf(coded('000.200.000', { redirect }))).toEqual({ kind: 'mismatch', field: 'redirect' })
    expect(meaningOf(coded('000.200.000', { redirect }), {}, 'test')).toMatchObject({ answer: { status: 'pending' } })
  })
})

describe('an approval of a part', () => {
  const part = coded('000.000.001', { amount: '50.00' })

  test('is accepted if the merchant accepts it', () => {
    expect(meaningOf(part, { partialApproval: true })).toMatchObject({
      kind: 'answer',
      answer: { status: 'approved', code: '000.000.001', amountMinor: 5000 },
    })
  })

  test('is reversed otherwise', () => {
    expect(meaningOf(part)).toMatchObject({
      kind: 'refused',
      reason: 'part',
      answer: { status: 'declined', code: '800.100.155' },
    })
  })
})

describe('a pending payment', () => {
  const redirect = { url: 'https://bank.example/pay', method: 'GET', parameters: [] }

  test('has the page for the shopper', () => {
    expect(meaningOf(coded('000.200.000', { redirect }))).toMatchObject({
      kind: 'answer',
      answer: { status: 'pending', code: '000.200.000', amountMinor: 9200, redirect },
    })
  })

  test('may have none', () => {
    expect(meaningOf(coded('800.400.501'))).toMatchObject({ answer: { status: 'pending', code: '800.400.501' } })
  })

  test('with an address that no browser may follow is a mismatch', () => {
    expect(meaningOf(coded('000.200.000', { redirect: { url: 'ftp://bank.example' } }))).toEqual({
      kind: 'mismatch',
      field: 'redirect',
    })
  })

  test('without a session of this gateway is looked up until it is final', () => {
    expect(meaningOf(coded('000.200.000'), { awaitsResult: undefined })).toEqual({ kind: 'uncertain' })
    expect(meaningOf(coded('000.200.000'), { original, awaitsResult: false })).toEqual({ kind: 'uncertain' })
  })
})

describe('the answer to a terminal', () => {
  const parameters = new Map([['pos.entryMode', 'ICC']] as const)
  const pos = { merchantId: 'M1', iccDataResponse: '8A023030', clearing: { identifier: 'c1' } }

  test('has the fields of the upstream, and others in their absence', () => {
    expect(meaningOf({ pos, resultDetails: { AcquirerResponse: '00' } }, { parameters })).toMatchObject({
      answer: {
        pos: {
          clearing: { authorizationAcquirerCode: '00', authorizationIssuerCode: undefined, identifier: 'c1' },
          merchantId: 'M1',
          iccDataResponse: '8A023030',
          statusText: 'APPROVED',
          timestamp: '2026-11-20 09:30:15',
        },
      },
    })
  })

  test('is absent if no terminal sent the request', () => {
    expect(meaningOf({ pos })).not.toHaveProperty('answer.pos.merchantId')
  })
})
