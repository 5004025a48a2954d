import {
  describeResult,
  isResultCode,
  outcomeOf,
  parametersOf,
  responseCodes,
  type ResultCode,
  resultCodes,
  Secret,
  sepaRejectReasons,
} from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AcquirerAccount, AcquirerOperation, AcquirerRequest } from '../port.ts'
import { clearingInstituteName, createSimulator } from './simulator.ts'
import { testTokens, testVirtualAccounts } from './test-accounts.ts'
import { rejectingBankAccounts, testBankAccounts } from './test-bank-accounts.ts'
import { responseCards, testCards } from './test-cards.ts'
import { threeDSecureCards } from './three-d-secure-cards.ts'

const simulator = createSimulator()
const ask = (asked: AcquirerRequest) => simulator.ask(asked)

const secret = (digits: string) => new Secret(new Uint8Array(Buffer.from(digits, 'ascii')))

function card(number: string, more: Partial<AcquirerAccount> = {}): AcquirerAccount {
  return {
    kind: 'card',
    number: secret(number),
    cvv: undefined,
    expiryMonth: '12',
    expiryYear: '2030',
    holder: 'Jane Jones',
    ...more,
  }
}

function request(
  more: Partial<AcquirerRequest> = {},
  parameters: Readonly<Record<string, string>> = {},
): AcquirerRequest {
  return {
    transactionId: '8ac7a4a0000000000000000000000001',
    operation: 'DB',
    amountMinor: 9200,
    currency: 'EUR',
    brand: 'VISA',
    testMode: 'INTERNAL',
    account: card('4111111111111111'),
    descriptor: '1234.5678.9012 Shop',
    partialApproval: false,
    parameters: parametersOf(parameters).values,
    secrets: new Map(),
    atMs: Date.UTC(2026, 10, 20, 11, 30),
    ...more,
  }
}

/** A SEPA payment. */
function bankRequest(
  number: string,
  more: Partial<AcquirerRequest> = {},
  parameters: Readonly<Record<string, string>> = {},
): AcquirerRequest {
  const account = card(number, { kind: 'bankAccount', expiryMonth: undefined, expiryYear: undefined })
  return request({ brand: 'DIRECTDEBIT_SEPA', account, ...more }, parameters)
}

const force = (name: string, value: string, more: Partial<AcquirerRequest> = {}, parameters = {}) =>
  request(more, { ...parameters, [`customParameters[${name}]`]: value })
const billed = { 'billing.street1': 'Main Street 1', 'billing.postcode': '10115' }
const firstCalls: readonly AcquirerOperation[] = ['PA', 'DB', 'CD']
const referencing: readonly AcquirerOperation[] = ['CP', 'RV', 'RF']

