import { afterAll, expect, test } from 'vitest'
import { chargesOf, monthlyPlan, type Parameters, createSubscriber, testGateway } from '@tollgate/gateway/testing'

// Two months of a shop that sells subscriptions, in chronological order.

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage } = tollgate

const PLANS = '/scheduling/v1/schedules'
/** Advances the clock and returns the report of the fast-forward. */
async function advanceTo(to: string): Promise<readonly string[]> {
  const { body } = await manage('POST', '/clock', { to })
  expect(body.isThere).toBe(true)
  return body.happened.map(({ at, subjectId, outcome }: Record<string, string>) => {
    return `${at?.slice(0, 10)} ${nameOf(subjectId)}: ${outcome?.replace(/T.*$/, '')}`
  })
}
const names = new Map<string, string>()
const nameOf = (id = '') => names.get(id) ?? 'another'

async function signUp(name: string, card: Parameters = {}): Promise<string> {
  const id = await createSubscriber(tollgate, card)
  names.set(id, name)
  return id
}
async function subscribe(name: string, registration: string, changes: Parameters = {}): Promise<string> {
  const { body } = await send(
    'POST',
    PLANS,
    monthlyPlan(registration, { 'job.name': name, 'job.hour': '18', ...changes }),
  )
  expect(body.result.code).toBe('000.100.110')
  names.set(body.id, name)
  return body.id
}
const planOf = async (id: string) => (await send('GET', `${PLANS}/${id}`)).body.plan
const update = (registration: string, changes: Parameters) => send('POST', `/v1/registrations/${registration}`, changes)
const chargesOfCustomer = async (registration: string) =>
  (await chargesOf(tollgate, registration)).map(({ at, code }) => `${at.slice(0, 10)} ${code}`)

test('a subscription shop charges each customer at most once for each month that is due', async () => {
  // On 4 May four customers subscribe: 9.20 on the first of the month, with two weeks' notice.
  const notice = { 'job.noticeUnit': 'WEEK', 'job.noticeNumber': '2' }
  const [ann, bob, cleo, dan] = [
    await signUp('Ann'),
    await signUp('Bob'),
    await signUp('Cleo', { 'card.expiryMonth': '05', 'card.expiryYear': '2026' }),
    await signUp('Dan'),
  ]
  const annPlan = await subscribe('Ann', ann, notice)
  // With a decline, the issuer advises a retry after a day.
  await subscribe('Bob', bob, { ...notice, 'customParameters[forceMerchantAdviceCode]': '25' })
  await subscribe('Cleo', cleo, notice)
  const danPlan = await subscribe('Dan', dan, { ...notice, 'customParameters[forceMerchantAdviceCode]': '21' })

  // Bob has insufficient funds, and Dan cancels at the bank: the simulator decides by the holder.
  await update(bob, { 'card.holder': '{800.100.155}' })
  await update(dan, { 'card.holder': '{800.100.152}' })

  // On 1 June Ann is charged. Bob is declined, Cleo's card has expired (both are retried), and Dan's plan ends.
  expect(await advanceTo('2026-06-01T20:00:00Z')).toEqual([
    '2026-06-01 Ann: 000.100.110; next at 2026-07-01',
    '2026-06-01 Bob: 800.100.155; again at 2026-06-02',
    '2026-06-01 Cleo: 100.100.303; again at 2026-06-02',
    '2026-06-01 Dan: 800.100.152; ended: the issuer forbids further attempts (merchant advice 21)',
  ])
  expect(await planOf(danPlan)).toMatchObject({ active: 'false' })

  // On 2 June both are declined again. Before their next retries, Cleo's new expiry date is stored.
  expect(await advanceTo('2026-06-02T20:00:00Z')).toEqual([
    '2026-06-02 Bob: 800.100.155; again at 2026-06-03',
    '2026-06-02 Cleo: 100.100.303; again at 2026-06-04',
  ])
  await update(cleo, { 'card.expiryMonth': '05', 'card.expiryYear': '2031' })
  // Bob has sufficient funds again: both retries are approved.
  await update(bob, { 'card.holder': 'Bob Jones' })
  expect(await advanceTo('2026-06-05T20:00:00Z')).toEqual([
    '2026-06-03 Bob: 000.100.110; next at 2026-07-01',
    '2026-06-04 Cleo: 000.100.110; next at 2026-07-01',
  ])

  // On 5 June Ann's plan is descheduled: it ends two weeks later, and no charge is due until then.
  const { body: descheduled } = await send('POST', `${PLANS}/${annPlan}/deschedule`)
  expect(descheduled.plan).toMatchObject({ active: 'true', effectiveEnd: '2026-06-19 20:00:00.000+0000' })

  // Bob's plan is replaced by a larger one from the next charge on.
  const bobPlans = (await send('GET', `${PLANS}/${bob}`)).body.schedules
  const { body: rescheduled } = await send('POST', `${PLANS}/${bobPlans[0].id}/reschedule`, { amount: '19.20' })
  names.set(rescheduled.id, 'Bob')

  expect(await advanceTo('2026-07-01T20:00:00Z')).toEqual([
    '2026-06-19 Ann: nothing due; ended: it was descheduled',
    '2026-07-01 Cleo: 000.100.110; next at 2026-08-01',
    '2026-07-01 Bob: 000.100.110; next at 2026-08-01',
  ])
  expect(await planOf(annPlan)).toMatchObject({ active: 'false', ended: 'it was descheduled' })

  // Each customer was charged at most once for each month that was due. Dan's declined charge was not retried.
  expect(await chargesOfCustomer(ann)).toEqual(['2026-06-01 000.100.110'])
  expect(await chargesOfCustomer(bob)).toEqual([
    '2026-06-01 800.100.155',
    '2026-06-02 800.100.155',
    '2026-06-03 000.100.110',
    '2026-07-01 000.100.110',
  ])
  expect((await chargesOfCustomer(cleo)).filter((charge) => charge.endsWith('000.100.110'))).toEqual([
    '2026-06-04 000.100.110',
    '2026-07-01 000.100.110',
  ])
  expect(await chargesOfCustomer(dan)).toEqual(['2026-06-01 800.100.152'])
})
