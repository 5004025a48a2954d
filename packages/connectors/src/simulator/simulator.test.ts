import { describeResult, responseCodes } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clearingInstituteName } from './simulator.ts'
import { responseCards, testCards } from './test-cards.ts'
import { threeDSecureCards } from './three-d-secure-cards.ts'
import {
  answerTo,
  billingAddress,
  card,
  followUpOperations,
  forcedRequest,
  initialOperations,
  request,
  secret,
} from './testing/requests.ts'

describe('the answer of the simulator', () => {
  it.each(initialOperations)('to %s without a trigger approves its amount', (operation) => {
    const answer = answerTo(
      request({ operation, account: card('4111111111111111', { cvv: secret('123') }) }, billingAddress),
    )
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

  it.each(followUpOperations)('to %s without a trigger is an approval without fields of a card', (operation) => {
    const answer = answerTo(
      request({ operation, original: { transactionId: '8ac7a4a0', references: [] } }, billingAddress),
    )
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

  it('to an account verification, a PA of amount 0, has response 85', () => {
    const answer = answerTo(request({ operation: 'PA', amountMinor: 0 }))
    expect(answer).toMatchObject({ status: 'approved', code: '000.100.110', details: { AcquirerResponse: '85' } })
    expect(answerTo(request({ operation: 'DB', amountMinor: 0 })).details.AcquirerResponse).toBe('00')
  })

  it.each([
    ...testCards,
    ...threeDSecureCards.filter(({ number }) => !responseCards.some((row) => row.number === number)),
  ])('to a payment with $brand $number is an approval', ({ brand, number }) =>
    expect(answerTo(request({ brand, account: card(number) })).status).toBe('approved'),
  )

  it('to a payment without an account is an approval', () => {
    const { account, ...withoutAccount } = request()
    expect(account).toBeDefined()
    expect(answerTo(withoutAccount)).toMatchObject({ status: 'approved', code: '000.100.110' })
    expect(answerTo(withoutAccount).accountFacts).toBeUndefined()
  })

  it('with response 65 explains the result code of Mastercard for MASTER, and the response for VISA', () => {
    const [mastercard, visa] = ['MASTER', 'VISA'].map((brand) =>
      answerTo(forcedRequest('forceAcquirerResponse', '65', { brand })),
    )
    expect(mastercard?.details.ExtendedDescription).toBe(describeResult('300.100.100'))
    expect(visa?.details.ExtendedDescription).toBe(responseCodes['65']?.text)
  })

  it('to a payment with a Maestro card has the facts of a debit card', () => {
    const facts = answerTo(request({ brand: 'MAESTRO', account: card('6759649826438453') })).accountFacts
    expect(facts).toMatchObject({ type: 'DEBIT', regulatedFlag: 'true' })
  })
})

describe('every answer', () => {
  const requests = fc
    .record({
      transactionId: fc.stringMatching(/^[0-9a-f]{32}$/),
      operation: fc.constantFrom(...initialOperations, ...followUpOperations),
      amountMinor: fc.oneof(fc.nat(1_000_000), fc.integer({ min: 8_880_000, max: 8_889_999 })),
      number: fc.constantFrom(...[...testCards, ...responseCards].map(({ number }) => number)),
      holder: fc.constantFrom('Jane Jones', '{800.100.152}', '000.400.010', '{000.200.000}'),
      atMs: fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) }),
    })
    .map(({ number, holder, ...rest }) => ({
      number,
      request: request({ ...rest, account: card(number, { holder }) }),
    }))

  it('is deterministic, complete and in the form of the contract, without the card number', () => {
    fc.assert(
      fc.property(requests, ({ number, request: sentRequest }) => {
        const answer = answerTo(sentRequest)
        expect(answerTo(sentRequest)).toEqual(answer)
        for (const name of [
          'ExtendedDescription',
          'clearingInstituteName',
          'ConnectorTxID1',
          'ConnectorTxID2',
          'ConnectorTxID3',
          'AcquirerResponse',
        ]) {
          expect(answer.details[name], name).toMatch(/./)
        }
        for (const [name, value] of Object.entries(answer.details)) {
          expect(name).toMatch(/^[A-Za-z0-9._]{3,64}$/)
          expect(value.length).toBeLessThanOrEqual(2048)
        }
        expect(answer.details.MerchantAdviceCode ?? '00').toMatch(/^\d\d$/)
        expect(answer.amountMinor).toBe(answer.status === 'approved' ? sentRequest.amountMinor : 0)
        expect(JSON.stringify(answer)).not.toContain(number)
      }),
    )
  })

  it('has its own ConnectorTxID1 and CardholderInitiatedTransactionID', () => {
    const answers = Array.from({ length: 1000 }, (_, index) =>
      answerTo(request({ transactionId: `8ac7a4a0${String(index).padStart(24, '0')}` })),
    )
    expect(new Set(answers.map(({ details }) => details.ConnectorTxID1)).size).toBe(1000)
    expect(new Set(answers.map(({ details }) => details.CardholderInitiatedTransactionID)).size).toBe(1000)
  })
})
