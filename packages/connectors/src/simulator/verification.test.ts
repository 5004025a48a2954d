import { describe, expect, it } from 'vitest'
import { answerTo, billingAddress, card, forcedRequest, request, secret } from './testing/requests.ts'

describe('address verification', () => {
  it.each(['A', 'Z', 'N', 'U', 'F'])(
    'returns %s for the postcode and for the parameter that force it, and the payment is approved',
    (avs) => {
      const byPostcode = request({}, { 'billing.street1': 'Main Street 1', 'billing.postcode': `AVS${avs}` })
      expect(answerTo(byPostcode)).toMatchObject({ status: 'approved', avs })
      expect(answerTo(forcedRequest('forceAvsResponse', avs))).toMatchObject({ status: 'approved', avs })
    },
  )

  it('is absent without a billing address or if the issuer was not reached; a street alone is an address', () => {
    expect(answerTo(request()).avs).toBeUndefined()
    expect(answerTo(request({ amountMinor: 8_889_100 }, billingAddress)).avs).toBeUndefined()
    expect(answerTo(request({}, { 'billing.street1': 'Main Street 1' })).avs).toBe('F')
  })

  it.each([
    ['000.400.010', 'N'],
    ['800.400.101', 'Z'],
    ['800.400.104', 'A'],
    ['800.400.110', 'N'],
    ['800.100.152', 'F'],
  ])('is determined by a forced result code: %s gives %s', (code, avs) => {
    expect(answerTo(request({}, { ...billingAddress, 'customParameters[forceResultCode]': code })).avs).toBe(avs)
  })
})

describe('verification of the cvv', () => {
  const withCvv = card('4111111111111111', { cvv: secret('123') })

  it.each(['M', 'N', 'P', 'S', 'U'])('returns %s for its parameter, and the payment is approved', (cvv) => {
    expect(answerTo(forcedRequest('forceCvvResponse', cvv, { account: withCvv }))).toMatchObject({
      status: 'approved',
      cvv,
    })
  })

  it('is absent without a cvv or if the issuer was not reached', () => {
    expect(answerTo(request()).cvv).toBeUndefined()
    expect(answerTo(request({ account: withCvv, amountMinor: 8_889_100 })).cvv).toBeUndefined()
  })

  it.each([
    ['000.400.020', 'N'],
    ['800.100.153', 'N'],
    ['800.100.192', 'N'],
    ['800.100.155', 'M'],
  ])('is determined by a forced result code: %s gives %s', (code, cvv) => {
    expect(answerTo(forcedRequest('forceResultCode', code, { account: withCvv })).cvv).toBe(cvv)
  })
})
