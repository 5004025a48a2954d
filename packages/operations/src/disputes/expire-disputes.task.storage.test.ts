import { cardPayment, type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { expireDisputes } from './expire-disputes.task.ts'

let tollgate: TestGateway
let authorization: string
beforeEach(async () => {
  tollgate = await testGateway()
  const { body } = await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: ['chargeback'] })
  authorization = `Bearer ${body.token}`
})
afterEach(() => tollgate.close())

const record = async (path: string, form: Parameters): Promise<string> =>
  (await tollgate.send('POST', path, { amount: '92.00', currency: 'EUR', ...form }, { authorization })).body.id
/** A charged back payment, whose answer is due on 2026-06-03. @returns the ids of the payment and the chargeback */
async function chargedBack() {
  const id = await record('/v1/payments', cardPayment())
  return { id, chargeback: await record(`/v1/payments/${id}`, { paymentType: 'CB' }) }
}
const stageOf = async (id: string) => (await tollgate.gateway.storage.dispute(id))?.stage
const lines = () =>
  tollgate.logged.filter(({ worker }) => worker === 'disputes').map(({ stage, dueInDays }) => [stage, dueInDays])

async function runAt(atMs: number): Promise<void> {
  tollgate.clock.nowMs = atMs
  const task = expireDisputes(tollgate.gateway)
  while ((await task.step()) === 'more');
}

test('a dispute is reported once, a week before its last day', async () => {
  await chargedBack()
  await runAt(Date.UTC(2026, 4, 26, 23))
  expect(lines()).toEqual([])
  await runAt(Date.UTC(2026, 4, 27))
  await runAt(Date.UTC(2026, 4, 28))
  expect(lines()).toEqual([['chargeback', 7]])
})

test('it expires when its last day has ended everywhere on Earth, and no money moves', async () => {
  const { id } = await chargedBack()
  await runAt(Date.UTC(2026, 5, 4, 12) - 1)
  expect(await stageOf(id)).toBe('chargeback')
  await runAt(Date.UTC(2026, 5, 4, 12))
  expect(await stageOf(id)).toBe('expired')
  expect((await tollgate.gateway.storage.treeOf(id))?.transactions).toHaveLength(2)
  const { body } = await tollgate.manage('GET', `/disputes/${id}`)
  expect(body).toMatchObject({ state: 'closed', dueOn: null, history: [{}, { event: 'expire', by: 'deadline' }] })
})

test('a reversal after the end of the period wins the dispute', async () => {
  const { id, chargeback } = await chargedBack()
  await runAt(Date.UTC(2026, 6, 1))
  await record(`/v1/payments/${chargeback}`, { paymentType: 'CR' })
  expect(await stageOf(id)).toBe('won')
})

test('a dispute that was answered does not expire', async () => {
  const { id } = await chargedBack()
  await tollgate.manage('POST', `/disputes/${id}/evidence?kind=receipt&name=receipt.txt`, Buffer.from('paid'))
  await tollgate.manage('POST', `/disputes/${id}/submit`)
  await runAt(Date.UTC(2027, 0, 1))
  expect([await stageOf(id), lines()]).toEqual(['representment', []])
})

test('two processes expire a dispute once', async () => {
  const { id } = await chargedBack()
  await Promise.all([runAt(Date.UTC(2026, 6, 1)), runAt(Date.UTC(2026, 6, 1))])
  const { body } = await tollgate.manage('GET', `/disputes/${id}`)
  expect(body.history).toHaveLength(2)
})

test('more disputes than one step examines expire in one sweep', async () => {
  const { id } = await chargedBack()
  const payments: string[] = []
  for (let count = 0; count < 45; count += 1) payments.push((await chargedBack()).id)
  await runAt(Date.UTC(2026, 6, 1))
  expect(new Set(await Promise.all([id, ...payments].map(stageOf)))).toEqual(new Set(['expired']))
})