describe('without a trigger', () => {
  it.each(firstCalls)('%s is approved for its amount', (operation) => {
    const answer = ask(request({ operation, account: card('4111111111111111', { cvv: secret('123') }) }, billed))
    expect(answer).toEqual({
      status: 'approved',
      code: '000.100.110',
      amountMinor: 9200,
      details: {
        ExtendedDescription: 'Approved',
        clearingInstituteName,
        ConnectorTxID1: 'SIM-8ac7a4a0000000000000000000000001',
        ConnectorTxID2: expect.stringMatching(/^632411\d{6}$/),
        ConnectorTxID3: expect.stringMatching(/^\d{6}$/),
        AcquirerResponse: '00',
        AuthCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
        CardholderInitiatedTransactionID: expect.stringMatching(/^6324\d{11}$/),
      },
      avs: 'F',
      cvv: 'M',
      accountFacts: {
        'issuer.bank': 'Tollgate Test Bank',
        'issuer.phone': '+442079460000',
        'issuer.website': 'https://bank.example',
        type: 'CREDIT',
        level: '0001',
        regulatedFlag: 'false',
      },
    })
  })

  it.each(referencing)('%s is approved, and says nothing of a card that was not presented', (operation) => {
    const answer = ask(request({ operation, original: { transactionId: '8ac7a4a0', references: [] } }, billed))
    expect(answer).toEqual({
      status: 'approved',
      code: '000.100.110',
      amountMinor: 9200,
      details: {
        ExtendedDescription: 'Approved',
        clearingInstituteName,
        ConnectorTxID1: 'SIM-8ac7a4a0000000000000000000000001',
        ConnectorTxID2: expect.stringMatching(/^632411\d{6}$/),
        ConnectorTxID3: expect.stringMatching(/^\d{6}$/),
        AcquirerResponse: '00',
      },
    })
  })

  it('a verification of an account for no amount is answered as such', () => {
    const answer = ask(request({ operation: 'PA', amountMinor: 0 }))
    expect(answer).toMatchObject({ status: 'approved', code: '000.100.110', details: { AcquirerResponse: '85' } })
    expect(ask(request({ operation: 'DB', amountMinor: 0 })).details.AcquirerResponse).toBe('00')
  })

  it.each([
    ...testCards,
    ...threeDSecureCards.filter(({ number }) => !responseCards.some((row) => row.number === number)),
  ])('$brand $number is approved', ({ brand, number }) =>
    expect(ask(request({ brand, account: card(number) })).status).toBe('approved'),
  )

  it('a payment without an account is approved', () => {
    const { account: none, ...without } = request()
    expect(none).toBeDefined()
    expect(ask(without)).toMatchObject({ status: 'approved', code: '000.100.110' })
    expect(ask(without).accountFacts).toBeUndefined()
  })

  it('a Mastercard decline is explained as Mastercard means it', () => {
    const [mastercard, visa] = ['MASTER', 'VISA'].map((brand) => ask(force('forceAcquirerResponse', '65', { brand })))
    expect(mastercard?.details.ExtendedDescription).toBe(describeResult('300.100.100'))
    expect(visa?.details.ExtendedDescription).toBe(responseCodes['65']?.text)
  })

  it('debit brands have debit cards', () => {
    const facts = ask(request({ brand: 'MAESTRO', account: card('6759649826438453') })).accountFacts
    expect(facts).toMatchObject({ type: 'DEBIT', regulatedFlag: 'true' })
  })
})

