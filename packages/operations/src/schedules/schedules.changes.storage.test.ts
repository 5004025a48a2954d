import { openMemory, type Storage } from '@tollgate/storage'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  monthlyPlan,
  type Parameters,
  createSubscriber,
  summary,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'
import { DONE, PATH, planRequests } from '../testing/plan-requests.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const registration = await createSubscriber(tollgate)
const { plan, read, reschedule, deschedule } = planRequests(tollgate, registration)
const { send } = tollgate

describe('a reschedule', () => {
  test('replaces the active plan, by the id of any plan of the chain', async () => {
    const first = await plan({
      'job.dayOfMonth': '15',
      'job.name': 'Gym',
      'job.noticeUnit': 'DAY',
      'job.noticeNumber': '3',
    })
    const second = await reschedule(first.body.id, { amount: '12.00' })
    expect(summary(second)).toEqual(DONE)
    expect(second.body).toMatchObject({
      paymentType: 'RS',
      referencedId: first.body.id,
      amount: '12.00',
      job: { name: 'Gym', dayOfMonth: '15', noticeUnit: 'DAY' },
      plan: { active: 'true', chain: first.body.id, nextRun: '2026-05-15 00:00:00.000+0000' },
    })
    // The fields of the job are replaced as a whole.
    const third = await reschedule(first.body.id, { 'job.expression': '0 0 12 20 * ?' })
    expect(third.body).toMatchObject({ amount: '12.00', plan: { nextRun: '2026-05-20 12:00:00.000+0000' } })
    expect(third.body.job).toEqual({ expression: '0 0 12 20 * ?' })
    const states = []
    for (const { body } of [first, second, third]) {
      const { body: current } = await read(body.id)
      states.push([current.plan.active, current.plan.ended])
    }
    expect(states).toEqual([
      ['false', 'it was rescheduled'],
      ['false', 'it was rescheduled'],
      ['true', undefined],
    ])
  })

  test.each<{ label: string; changes: Parameters; code: string }>([
    { label: 'a job that never runs', changes: { 'job.year': '2026', 'job.month': '1' }, code: '100.250.100' },
    { label: 'a wrong expression', changes: { 'job.expression': '0 0 25 1 * ?' }, code: '100.250.121' },
    { label: 'a currency without decimals', changes: { currency: 'JPY' }, code: '100.550.303' },
  ])('to $label is refused, and the plan stays active', async ({ changes, code }) => {
    const { body } = await plan()
    expect(summary(await reschedule(body.id, changes))).toEqual([400, code])
    expect((await read(body.id)).body.plan.active).toBe('true')
  })
})

describe('a deschedule', () => {
  test.each<{ label: string; job: Parameters; active: string; effectiveEnd: string; nextRun?: string }>([
    {
      label: 'ends a plan without terms at once',
      job: {},
      active: 'false',
      effectiveEnd: '2026-05-04 03:02:01.000+0000',
    },
    {
      label: 'ends a plan after its notice',
      job: { 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '1' },
      active: 'true',
      effectiveEnd: '2026-06-04 03:02:01.000+0000',
      nextRun: '2026-06-01 00:00:00.000+0000',
    },
    {
      label: 'ends a plan after its notice, without a run before the end',
      job: { 'job.noticeUnit': 'WEEK', 'job.noticeNumber': '2' },
      active: 'true',
      effectiveEnd: '2026-05-18 03:02:01.000+0000',
    },
    {
      label: 'ends a plan with its term',
      job: {
        'job.durationUnit': 'YEAR',
        'job.durationNumber': '1',
        'job.noticeUnit': 'MONTH',
        'job.noticeNumber': '3',
        'job.noticeCallable': 'DURATION_END',
      },
      active: 'true',
      effectiveEnd: '2027-05-04 03:02:01.000+0000',
      nextRun: '2026-06-01 00:00:00.000+0000',
    },
  ])('$label', async ({ job, active, effectiveEnd, nextRun }) => {
    const { body } = await plan(job)
    const answer = await deschedule(body.id)
    expect(summary(answer)).toEqual(DONE)
    expect(answer.body).toMatchObject({ paymentType: 'DS', referencedId: body.id, plan: { active, effectiveEnd } })
    expect(answer.body.plan.nextRun).toBe(nextRun)
    expect((await read(body.id)).body.plan).toMatchObject({ active, effectiveEnd })
  })

  test('accepts the id of any plan of the chain, and is executed once', async () => {
    const first = await plan({ 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '1' })
    const second = await reschedule(first.body.id)
    const answer = await send('DELETE', `${PATH}/${first.body.id}`)
    expect(answer.body).toMatchObject({ paymentType: 'DS', referencedId: second.body.id })
    for (const id of [first.body.id, second.body.id]) {
      const repeated = await deschedule(id)
      expect(summary(repeated)).toEqual([400, '100.360.303'])
      expect(repeated.body.resultDetails.ExtendedDescription).toContain('ends at 2026-06-04 03:02:01')
      expect(summary(await reschedule(id))).toEqual([400, '100.360.300'])
    }
  })

  test('of an ended plan is refused, like its reschedule', async () => {
    const { body } = await plan()
    await deschedule(body.id)
    expect(summary(await deschedule(body.id))).toEqual([400, '100.360.303'])
    expect(summary(await reschedule(body.id))).toEqual([400, '100.360.300'])
  })
})

