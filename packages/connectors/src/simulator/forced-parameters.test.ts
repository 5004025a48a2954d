import { describeResult, isResultCode, outcomeOf, resultCodes } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { AcquirerRequest } from '../port.ts'
import { answerTo, card, firstCalls, force, referencing, request } from './testing/requests.ts'

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
        expect(answerTo(force('forceResultCode', code, { operation, partialApproval }))).toMatchObject(wanted)
      }
      for (const holder of [code, `{${code}}`]) {
        const held = card('4111111111111111', { holder })
        for (const operation of firstCalls) {
          expect(answerTo(request({ operation, account: held, partialApproval }))).toMatchObject(wanted)
        }
        for (const operation of referencing) {
          expect(answerTo(request({ operation, account: held })).code).toBe('000.100.110')
        }
      }
    }
  })

  it('that does not is refused by name, like any that is unknown', () => {
    for (const code of [...others, '999.000.000']) {
      expect(answerTo(force('forceResultCode', code))).toMatchObject({
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
  ])('%s comes with response %s', (code, response) => {
    expect(answerTo(force('forceResultCode', code)).details.AcquirerResponse).toBe(response)
  })

  it.each(['000.400.000', '000.400.010', '000.400.020', '000.400.040', '000.400.060', '000.400.090', '000.400.100'])(
    '%s approves, to be reviewed',
    (code) => {
      expect(answerTo(force('forceResultCode', code))).toMatchObject({ status: 'approved', code, amountMinor: 9200 })
    },
  )

  it.each(['Jane 800.100.152', '800.100.152 Jane', '{Jane}', '8001.100.152', '800.100.15'])(
    'is not read into the holder %j',
    (holder) => expect(answerTo(request({ account: card('4111111111111111', { holder }) })).status).toBe('approved'),
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
    expect(answerTo(force(name, value))).toMatchObject({
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
      answerTo(force('forceAcquirerResponse', response, {}, { 'customParameters[forceMerchantAdviceCode]': '25' })),
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
      answerTo(request({ ...all, ...more }, parameters)).code
    const byResponse = { 'customParameters[forceAcquirerResponse]': '43' }
    expect(code({}, { ...byResponse, 'customParameters[forceResultCode]': '800.100.166' })).toBe('800.100.166')
    expect(code({}, byResponse)).toBe('800.100.159')
    expect(code({})).toBe('800.100.157')
    expect(code({ account: card('4000000000009987') })).toBe('800.100.165')
    expect(code({ account: card('4111111111111111') })).toBe('800.100.168')
  })

  it('of other names are not the simulator’s', () => {
    expect(answerTo(force('forceWeather', 'rain')).status).toBe('approved')
  })
})
