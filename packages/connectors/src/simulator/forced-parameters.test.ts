import { describeResult, isResultCode, outcomeOf, resultCodes } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { AcquirerRequest } from '../port.ts'
import { answerTo, card, followUpOperations, forcedRequest, initialOperations, request } from './testing/requests.ts'

describe('a result code', () => {
  const codes = Object.keys(resultCodes).filter(isResultCode)
  const [forcible, notForcible] = [
    codes.filter((code) => ['success', 'review', 'rejected'].includes(outcomeOf(code))),
    codes.filter((code) => ['pending', 'chargeback'].includes(outcomeOf(code))),
  ]

  it('is either forcible or not, and both kinds occur', () => {
    expect(forcible.length + notForcible.length).toBe(codes.length)
    expect(Math.min(forcible.length, notForcible.length)).toBeGreaterThan(10)
  })

  it('of a final outcome is forced by parameter, and by holder in a PA, DB or CD but not in a follow-up', () => {
    for (const code of forcible) {
      const status = outcomeOf(code) === 'rejected' ? 'declined' : 'approved'
      const expected = { code, status, details: { ExtendedDescription: describeResult(code) } }
      const partialApproval = code === '000.000.001'
      for (const operation of [...initialOperations, ...followUpOperations]) {
        expect(answerTo(forcedRequest('forceResultCode', code, { operation, partialApproval }))).toMatchObject(expected)
      }
      for (const holder of [code, `{${code}}`]) {
        const withHolder = card('4111111111111111', { holder })
        for (const operation of initialOperations) {
          expect(answerTo(request({ operation, account: withHolder, partialApproval }))).toMatchObject(expected)
        }
        for (const operation of followUpOperations) {
          expect(answerTo(request({ operation, account: withHolder })).code).toBe('000.100.110')
        }
      }
    }
  })

  it('that is pending, a chargeback or unknown is refused, and the answer names the parameter', () => {
    for (const code of [...notForcible, '999.000.000']) {
      expect(answerTo(forcedRequest('forceResultCode', code))).toMatchObject({
        status: 'declined',
        code: '600.200.810',
        amountMinor: 0,
        details: { ExtendedDescription: expect.stringContaining('customParameters[forceResultCode]') },
      })
      expect(answerTo(request({ account: card('4111111111111111', { holder: `{${code}}` }) }))).toMatchObject({
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
  ])('%s has response %s', (code, response) => {
    expect(answerTo(forcedRequest('forceResultCode', code)).details.AcquirerResponse).toBe(response)
  })

  it.each(['000.400.000', '000.400.010', '000.400.020', '000.400.040', '000.400.060', '000.400.090', '000.400.100'])(
    '%s is an approval for review',
    (code) => {
      expect(answerTo(forcedRequest('forceResultCode', code))).toMatchObject({
        status: 'approved',
        code,
        amountMinor: 9200,
      })
    },
  )

  it.each(['Jane 800.100.152', '800.100.152 Jane', '{Jane}', '8001.100.152', '800.100.15'])(
    'is not read from the holder %j',
    (holder) => expect(answerTo(request({ account: card('4111111111111111', { holder }) })).status).toBe('approved'),
  )
})

describe('forced parameters', () => {
  const wrongValues: readonly [name: string, value: string][] = [
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
  it.each(wrongValues)(
    'with a wrong value such as %s=%s are refused, and the answer names the parameter',
    (name, value) => {
      expect(answerTo(forcedRequest(name, value))).toMatchObject({
        status: 'declined',
        code: '600.200.810',
        details: {
          ExtendedDescription: `customParameters[${name}] has a value that the simulator does not support`,
          AcquirerResponse: 'ZZ',
        },
      })
    },
  )

  it('set the advice of a decline, but not of an approval', () => {
    const [declined, approved] = ['51', '00'].map((response) =>
      answerTo(
        forcedRequest('forceAcquirerResponse', response, {}, { 'customParameters[forceMerchantAdviceCode]': '25' }),
      ),
    )
    expect(declined?.details.MerchantAdviceCode).toBe('25')
    expect(approved).toMatchObject({ status: 'approved' })
    expect(approved?.details.MerchantAdviceCode).toBeUndefined()
  })

  it('take precedence over holder, number and amount, in this order', () => {
    const allTriggers = {
      amountMinor: 8_886_200,
      account: card('4000000000009987', { holder: '{800.100.157}' }),
    }
    const codeOf = (changes: Partial<AcquirerRequest>, parameters: Record<string, string> = {}) =>
      answerTo(request({ ...allTriggers, ...changes }, parameters)).code
    const byResponse = { 'customParameters[forceAcquirerResponse]': '43' }
    expect(codeOf({}, { ...byResponse, 'customParameters[forceResultCode]': '800.100.166' })).toBe('800.100.166')
    expect(codeOf({}, byResponse)).toBe('800.100.159')
    expect(codeOf({})).toBe('800.100.157')
    expect(codeOf({ account: card('4000000000009987') })).toBe('800.100.165')
    expect(codeOf({ account: card('4111111111111111') })).toBe('800.100.168')
  })

  it('with unknown names are ignored', () => {
    expect(answerTo(forcedRequest('forceWeather', 'rain')).status).toBe('approved')
  })
})
