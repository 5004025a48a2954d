import { sandboxIds } from '@tollgate/gateway'
import { type Parameters, testGateway } from '@tollgate/gateway/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { money, registrationRequests } from '../testing/registration-requests.ts'
import { accountRequests, APPROVED, card, encryptedCard, terminalParameters } from '../testing/sample-accounts.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { pay, followUp } = accountRequests(tollgate)
const { payWith } = registrationRequests(tollgate)

/** A chip's approval on 4 May 2026 (9A) without the issuer: a certificate (9F27) and the response Y3 (8A). */
const certificate = '9F2701409F2608C0FFEE00C0FFEE008A0259339A03260504'
const cardAtTerminal = { ...card, 'card.cvv': undefined, ...terminalParameters }
let sales = 0

/** A sale that card and terminal have approved, with a number of its own. */
const offlineSale = (changes: Parameters = {}) => {
  sales += 1
  const number = { 'pos.transactionSequenceNumber': String(sales) }
  return pay({ ...cardAtTerminal, 'pos.iccDataRequest': certificate, ...number, ...changes })
}

const resultOf = ({ status, body }: Awaited<ReturnType<typeof offlineSale>>) => [status, body.result.code]

test('a sale that the card has approved offline is approved, with the approval code of the terminal', async () => {
  const sale = await offlineSale()
  expect(resultOf(sale)).toEqual(APPROVED)
  expect(sale.body.resultDetails).toMatchObject({ AuthCode: 'Y3', AcquirerResponse: '00' })
  expect(sale.body.pos).toMatchObject({ clearing: { authorizationIssuerCode: 'Y3' }, statusText: 'AUTHCODEY3' })
  // The issuer is not asked, so it has no data for the chip.
  expect(sale.body.pos).not.toHaveProperty('iccDataResponse')
})

test.each([
  ['an amount that selects a decline', { amount: '88851.00' }],
  ['a card that the issuer declines', { 'card.number': '4999990000000056' }],
  [
    'a card that the terminal encrypted',
    { ...encryptedCard, 'pos.iccDataRequest': certificate, 'card.number': undefined },
  ],
])('it cannot be declined: %s', async (_, changes) => {
  expect(resultOf(await offlineSale(changes))).toEqual(APPROVED)
})

test('it is refunded, reversed and charged back like every debit', async () => {
  const [refunded, reversed] = [await offlineSale(), await offlineSale()]
  expect(resultOf(await followUp(refunded.body.id, 'RF'))).toEqual(APPROVED)
  expect(resultOf(await followUp(reversed.body.id, 'RV'))).toEqual(APPROVED)
})

describe('a sale is refused', () => {
  test.each([
    ['as a preauthorisation', { paymentType: 'PA' }, '600.200.310', 'paymentType DB'],
    ['without the number of the terminal', { 'pos.transactionSequenceNumber': undefined }, '200.300.404', 'pos.tr'],
  ])('%s', async (_, changes, code, reason) => {
    const sale = await offlineSale(changes)
    expect(resultOf(sale)).toEqual([400, code])
    expect(sale.body.resultDetails.ExtendedDescription).toContain(reason)
  })

  test('on a channel without the setting', async () => {
    const set = (offlineSales: boolean | null) =>
      tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { offlineSales } })
    await set(false)
    const sale = await offlineSale()
    await set(true)
    expect(resultOf(sale)).toEqual([400, '600.200.201'])
    expect(sale.body.resultDetails.ExtendedDescription).toContain('offlineSales')
  })
})

describe('a second upload', () => {
  test('of the same sale is refused with the id of the first, also at the same moment', async () => {
    const number = { 'pos.transactionSequenceNumber': '4000' }
    const answers = await Promise.all([1, 2, 3].map(() => offlineSale(number)))
    const first = answers.find(({ status }) => status === 200)
    const others = answers.filter((answer) => answer !== first)
    expect(others.map(resultOf)).toEqual([
      [400, '800.110.100'],
      [400, '800.110.100'],
    ])
    for (const { body } of others) expect(body.resultDetails.DuplicateOf).toBe(first?.body.id)
  })

  test.each([
    ['another number', {}],
    ['another terminal', { 'pos.terminalId': '43' }],
    ['another day', { 'pos.iccDataRequest': certificate.replace('260504', '260503') }],
  ])('is another sale with %s', async (_, changes) => {
    const number = { 'pos.transactionSequenceNumber': String(5_000 + sales) }
    await offlineSale(number)
    const again = Object.keys(changes).length === 0 ? changes : { ...number, ...changes }
    expect(resultOf(await offlineSale(again))).toEqual(APPROVED)
  })

  test('is accepted after a refused one', async () => {
    const number = { 'pos.transactionSequenceNumber': '9000' }
    const force = { 'customParameters[forceResultCode]': '900.100.600' }
    expect(resultOf(await offlineSale({ ...number, ...force }))).toEqual([400, '900.100.600'])
    expect(resultOf(await offlineSale(number))).toEqual(APPROVED)
    expect(resultOf(await offlineSale(number))).toEqual([400, '800.110.100'])
  })
})

test.each([
  ['a request for the answer of the issuer', '9F270180'],
  ['data that cannot be decoded', '9F2701'],
])('%s is an ordinary payment, which the issuer may decline', async (_, data) => {
  const declined = await offlineSale({ 'pos.iccDataRequest': data, amount: '88851.00' })
  expect(resultOf(declined)).toEqual([400, '800.100.155'])
})

test('the approval of a card does not approve a charge of a registration', async () => {
  const { body } = await tollgate.send('POST', '/v1/registrations', card)
  const charge = { 'pos.iccDataRequest': certificate, ...terminalParameters, amount: '88851.00' }
  expect(resultOf(await payWith(body.id, { ...money, ...charge }))).toEqual([400, '800.100.155'])
})