describe('a reschedule between two reads of another request', () => {
  let betweenReads = async () => {}
  let interruptedGateway: TestGateway
  let id: string
  let first: string
  let second: string
  afterEach(() => interruptedGateway.close())
  beforeEach(async () => {
    const storage = openMemory()
    // The reschedule is made after the read of the plan and before the read of its timer.
    const job: Storage['job'] = async (jobId) => {
      const interruption = betweenReads
      betweenReads = async () => {}
      await interruption()
      return storage.job(jobId)
    }
    interruptedGateway = await testGateway({ storage: { ...storage, job } })
    id = await createSubscriber(interruptedGateway)
    first = (await interruptedGateway.send('POST', PATH, monthlyPlan(id))).body.id
    second = (await interruptedGateway.send('POST', `${PATH}/${first}/reschedule`)).body.id
    betweenReads = async () =>
      void (await interruptedGateway.send('POST', `${PATH}/${second}/reschedule`, { amount: '9.99' }))
  })

  const plansOf = async () => (await interruptedGateway.send('GET', `${PATH}/${id}`)).body.schedules
  const REPLACED = { plan: { ended: 'it was rescheduled' } }

  test('makes a deschedule end the new plan', async () => {
    expect(summary(await interruptedGateway.send('POST', `${PATH}/${first}/deschedule`))).toEqual(DONE)
    expect(await plansOf()).toMatchObject([
      REPLACED,
      REPLACED,
      { amount: '9.99', plan: { ended: 'it was descheduled' } },
    ])
  })

  test('makes the end of the registration end the new plan', async () => {
    expect(summary(await interruptedGateway.send('DELETE', `/v1/registrations/${id}`))).toEqual(DONE)
    const last = { amount: '9.99', plan: { ended: 'the registration was deregistered' } }
    expect(await plansOf()).toMatchObject([REPLACED, REPLACED, last])
  })

  test('makes a charge that ends all plans end the new plan', async () => {
    const revokingCharge = { 'customParameters[forceAcquirerResponse]': 'R1', 'job.dayOfMonth': '5', 'job.month': '5' }
    const interruption = betweenReads
    betweenReads = async () => {}
    await interruptedGateway.send('POST', PATH, monthlyPlan(id, revokingCharge))
    // The first timer that is read is that of the charge itself, so the reschedule is made at the second read.
    betweenReads = async () => void (betweenReads = interruption)
    await interruptedGateway.gateway.jobs.fastForward(Date.UTC(2026, 4, 6))
    expect((await plansOf()).map(({ plan: { active } }: { plan: { active: string } }) => active)).not.toContain('true')
    expect(await plansOf()).toHaveLength(4)
  })
})