describe('a response of the acquirer', () => {
  /** One row or more for each class of responses: value, brand, result code, advice. */
  const expected: readonly [response: string, brand: string, code: ResultCode, advice: string | undefined][] = [
    ['00', 'VISA', '000.100.110', undefined],
    ['08', 'VISA', '000.100.110', undefined],
    ['11', 'VISA', '000.100.110', undefined],
    ['85', 'VISA', '000.100.110', undefined],
    ['01', 'VISA', '800.100.152', '02'],
    ['03', 'VISA', '800.100.190', undefined],
    ['04', 'VISA', '800.100.171', '03'],
    ['05', 'VISA', '800.100.152', '02'],
    ['09', 'VISA', '800.700.100', undefined],
    ['10', 'VISA', '800.100.155', undefined],
    ['12', 'VISA', '800.100.170', '03'],
    ['13', 'VISA', '800.100.174', '01'],
    ['14', 'VISA', '800.100.151', '03'],
    ['17', 'VISA', '800.100.100', undefined],
    ['19', 'VISA', '900.100.500', undefined],
    ['32', 'VISA', '800.100.100', undefined],
    ['41', 'VISA', '800.100.165', '03'],
    ['43', 'VISA', '800.100.159', '03'],
    ['51', 'VISA', '800.100.155', '02'],
    ['54', 'VISA', '800.100.157', '01'],
    ['57', 'VISA', '800.100.170', '03'],
    ['59', 'VISA', '800.100.158', '03'],
    ['61', 'VISA', '800.100.162', '02'],
    ['62', 'VISA', '800.100.168', '01'],
    ['65', 'VISA', '800.100.163', '02'],
    ['65', 'MASTER', '300.100.100', '02'],
    ['68', 'VISA', '900.100.301', undefined],
    ['75', 'VISA', '800.100.178', undefined],
    ['82', 'MAESTRO', '800.100.170', '01'],
    ['91', 'VISA', '900.100.400', '02'],
    ['94', 'VISA', '800.110.100', undefined],
    ['96', 'VISA', '900.100.200', '02'],
    ['97', 'VISA', '800.100.100', undefined],
    ['1A', 'VISA', '300.100.100', '01'],
    ['N7', 'VISA', '800.100.153', '01'],
    ['R0', 'VISA', '800.100.500', '21'],
    ['R1', 'VISA', '800.100.501', '21'],
    ['R3', 'VISA', '800.100.403', '21'],
    ['Z3', 'VISA', '900.100.600', undefined],
    ['QQ', 'VISA', '800.100.100', undefined],
  ]

  it.each(expected)('%s of %s can be forced: %s, advice %s', (response, brand, code, advice) => {
    const answer = ask(force('forceAcquirerResponse', response, { brand }))
    expect(answer.code).toBe(code)
    expect(answer.status).toBe(code === '000.100.110' ? 'approved' : 'declined')
    expect(answer.amountMinor).toBe(code === '000.100.110' ? 9200 : 0)
    expect(answer.details.AcquirerResponse).toBe(response)
    expect(answer.details.MerchantAdviceCode).toBe(advice)
  })

  it.each(expected.filter(([response]) => /^\d\d$/.test(response)))(
    '%s of %s comes with its amount: %s, advice %s',
    (response, brand, code, advice) => {
      const answer = ask(request({ brand, amountMinor: 8_880_000 + Number(response) * 100 }))
      expect(answer).toMatchObject({ code, details: { AcquirerResponse: response } })
      expect(answer.details.MerchantAdviceCode).toBe(advice)
    },
  )

  it.each(Object.keys(responseCodes))('%s has an outcome for every operation', (response) => {
    for (const operation of [...firstCalls, ...referencing]) {
      const answer = ask(force('forceAcquirerResponse', response, { operation }))
      expect(answer.details.AcquirerResponse).toBe(response)
      expect(answer.details.ExtendedDescription).not.toBe('')
      expect(answer.status === 'approved').toBe(outcomeOf(answer.code) === 'success')
    }
  })

  it.each(responseCards)('$response comes with the $brand card $number', ({ brand, number, response }) => {
    const answer = ask(request({ brand, account: card(number) }))
    expect(answer).toMatchObject({ status: 'declined', details: { AcquirerResponse: response } })
    // A capture refers to a payment, so the card no longer counts.
    expect(ask(request({ brand, account: card(number), operation: 'CP' })).status).toBe('approved')
  })
})

describe('the approval of a part, where it is welcome', () => {
  const welcome = { partialApproval: true }
  const half = { status: 'approved', code: '000.000.001', amountMinor: 4600, details: { AcquirerResponse: '10' } }

  it.each([
    ['a response', force('forceAcquirerResponse', '10', welcome), half],
    ['a result code', force('forceResultCode', '000.000.001', welcome), half],
    ['a holder', request({ ...welcome, account: card('4111111111111111', { holder: '{000.000.001}' }) }), half],
    ['a card', request({ ...welcome, account: card('4000008880000109') }), half],
    ['an amount', request({ ...welcome, amountMinor: 8_881_000 }), { ...half, amountMinor: 4_440_500 }],
    [
      'an odd amount',
      force('forceAcquirerResponse', '10', { ...welcome, amountMinor: 9 }),
      { ...half, amountMinor: 5 },
    ],
    [
      'the least amount',
      force('forceAcquirerResponse', '10', { ...welcome, amountMinor: 1 }),
      { ...half, amountMinor: 1 },
    ],
  ])('can be had by %s', (_what, asked, answer) => {
    expect(ask(asked)).toMatchObject(answer)
    expect(ask({ ...asked, partialApproval: false })).toMatchObject({
      status: 'declined',
      code: '800.100.155',
      amountMinor: 0,
      details: { AcquirerResponse: '10' },
    })
  })

  it('is not what other requests get', () => {
    expect(ask(request(welcome))).toMatchObject({ code: '000.100.110', amountMinor: 9200 })
  })
})

