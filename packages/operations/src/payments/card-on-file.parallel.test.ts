import { afterAll, expect, test } from 'vitest'
import { cardPayment, slowStorage, summary, testGateway } from '@tollgate/gateway/testing'
import { agreementRequests, APPROVED, instruction, networkIdOf } from '../testing/agreement-requests.ts'

// Slow commits, so that concurrent requests interleave.
const tollgate = await testGateway({ storage: slowStorage() })
afterAll(() => tollgate.close())
const { send } = tollgate
const { later, pay, charge, payWith, register } = agreementRequests(tollgate)

test('concurrent instalments do not exceed the agreed number', async () => {
  for (const registration of [undefined, await register()]) {
    const terms = instruction('INSTALLMENT INITIAL CIT', { numberOfInstallments: '4' })
    const first = cardPayment({ amount: '30.00', ...terms })
    const begun = registration
      ? await payWith(registration, { amount: '30.00', ...terms })
      : await send('POST', '/v1/payments', first)
    later(1)
    const more = instruction('INSTALLMENT REPEATED MIT')
    const parts = await Promise.all(
      Array.from({ length: 20 }, () =>
        registration
          ? payWith(registration, { amount: '30.00', ...more })
          : charge('INSTALLMENT', networkIdOf(begun), {}, { amount: '30.00' }),
      ),
    )
    const codes = parts.map(({ body }) => body.result.code)
    expect(codes.filter((code) => code === '000.100.110')).toHaveLength(3)
    expect(codes.filter((code) => code === '600.200.501')).toHaveLength(17)
  }
})

test('a registration stores the network id of one of its concurrent first payments', async () => {
  const id = await register()
  const answers = await Promise.all(Array.from({ length: 20 }, () => payWith(id)))
  expect(answers.map(summary)).toEqual(answers.map(() => APPROVED))
  const row = await tollgate.gateway.storage.registration(id)
  expect(answers.map(networkIdOf)).toContain(row?.initial_transaction_id)
  const begun = await Promise.all(Array.from({ length: 20 }, () => payWith(id, instruction('UNSCHEDULED INITIAL CIT'))))
  expect(begun.map(summary)).toEqual(begun.map(() => APPROVED))
  expect((await tollgate.gateway.storage.registration(id))?.initial_transaction_id).toBe(row?.initial_transaction_id)
})

test('concurrent charges do not undercut the agreed days between charges', async () => {
  const begun = networkIdOf(await pay('RECURRING INITIAL CIT', { frequency: '7' }))
  later(7)
  const charges = await Promise.all(Array.from({ length: 10 }, () => charge('RECURRING', begun)))
  const codes = charges
    .map(({ body }) => body.result.code)
    .toSorted((one: string, other: string) => one.localeCompare(other))
  expect(codes).toEqual(['000.100.110', ...Array.from({ length: 9 }, () => '600.200.501')])
})
