import { outcomeOf, responseCodes, type ResultCode } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { responseCards } from './test-cards.ts'
import { answerTo, card, followUpOperations, forcedRequest, initialOperations, request } from './testing/requests.ts'

describe('a response of the acquirer', () => {
  /** One row or more for each class of responses: response, brand, result code, advice. */
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
    const answer = answerTo(forcedRequest('forceAcquirerResponse', response, { brand }))
    expect(answer.code).toBe(code)
    expect(answer.status).toBe(code === '000.100.110' ? 'approved' : 'declined')
    expect(answer.amountMinor).toBe(code === '000.100.110' ? 9200 : 0)
    expect(answer.details.AcquirerResponse).toBe(response)
    expect(answer.details.MerchantAdviceCode).toBe(advice)
  })

  it.each(expected.filter(([response]) => /^\d\d$/.test(response)))(
    '%s of %s is triggered by its amount: %s, advice %s',
    (response, brand, code, advice) => {
      const answer = answerTo(request({ brand, amountMinor: 8_880_000 + Number(response) * 100 }))
      expect(answer).toMatchObject({ code, details: { AcquirerResponse: response } })
      expect(answer.details.MerchantAdviceCode).toBe(advice)
    },
  )

  it.each(Object.keys(responseCodes))('%s has an outcome for every operation', (response) => {
    for (const operation of [...initialOperations, ...followUpOperations]) {
      const answer = answerTo(forcedRequest('forceAcquirerResponse', response, { operation }))
      expect(answer.details.AcquirerResponse).toBe(response)
      expect(answer.details.ExtendedDescription).not.toBe('')
      expect(answer.status === 'approved').toBe(outcomeOf(answer.code) === 'success')
    }
  })

  it.each(responseCards)('$response is triggered by the $brand card $number', ({ brand, number, response }) => {
    const answer = answerTo(request({ brand, account: card(number) }))
    expect(answer).toMatchObject({ status: 'declined', details: { AcquirerResponse: response } })
    // A capture refers to a payment, so that its card is no trigger.
    expect(answerTo(request({ brand, account: card(number), operation: 'CP' })).status).toBe('approved')
  })
})

describe('a partial approval', () => {
  const accepted = { partialApproval: true }
  const half = { status: 'approved', code: '000.000.001', amountMinor: 4600, details: { AcquirerResponse: '10' } }

  it.each([
    ['a response', forcedRequest('forceAcquirerResponse', '10', accepted), half],
    ['a result code', forcedRequest('forceResultCode', '000.000.001', accepted), half],
    ['a holder', request({ ...accepted, account: card('4111111111111111', { holder: '{000.000.001}' }) }), half],
    ['a card', request({ ...accepted, account: card('4000008880000109') }), half],
    ['an amount', request({ ...accepted, amountMinor: 8_881_000 }), { ...half, amountMinor: 4_440_500 }],
    [
      'a response, with half of an odd amount rounded up',
      forcedRequest('forceAcquirerResponse', '10', { ...accepted, amountMinor: 9 }),
      { ...half, amountMinor: 5 },
    ],
    [
      'a response, with the whole of the smallest amount',
      forcedRequest('forceAcquirerResponse', '10', { ...accepted, amountMinor: 1 }),
      { ...half, amountMinor: 1 },
    ],
  ])('is triggered by %s, and is a decline if the channel does not accept it', (_trigger, partialRequest, answer) => {
    expect(answerTo(partialRequest)).toMatchObject(answer)
    expect(answerTo({ ...partialRequest, partialApproval: false })).toMatchObject({
      status: 'declined',
      code: '800.100.155',
      amountMinor: 0,
      details: { AcquirerResponse: '10' },
    })
  })

  it('is not given without a trigger', () => {
    expect(answerTo(request(accepted))).toMatchObject({ code: '000.100.110', amountMinor: 9200 })
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
  it.each(amounts)('of %i minor units has response %s, advice %s', (amountMinor, response, advice) => {
    for (const operation of [...initialOperations, ...followUpOperations]) {
      const { details } = answerTo(request({ amountMinor, operation }))
      expect(details.AcquirerResponse).toBe(response)
      expect(details.MerchantAdviceCode).toBe(advice)
    }
  })
})