describe('an account other than a card', () => {
  const account = (kind: AcquirerAccount['kind'], number: string, cvv?: string): AcquirerAccount =>
    card(number, { kind, cvv: cvv === undefined ? undefined : secret(cvv) })

  it.each(testVirtualAccounts)('virtual account $number: $code', ({ number, code }) => {
    expect(ask(request({ brand: 'PAYPAL', account: account('virtualAccount', number) })).code).toBe(code)
    expect(ask(request({ operation: 'RF', account: account('virtualAccount', number) })).status).toBe('approved')
  })

  it.each(testTokens)('token $number: response $response', ({ number, response, advice }) => {
    const { details } = ask(request({ account: account('tokenAccount', number) }))
    expect(details).toMatchObject({ AcquirerResponse: response, ...(advice && { MerchantAdviceCode: advice }) })
  })

  it.each<[number: string, pin: string | undefined, amountMinor: number, currency: string, response: string]>([
    ['6006490000000012', '1234', 10_000, 'EUR', '00'],
    ['6006490000000012', undefined, 10_000, 'EUR', '00'],
    ['6006490000000012', '1234', 10_001, 'EUR', '51'],
    ['6006490000000012', '1235', 10_000, 'EUR', '55'],
    ['6006490000000012', '123', 10_000, 'EUR', '55'],
    ['6006490000000251', '1234', 25, 'JPY', '00'],
    ['6006490000000251', '1234', 26, 'JPY', '51'],
    ['6006490000000251', '1234', 25_000, 'KWD', '00'],
    ['6006490000000251', '1234', 25_001, 'KWD', '51'],
    ['6006490000000780', '1234', 100, 'EUR', '78'],
    ['6006490000000541', '1234', 100, 'EUR', '54'],
    ['6006490000000999', '9999', 99_999, 'EUR', '00'],
  ])('gift card %s with pin %s for %i %s: response %s', (number, pin, amountMinor, currency, response) => {
    const asked = { brand: 'HEB_GIFT_CARD', account: account('giftCard', number, pin), amountMinor, currency }
    const { details } = ask(request(asked))
    expect(details.AcquirerResponse).toBe(response)
    expect('AvailableBalance' in details).toBe(response === '51')
  })

  it.each([
    ['EUR', 9200, 2500],
    ['JPY', 92, 25],
  ])(
    'a gift card with too little in %s pays what it has, where the approval of a part is welcome',
    (currency, ...of) => {
      const [amountMinor, approvedMinor] = of
      const asked = { amountMinor, currency, brand: 'HEB_GIFT_CARD', partialApproval: true }
      const answer = ask(request({ ...asked, account: account('giftCard', '6006490000000251', '1234') }))
      expect(answer).toMatchObject({ status: 'approved', code: '000.000.001', amountMinor: approvedMinor })
    },
  )

  it.each(responseCards)('the number of the card $number is none of theirs', ({ number }) => {
    for (const kind of ['virtualAccount', 'tokenAccount', 'giftCard', 'bankAccount'] as const) {
      expect(ask(request({ account: account(kind, number) })).status).toBe('approved')
    }
  })

  it('is checked and approved by code where a card network carries it', () => {
    const kinds = ['card', 'tokenAccount', 'bankAccount', 'virtualAccount', 'giftCard'] as const
    const byNetwork = kinds.filter((kind) => {
      const { avs, cvv, details } = ask(request({ account: account(kind, '4111111111111111', '123') }, billed))
      const facts = [avs, cvv, details.AuthCode, details.CardholderInitiatedTransactionID]
      expect(new Set(facts.map((fact) => fact !== undefined)).size).toBe(1)
      return avs !== undefined
    })
    expect(byNetwork).toEqual(['card', 'tokenAccount'])
  })
})

