import { DAY_MS } from '@tollgate/contract'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { cardPayment, type Parameters, remoteAcquirer, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway } = tollgate
const { storage, jobs, clock } = gateway
let startMs = 0
beforeEach(() => void (startMs = clock.now()))

const authorise = async (changes: Parameters = {}): Promise<string> =>
  (await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA', amount: '92.00', ...changes }))).body.id
const followUp = async (id: string, paymentType: string, changes: Parameters = {}) =>
  (await send('POST', `/v1/payments/${id}`, { paymentType, currency: 'EUR', ...changes })).body.result.code
/** Advances the clock to a number of days after the start of the test. @returns the job outcomes of a payment */
async function outcomesUntil(days: number, id: string): Promise<string[]> {
  const { entries } = await jobs.fastForward(startMs + days * DAY_MS)
  return entries.filter(({ subjectId }) => subjectId === id).map(({ outcome }) => outcome)
}
const transactions = async (id: string) =>
  (await storage.treeOf(id))?.transactions.map(({ type, status, amount_minor }) => [type, status, amount_minor])

test('an uncaptured authorisation is released at its expiry, after a warning a day before', async () => {
  const id = await authorise()
  expect(await outcomesUntil(5.9, id)).toEqual([])
  expect(await outcomesUntil(6, id)).toEqual(['the authorisation expires soon'])
  expect(tollgate.logged).toContainEqual({
    level: 'info',
    job: 'end-authorisation',
    subject: id,
    endsAt: new Date(startMs + 7 * DAY_MS).toISOString(),
  })
  expect(await outcomesUntil(6.9, id)).toEqual([])
  expect(await outcomesUntil(7, id)).toEqual(['reversal of 9200 minor units: 000.100.110'])
  expect(await transactions(id)).toEqual([
    ['PA', 'ACK', 9200],
    ['RV', 'ACK', 9200],
  ])
  expect(await storage.job(id)).toBeUndefined()
  expect(await followUp(id, 'CP', { amount: '92.00' })).toBe('700.300.400')
  expect(await followUp(id, 'RV')).toBe('700.400.300')
})

test('only the remaining held amount is released', async () => {
  const id = await authorise({ numberOfCaptures: '3' })
  await followUp(id, 'CP', { amount: '42.00' })
  await followUp(id, 'RV', { amount: '10.00' })
  expect(await outcomesUntil(8, id)).toEqual([
    'the authorisation expires soon',
    'reversal of 4000 minor units: 000.100.110',
  ])
})

test.each([
  ['captured in full', async (id: string) => followUp(id, 'CP', { amount: '92.00' })],
  ['reversed', async (id: string) => followUp(id, 'RV')],
  ['closed by its last capture', async (id: string) => followUp(id, 'CP', { amount: '1.00', sequence: 'FINAL' })],
] as const)('an authorisation that was %s is not released', async (_, close) => {
  const id = await authorise({ numberOfCaptures: '2' })
  expect(await close(id)).toBe('000.100.110')
  const before = await transactions(id)
  expect(await outcomesUntil(8, id)).toEqual(['no amount is held'])
  expect([await transactions(id), await storage.job(id)]).toEqual([before, undefined])
})

test('an increment that extends an authorisation postpones its timer', async () => {
  const id = await authorise({ paymentBrand: 'MASTER', 'card.number': '5454545454545454' })
  expect(await outcomesUntil(20, id)).toEqual([])
  const increment = { amount: '8.00', 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }
  expect(await followUp(id, 'PA', increment)).toBe('000.100.110')
  expect(await outcomesUntil(48, id)).toEqual([])
  expect(await outcomesUntil(51, id)).toEqual([
    'the authorisation expires soon',
    'reversal of 10000 minor units: 000.100.110',
  ])
})

test('a declined authorisation has no timer', async () => {
  const declined = await authorise({ 'customParameters[forceResultCode]': '800.100.152' })
  expect(await storage.job(declined)).toBeUndefined()
})

test('a release that the acquirer declines is not retried', async () => {
  const id = await authorise()
  const { acquirers } = gateway
  const { simulator } = acquirers
  Object.assign(acquirers, {
    simulator: { send: () => ({ status: 'declined', code: '800.100.152', amountMinor: 0, details: {} }) },
  })
  expect(await outcomesUntil(8, id)).toEqual([
    'the authorisation expires soon',
    'reversal of 9200 minor units: 800.100.152',
  ])
  Object.assign(acquirers, { simulator })
  expect(await followUp(id, 'CP', { amount: '1.00' })).toBe('700.300.400')
})

test('a release is tried again if another process has begun a reversal, which has no result yet', async () => {
  const acquirer = remoteAcquirer()
  const { acquirers } = gateway
  const { simulator } = acquirers
  Object.assign(acquirers, { simulator: acquirer.connector })
  acquirer.reply = 'answer'
  const id = await authorise()
  expect(await outcomesUntil(6.9, id)).toEqual(['the authorisation expires soon'])
  const treeOf = storage.treeOf.bind(storage)
  const before = await treeOf(id)
  Object.assign(acquirer, { reply: 'unknown', answersReversals: false })
  expect(await followUp(id, 'RV', { amount: '10.00' })).toBe('900.100.300')
  const reads = [before]
  Object.assign(storage, { treeOf: async (of: string) => (of === id ? reads.pop() : undefined) ?? treeOf(of) })
  const [first, ...later] = (await outcomesUntil(7.01, id)).filter((outcome) => outcome !== '900.100.300')
  Object.assign(storage, { treeOf })
  expect(first).toBe('reversal of 9200 minor units: 800.700.100')
  expect(new Set(later)).toEqual(new Set(['a transaction has no outcome yet']))
  Object.assign(acquirer, { reply: 'answer', answersReversals: true })
  expect((await outcomesUntil(7.1, id)).at(-1)).toBe('reversal of 8200 minor units: 000.100.110')
  expect(await storage.job(id)).toBeUndefined()
  Object.assign(acquirers, { simulator })
})
