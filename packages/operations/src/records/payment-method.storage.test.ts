import { paymentMethods } from '@tollgate/contract'
import { afterAll, expect, test } from 'vitest'
import { cardPayment, type Parameters, summary, testBank, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway({ redirects: testBank().connector })
afterAll(() => tollgate.close())
const { send } = tollgate

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }
const bank = {
  ...money,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE89370400440532013000',
  'bankAccount.mandate.id': 'MANDATE-A',
  'bankAccount.mandate.dateOfSignature': '2026-05-04',
}
const redirected = (paymentBrand: string) => ({ ...money, paymentBrand, shopperResultUrl: 'https://shop.example/done' })

const payments: readonly (readonly [method: string, form: Parameters])[] = [
  ['CC', cardPayment()],
  ['DC', cardPayment({ paymentBrand: 'VISADEBIT' })],
  ['DD', bank],
  ['CT', { ...bank, paymentType: 'CD' }],
  ['VA', redirected('PAYPAL')],
  ['OT', redirected('IDEAL')],
  ['WA', redirected('ALIPAY')],
  ['IV', redirected('KLARNA_PAYMENTS_PAYLATER')],
  ['PP', redirected('PREPAYMENT')],
]

test('a query by payment method finds the transactions of that method only', async () => {
  const expected: Record<string, string[]> = {}
  for (const method of Object.keys(paymentMethods)) expected[method] = []
  for (const [method, form] of payments) {
    const { status, body } = await send('POST', '/v1/payments', form)
    expect([method, status]).toEqual([method, 200])
    expected[method]?.push(body.id)
  }
  const check = await send('POST', '/v1/risk', cardPayment({ paymentType: undefined }))
  expected['RM']?.push(check.body.id)
  const foundIds: Record<string, string[]> = {}
  for (const method of Object.keys(paymentMethods)) {
    const { body } = await send('GET', '/v1/query', { paymentMethods: method })
    foundIds[method] = (body.payments ?? []).map(({ id }: { id: string }) => id)
  }
  expect(foundIds).toEqual(expected)
})

test.each([
  { form: cardPayment({ paymentBrand: 'VISADEBIT' }), paymentBrand: 'VISA' },
  { form: cardPayment(), paymentBrand: 'VISADEBIT' },
  { form: { ...bank, paymentType: 'CD' }, paymentBrand: 'DIRECTDEBIT_SEPA' },
])(
  'a refund with the brand $paymentBrand, of the same kind of account as the payment, is not refused with 700.100.400',
  async ({ form, paymentBrand }) => {
    const { body } = await send('POST', '/v1/payments', form)
    const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', paymentBrand }
    expect(summary(await send('POST', `/v1/payments/${body.id}`, refund))).not.toEqual([400, '700.100.400'])
  },
)