describe('a terminal', () => {
  const terminal = { 'pos.entryMode': 'ICC' }

  const printed = {
    clearing: { authorizationAcquirerCode: '00', identifier: expect.stringMatching(/^632411\d{6}$/) },
    merchantId: 'TOLLGATE0000001',
    timestamp: '2026-11-20 11:30:00',
  }

  it.each(firstCalls)('%s is answered with what it prints', (operation) => {
    const { pos, details } = ask(request({ operation }, terminal))
    expect(pos).toEqual({
      ...printed,
      clearing: { ...printed.clearing, authorizationIssuerCode: details.AuthCode },
      statusText: `AUTHCODE${details.AuthCode}`,
    })
  })

  it.each(referencing)('%s is answered without what an issuer would say', (operation) => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F26')] as const])
    expect(ask(request({ operation, secrets }, terminal)).pos).toEqual({ ...printed, statusText: 'APPROVED' })
  })

  it('is answered without it, too, where no issuer was reached', () => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F26')] as const])
    const { pos } = ask(request({ amountMinor: 8_889_100, secrets }, terminal))
    expect(pos).toMatchObject({ clearing: { authorizationAcquirerCode: '91' }, statusText: 'NOTAUTHORISED' })
    expect(pos?.iccDataResponse).toBeUndefined()
  })

  it('gets data for the chip that sent its own, with the response in it', () => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F26')] as const])
    const data = (more: Partial<AcquirerRequest>) => ask(request({ secrets, ...more }, terminal)).pos?.iccDataResponse
    expect(data({})).toMatch(/^8A023030910A[0-9A-F]{16}3030$/)
    expect(data({ amountMinor: 8_885_100 })).toMatch(/^8A023531910A[0-9A-F]{16}3531$/)
    expect(data({ transactionId: '0'.repeat(32) })).not.toBe(data({}))
  })

  it('gets no code of an issuer that declined, and nobody else gets anything', () => {
    const declined = ask(request({ amountMinor: 8_880_500 }, terminal)).pos
    expect(declined).toMatchObject({ clearing: { authorizationAcquirerCode: '05' }, statusText: 'NOTAUTHORISED' })
    expect(declined?.clearing.authorizationIssuerCode).toBeUndefined()
    expect(ask(request()).pos).toBeUndefined()
  })
})

describe('an amount', () => {
  const amounts: readonly [amountMinor: number, response: string, advice: string | undefined][] = [
    [8_879_999, '00', undefined],
    [8_880_000, '00', undefined],
    [8_880_500, '05', '02'],
    [8_885_124, '51', '24'],
    [8_885_130, '51', '30'],
    [8_885_199, '51', '02'],
    [8_880_024, '00', undefined],
    [8_889_999, '99', undefined],
    [8_890_000, '00', undefined],
    [888_500, '00', undefined],
    [88_805_000, '00', undefined],
    [5105, '00', undefined],
  ]
  it.each(amounts)('of %i minor units is answered with %s, advice %s', (amountMinor, response, advice) => {
    for (const operation of [...firstCalls, ...referencing]) {
      const { details } = ask(request({ amountMinor, operation }))
      expect(details.AcquirerResponse).toBe(response)
      expect(details.MerchantAdviceCode).toBe(advice)
    }
  })
})

