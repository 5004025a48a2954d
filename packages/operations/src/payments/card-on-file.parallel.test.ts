import { afterAll, expect, test } from 'vitest'
import { cardPayment, slowStorage, summary, testGateway } from '@tollgate/gateway/testing'
import { agreementRequests, APPROVED, instruction, networkIdOf } from '../testing/agreement-requests.ts'

// Slow commits, so that concurrent requests interleave.
const tollgate = await testGateway({ storage: slowStorage() })
afterAll(() => tollgate.close())
const { send } = tollgate
const { advanceDays, pay, charge, payWith, register } = agreementRequests(tollgate)

test('concurrent instalments do not exceed the agreed number', async () => {
  for (const registration of [undefined, await register()]) {
    const terms = instruction('INSTALLMENT INITIAL CIT', { numberOfInstallments: '4' })
    const initialPayment = registration
      ? await payWith(registration, { amount: '30.00', ...terms })
      : await send('POST', '/v1/payments', cardPayment({ amount: '30.00', ...terms }))
    advanceDays(1)
    const repeated = instruction('INSTALLMENT REPEATED MIT')
    const instalments = await Promise.all(
      Array.from({ length: 20 }, () =>
        registration
          ? payWith(registration, { amount: '30.00', ...repeated })
          : charge('INSTALLMENT', networkIdOf(initialPayment), {}, { amount: '30.00' }),
      ),
    )
    const codes = instalments.map(({ body }) => body.result.code)
    expect(codes.filter((code) => code === '000.100.110')).toHaveLength(3)
    expect(codes.filter((code) => code === '600.200.501')).toHaveLength(17)
  }
})

test('a registration keeps the network id of one of its concurrent first payments', async () => {
  const id = await register()
  const answers = await Promise.all(Array.from({ length: 20 }, () => payWith(id)))
  expect(answers.map(summary)).toEqual(answers.map(() => APPROVED))
  const row = await tollgate.gateway.storage.registration(id)
  expect(answers.map(networkIdOf)).toContain(row?.initial_transaction_id)
  const initialInstruction = instruction('UNSCHEDULED INITIAL CIT')
  const initialPayments = await Promise.all(Array.from({ length: 20 }, () => payWith(id, initialInstruction)))
  expect(initialPayments.map(summary)).toEqual(initialPayments.map(() => APPROVED))
  expect((await tollgate.gateway.storage.registration(id))?.initial_transaction_id).toBe(row?.initial_transaction_id)
})

test('only one of ten concurrent charges is accepted after the agreed days between charges', async () => {
  const agreementId = networkIdOf(await pay('RECURRING INITIAL CIT', { frequency: '7' }))
  advanceDays(7)
  const charges = await Promise.all(Array.from({ length: 10 }, () => charge('RECURRING', agreementId)))
  const codes = charges.map(({ body }) => body.result.code).toSorted((a: string, b: string) => a.localeCompare(b))
  expect(codes).toEqual(['000.100.110', ...Array.from({ length: 9 }, () => '600.200.501')])
})
