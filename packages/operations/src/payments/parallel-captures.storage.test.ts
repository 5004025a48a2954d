import { afterAll, expect, test } from 'vitest'
import { cardPayment, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())

test('concurrent captures of one payment are approved up to its authorised amount', async () => {
  const { body } = await tollgate.send('POST', '/v1/payments', cardPayment({ paymentType: 'PA', amount: '40.00' }))
  const capture = { paymentType: 'CP', amount: '1.00', currency: 'EUR' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => tollgate.send('POST', `/v1/payments/${body.id}`, capture)),
  )
  const codes = answers.map((answer): string => answer.body.result.code)
  expect(codes.filter((code) => code === '000.100.110')).toHaveLength(40)
  expect(codes.filter((code) => code === '700.400.100')).toHaveLength(10)
})