describe('a SEPA payment', () => {
  const [{ number: good } = { number: '' }] = testBankAccounts
  const firstBankCalls: readonly AcquirerOperation[] = ['DB', 'CD']

  it.each(testBankAccounts)('with $number is accepted, and says nothing of cards', ({ number }) => {
    for (const operation of firstBankCalls) {
      expect(ask(bankRequest(number, { operation }, billed))).toEqual({
        status: 'approved',
        code: '000.100.110',
        amountMinor: 9200,
        details: {
          ExtendedDescription: 'Accepted for execution',
          clearingInstituteName,
          ConnectorTxID1: expect.any(String),
          ConnectorTxID2: expect.any(String),
          ConnectorTxID3: expect.any(String),
          AcquirerResponse: 'ACCP',
        },
      })
    }
  })

  it.each(rejectingBankAccounts)('with $number is rejected: $reason', ({ number, reason }) => {
    const { resultCode, text } = sepaRejectReasons[reason]
    const rejected = {
      status: 'declined',
      code: resultCode,
      amountMinor: 0,
      details: { ExtendedDescription: text, AcquirerResponse: reason },
    }
    const amountMinor = 9200 + Number(number.slice(-2))
    for (const operation of firstBankCalls) {
      expect(ask(bankRequest(number, { operation }))).toMatchObject(rejected)
    }
    expect(ask(bankRequest(good, { amountMinor }))).toMatchObject(rejected)
    expect(ask(bankRequest(good, {}, { 'customParameters[forceAcquirerResponse]': reason }))).toMatchObject(rejected)
    // Only a debit can be rejected by its amount; what refers to a payment presents no account.
    expect(ask(bankRequest(good, { amountMinor, operation: 'CD' })).status).toBe('approved')
    expect(ask(bankRequest(number, { amountMinor, operation: 'RF' })).details.AcquirerResponse).toBe('ACCP')
  })

  it('is not read into the words of cards', () => {
    expect(ask(bankRequest(good, { amountMinor: 8_885_100 })).status).toBe('approved')
    for (const response of ['05', 'AM99', 'MD06', 'accp']) {
      const asked = bankRequest(good, {}, { 'customParameters[forceAcquirerResponse]': response })
      expect(ask(asked).code).toBe('600.200.810')
    }
    expect(ask(force('forceAcquirerResponse', 'AM04')).code).toBe('600.200.810')
  })

  it.each([
    ['800.100.203', 'AM04'],
    ['800.100.202', 'AC04'],
    ['000.000.000', 'ACCP'],
    ['800.100.151', 'ZZ'],
  ])('%s comes with response %s', (code, response) => {
    const asked = bankRequest(good, {}, { 'customParameters[forceResultCode]': code })
    expect(ask(asked)).toMatchObject({ code, details: { AcquirerResponse: response } })
  })

  it('takes a result code from its holder, and names it when it cannot', () => {
    const held = (holder: string) => ask(bankRequest(good, { account: card(good, { kind: 'bankAccount', holder }) }))
    expect(held('{800.100.204}').code).toBe('800.100.204')
    expect(held('{000.200.000}').details.ExtendedDescription).toContain('bankAccount.holder')
  })
})

describe('a result code', () => {
  const codes = Object.keys(resultCodes).filter(isResultCode)
  const [final, others] = [
    codes.filter((code) => ['success', 'review', 'rejected'].includes(outcomeOf(code))),
    codes.filter((code) => ['pending', 'chargeback'].includes(outcomeOf(code))),
  ]

  it('is of one kind or the other', () => {
    expect(final.length + others.length).toBe(codes.length)
    expect(Math.min(final.length, others.length)).toBeGreaterThan(10)
  })

  it('that ends a payment can be forced, by parameter always and by holder where a card is presented', () => {
    for (const code of final) {
      const status = outcomeOf(code) === 'rejected' ? 'declined' : 'approved'
      const wanted = { code, status, details: { ExtendedDescription: describeResult(code) } }
      const partialApproval = code === '000.000.001'
      for (const operation of [...firstCalls, ...referencing]) {
        expect(ask(force('forceResultCode', code, { operation, partialApproval }))).toMatchObject(wanted)
      }
      for (const holder of [code, `{${code}}`]) {
        const held = card('4111111111111111', { holder })
        for (const operation of firstCalls) {
          expect(ask(request({ operation, account: held, partialApproval }))).toMatchObject(wanted)
        }
        for (const operation of referencing) {
          expect(ask(request({ operation, account: held })).code).toBe('000.100.110')
        }
      }
    }
  })

  it('that does not is refused by name, like any that is unknown', () => {
    for (const code of [...others, '999.000.000']) {
      expect(ask(force('forceResultCode', code))).toMatchObject({
        status: 'declined',
        code: '600.200.810',
        amountMinor: 0,
        details: { ExtendedDescription: expect.stringContaining('customParameters[forceResultCode]') },
      })
      expect(ask(request({ account: card('4111111111111111', { holder: `{${code}}` }) }))).toMatchObject({
        code: '600.200.810',
        details: { ExtendedDescription: expect.stringContaining('card.holder') },
      })
    }
  })

  it.each([
    ['900.100.301', '68'],
    ['900.100.400', '91'],
    ['800.100.152', '05'],
    ['800.100.155', '51'],
    ['000.000.000', '00'],
    ['000.100.110', '00'],
    ['100.380.401', 'ZZ'],
  ])('%s comes with response %s', (code, response) => {
    expect(ask(force('forceResultCode', code)).details.AcquirerResponse).toBe(response)
  })

  it.each(['000.400.000', '000.400.010', '000.400.020', '000.400.040', '000.400.060', '000.400.090', '000.400.100'])(
    '%s approves, to be reviewed',
    (code) => {
      expect(ask(force('forceResultCode', code))).toMatchObject({ status: 'approved', code, amountMinor: 9200 })
    },
  )

  it.each(['Jane 800.100.152', '800.100.152 Jane', '{Jane}', '8001.100.152', '800.100.15'])(
    'is not read into the holder %j',
    (holder) => expect(ask(request({ account: card('4111111111111111', { holder }) })).status).toBe('approved'),
  )
})

