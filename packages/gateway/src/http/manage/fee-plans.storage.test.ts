import { postTransactions, sandboxIds, timePartOf } from '@tollgate/operations'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cardPayment, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const path = (id: string, query = '') => `/entities/${id}/fee-plans${query}`
const { merchant, channel } = sandboxIds
const fixed = (amount: string) => ({
  fees: [{ kind: 'capture', currency: 'EUR', prices: [{ fixed: amount, percent: '1.25' }] }],
})
const inFuture = (ms: number) => new Date(tollgate.clock.nowMs + ms).toISOString()
const pay = async (): Promise<string> => (await tollgate.send('POST', '/v1/payments', cardPayment())).body.id

/** Posts everything. @returns the fee of the entry of each payment */
async function feesOf(...ids: readonly string[]): Promise<(number | undefined)[]> {
  tollgate.clock.nowMs += 10_000
  const task = postTransactions(tollgate.gateway)
  while ((await task.step()) === 'more');
  const entries = await tollgate.gateway.storage.postingsFrom('', 'g', 99)
  return ids.map((id) => entries.find((entry) => entry.transaction_id === id)?.fee_minor)
}

test('a payment after the start of a plan pays its fee, and one before pays the previous fee', async () => {
  const { manage, clock } = tollgate
  const free = await pay()
  clock.nowMs += 1
  const startsAt = inFuture(0)
  const set = await manage('POST', path(merchant), fixed('0.10'))
  expect([set.status, set.body]).toEqual([
    201,
    { entityId: merchant, feePlans: [{ startsAt, createdAt: startsAt, feePlan: fixed('0.10') }] },
  ])
  const first = await pay()
  const later = await manage('POST', path(merchant), { ...fixed('0.20'), startsAt: inFuture(2_000) })
  expect(later.body.feePlans.map((plan: { feePlan: unknown }) => plan.feePlan)).toEqual([fixed('0.10'), fixed('0.20')])
  clock.nowMs += 1_999
  const before = await pay()
  clock.nowMs += 1
  const after = await pay()
  expect(await feesOf(free, first, before, after)).toEqual([0, 125, 125, 135])
})

test('after the removal of a plan, that of the entity above applies', async () => {
  const { manage, clock } = tollgate
  const psp = tollgate.gateway.directory.entities().find(({ kind }) => kind === 'psp')?.id ?? ''
  await manage('POST', path(psp), fixed('0.01'))
  await manage('POST', path(merchant), fixed('0.10'))
  const own = await pay()
  const removed = await manage('DELETE', path(merchant, `?startsAt=${inFuture(1_000)}`))
  expect([removed.status, removed.body.feePlans.at(-1)]).toMatchObject([200, { feePlan: null }])
  clock.nowMs += 1_000
  expect(await feesOf(own, await pay())).toEqual([125, 116])
  expect((await manage('GET', path(merchant))).body).toEqual(removed.body)
})

describe('invalid requests', () => {
  const refusal = async (method: 'POST' | 'DELETE', url: string, body?: object) => {
    const answer = await tollgate.manage(method, url, body)
    return [answer.status, answer.body.error.message]
  }

  test.each<[body: object, message: string]>([
    [{}, "body must have required property 'fees'"],
    [{ fees: [{ kind: 'tax', prices: [{}] }] }, 'body/fees/0/kind must be one of'],
    [
      { fees: [{ kind: 'capture', prices: [{ fixed: '0.10' }] }] },
      'body/fees/0/prices/0/fixed is an amount: the fee must',
    ],
    [{ fees: [{ kind: 'capture', prices: [{ from: '1' }], currency: 'EUR' }] }, 'body/fees/0/prices/0/from must be 0'],
    [{ fees: [], startsAt: '2026-05-04' }, 'body/startsAt must be an instant in UTC such as'],
    [{ fees: [], startsAt: '2026-05-04T03:02:00Z' }, 'body/startsAt must not be in the past: entries keep their fees'],
    [{ fees: [], more: 1 }, 'body must NOT have additional properties (more)'],
  ])('%j is refused', async (body, message) => {
    expect(await refusal('POST', path(merchant), body)).toEqual([400, expect.stringContaining(message)])
    expect(await tollgate.gateway.storage.feePlans()).toEqual([])
  })

  test('a second plan from the same time is refused', async () => {
    const startsAt = inFuture(1_000)
    await tollgate.manage('POST', path(merchant), { fees: [], startsAt })
    const message = 'body/startsAt is the beginning of another fee plan of the entity: choose another time'
    expect(await refusal('POST', path(merchant), { fees: [], startsAt })).toEqual([400, message])
    expect(await refusal('DELETE', path(merchant, '?startsAt=yesterday'))).toMatchObject([400, expect.any(String)])
  })

  test('a plan is refused that begins before the position of the ledger', async () => {
    const { gateway, manage, clock } = tollgate
    // The clock of the process that reads the feed is a minute ahead.
    const position = timePartOf(clock.nowMs + 60_000)
    const feed = { id: 'transactions', closed_before: position, read_before: '' }
    await gateway.storage.commit({
      id: gateway.ids.ordered(),
      expectedVersions: [],
      rows: { transaction_feed: [feed] },
    })
    const message = 'body/startsAt must be later than the last transaction in the ledger'
    for (const startsAt of [undefined, inFuture(59_999)])
      expect(await refusal('POST', path(merchant), { fees: [], startsAt })).toEqual([400, message])
    const later = await manage('POST', path(merchant), { fees: [], startsAt: inFuture(60_000) })
    expect([later.status, (await gateway.storage.feePlans()).length]).toEqual([201, 1])
  })

  test('a channel and an unknown entity are refused', async () => {
    expect(await refusal('POST', path(channel), { fees: [] })).toMatchObject([400, expect.stringContaining('channel')])
    expect(await refusal('POST', path('0'.repeat(32)), { fees: [] })).toMatchObject([404, expect.any(String)])
  })
})