describe('forced parameters', () => {
  const wrong: readonly [name: string, value: string][] = [
    ['forceResultCode', 'declined'],
    ['forceResultCode', '{800.100.152}'],
    ['forceAcquirerResponse', '5'],
    ['forceAcquirerResponse', '051'],
    ['forceAcquirerResponse', 'n7'],
    ['forceMerchantAdviceCode', '99'],
    ['forceMerchantAdviceCode', '3'],
    ['forceAvsResponse', 'X'],
    ['forceCvvResponse', 'm'],
  ]
  it.each(wrong)('%s=%s is refused by name', (name, value) => {
    expect(ask(force(name, value))).toMatchObject({
      status: 'declined',
      code: '600.200.810',
      details: {
        ExtendedDescription: `customParameters[${name}] asks the simulator for something that it cannot answer`,
        AcquirerResponse: 'ZZ',
      },
    })
  })

  it('set the advice of a decline, and only of a decline', () => {
    const [declined, approved] = ['51', '00'].map((response) =>
      ask(force('forceAcquirerResponse', response, {}, { 'customParameters[forceMerchantAdviceCode]': '25' })),
    )
    expect(declined?.details.MerchantAdviceCode).toBe('25')
    expect(approved).toMatchObject({ status: 'approved' })
    expect(approved?.details.MerchantAdviceCode).toBeUndefined()
  })

  it('come before holder, number and amount, in this order', () => {
    const all = {
      amountMinor: 8_886_200,
      account: card('4000000000009987', { holder: '{800.100.157}' }),
    }
    const code = (more: Partial<AcquirerRequest>, parameters: Record<string, string> = {}) =>
      ask(request({ ...all, ...more }, parameters)).code
    const byResponse = { 'customParameters[forceAcquirerResponse]': '43' }
    expect(code({}, { ...byResponse, 'customParameters[forceResultCode]': '800.100.166' })).toBe('800.100.166')
    expect(code({}, byResponse)).toBe('800.100.159')
    expect(code({})).toBe('800.100.157')
    expect(code({ account: card('4000000000009987') })).toBe('800.100.165')
    expect(code({ account: card('4111111111111111') })).toBe('800.100.168')
  })

  it('of other names are not the simulator’s', () => {
    expect(ask(force('forceWeather', 'rain')).status).toBe('approved')
  })
})

describe('address verification', () => {
  it.each(['A', 'Z', 'N', 'U', 'F'])('answers %s to its postcode and to its parameter, and approves', (avs) => {
    const byPostcode = request({}, { 'billing.street1': 'Main Street 1', 'billing.postcode': `AVS${avs}` })
    expect(ask(byPostcode)).toMatchObject({ status: 'approved', avs })
    expect(ask(force('forceAvsResponse', avs))).toMatchObject({ status: 'approved', avs })
  })

  it('says nothing without a billing address, nor when the issuer was not reached', () => {
    expect(ask(request()).avs).toBeUndefined()
    expect(ask(request({ amountMinor: 8_889_100 }, billed)).avs).toBeUndefined()
    expect(ask(request({}, { 'billing.street1': 'Main Street 1' })).avs).toBe('F')
  })

  it.each([
    ['000.400.010', 'N'],
    ['800.400.101', 'Z'],
    ['800.400.104', 'A'],
    ['800.400.110', 'N'],
    ['800.100.152', 'F'],
  ])('agrees with the result %s: %s', (code, avs) => {
    expect(ask(request({}, { ...billed, 'customParameters[forceResultCode]': code })).avs).toBe(avs)
  })
})

describe('verification of the cvv', () => {
  const withCvv = card('4111111111111111', { cvv: secret('123') })

  it.each(['M', 'N', 'P', 'S', 'U'])('answers %s to its parameter, and approves', (cvv) => {
    expect(ask(force('forceCvvResponse', cvv, { account: withCvv }))).toMatchObject({ status: 'approved', cvv })
  })

  it('says nothing without a cvv, nor when the issuer was not reached', () => {
    expect(ask(request()).cvv).toBeUndefined()
    expect(ask(request({ account: withCvv, amountMinor: 8_889_100 })).cvv).toBeUndefined()
  })

  it.each([
    ['000.400.020', 'N'],
    ['800.100.153', 'N'],
    ['800.100.192', 'N'],
    ['800.100.155', 'M'],
  ])('agrees with the result %s: %s', (code, cvv) => {
    expect(ask(force('forceResultCode', code, { account: withCvv })).cvv).toBe(cvv)
  })
})

describe('every answer', () => {
  const requests = fc
    .record({
      transactionId: fc.stringMatching(/^[0-9a-f]{32}$/),
      operation: fc.constantFrom(...firstCalls, ...referencing),
      amountMinor: fc.oneof(fc.nat(1_000_000), fc.integer({ min: 8_880_000, max: 8_889_999 })),
      number: fc.constantFrom(...[...testCards, ...responseCards].map(({ number }) => number)),
      holder: fc.constantFrom('Jane Jones', '{800.100.152}', '000.400.010', '{000.200.000}'),
      atMs: fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) }),
    })
    .map(({ number, holder, ...rest }) => ({
      number,
      request: request({ ...rest, account: card(number, { holder }) }),
    }))

  it('is the same for the same request, complete, of the contract’s form, and silent about the card number', () => {
    fc.assert(
      fc.property(requests, ({ number, request: asked }) => {
        const answer = ask(asked)
        expect(ask(asked)).toEqual(answer)
        for (const name of [
          'ExtendedDescription',
          'clearingInstituteName',
          'ConnectorTxID1',
          'ConnectorTxID2',
          'ConnectorTxID3',
          'AcquirerResponse',
        ]) {
          expect(answer.details[name], name).toMatch(/^.{1,64}/)
        }
        for (const [name, value] of Object.entries(answer.details)) {
          expect(name).toMatch(/^[A-Za-z0-9._]{3,64}$/)
          expect(value.length).toBeLessThanOrEqual(2048)
        }
        expect(answer.details.MerchantAdviceCode ?? '00').toMatch(/^\d\d$/)
        expect(answer.amountMinor).toBe(answer.status === 'approved' ? asked.amountMinor : 0)
        expect(JSON.stringify(answer)).not.toContain(number)
      }),
    )
  })

  it('has references of its own', () => {
    const answers = Array.from({ length: 1000 }, (_, at) =>
      ask(request({ transactionId: `8ac7a4a0${String(at).padStart(24, '0')}` })),
    )
    expect(new Set(answers.map(({ details }) => details.ConnectorTxID1)).size).toBe(1000)
    expect(new Set(answers.map(({ details }) => details.CardholderInitiatedTransactionID)).size).toBe(1000)
  })
})
