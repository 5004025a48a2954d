import { type AcquirerRequest, createSimulator } from '@tollgate/connectors'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  chargesOf,
  monthlyPlan,
  type Parameters as Form,
  createSubscriber,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'
import { sandboxIds } from '../directory/sandbox.ts'

let tollgate: TestGateway
let registration: string
beforeEach(async () => {
  tollgate = await testGateway()
  registration = await createSubscriber(tollgate)
})
afterEach(() => tollgate.close())

const PATH = '/scheduling/v1/schedules'
const createPlan = async (changes: Form = {}): Promise<string> => {
  const { status, body } = await tollgate.send('POST', PATH, monthlyPlan(registration, changes))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.id
}
const readPlanView = async (id: string) => (await tollgate.send('GET', `${PATH}/${id}`)).body.plan
const runUntil = (text: string) => tollgate.gateway.jobs.fastForward(Date.parse(text))
const readCharges = () => chargesOf(tollgate, registration)
const merchantTransactionIdsOf = (charges: Awaited<ReturnType<typeof readCharges>>) =>
  charges.map(({ merchantTransactionId }) => merchantTransactionId)
const changeSettings = (settings: object) => tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })

describe('a run', () => {
  test('is a merchant-initiated payment under the agreement', async () => {
    const id = await createPlan({ 'customParameters[SHOP_order]': '7', merchantTransactionId: 'first-order' })
    const { entries } = await runUntil('2026-06-01T00:00:00Z')
    expect(entries).toEqual([
      {
        atMs: Date.UTC(2026, 5, 1),
        kind: 'run-schedule',
        subjectId: id,
        outcome: '000.100.110; next at 2026-07-01T00:00:00.000Z',
      },
    ])
    const stored = await tollgate.gateway.storage.registration(registration)
    const [row] = await tollgate.gateway.storage.newestOfAgreement(
      stored?.initial_transaction_id ?? '',
      stored?.merchant ?? '',
      9,
    )
    const { status, body } = await tollgate.send('GET', `/v1/payments/${row?.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      registrationId: registration,
      paymentType: 'DB',
      amount: '9.20',
      currency: 'EUR',
      merchantTransactionId: `${id}-20260601000000`,
      standingInstruction: { type: 'RECURRING', mode: 'REPEATED', source: 'MIT' },
      customParameters: { SHOP_order: '7' },
    })
    expect(body.job).toBeUndefined()
  })

  test.each(['PA', 'DB', 'CD'])('may be a %s', async (paymentType) => {
    const id = await createPlan({ paymentType })
    expect((await readPlanView(id)).paymentType).toBe(paymentType)
    const { entries } = await runUntil('2026-06-01T00:00:00Z')
    expect(entries).toMatchObject([{ subjectId: id, outcome: '000.100.110; next at 2026-07-01T00:00:00.000Z' }])
  })

  test('sends the acquirer the id of the payment that began the agreement, and no cvv', async () => {
    const { gateway } = tollgate
    const stored = await gateway.storage.registration(registration)
    const simulator = createSimulator()
    const sent: (string | undefined)[] = []
    Object.assign(gateway.acquirers, {
      simulator: {
        send: (request: AcquirerRequest) => {
          sent.push(request.initialTransactionId, request.account?.cvv && 'a cvv')
          return simulator.send(request)
        },
      },
    })
    await createPlan()
    await runUntil('2026-06-01T00:00:00Z')
    expect(sent).toEqual([stored?.initial_transaction_id, undefined])
    expect(stored?.initial_transaction_id).toBeTruthy()
  })

  test('causes an event of the type PAYMENT, approved or declined', async () => {
    const [approved, declined] = [await createPlan(), await createPlan(forcedResponse('51'))]
    const { gateway } = tollgate
    Object.assign(gateway.webhooks, { webhookIdsFor: () => ['w1'] })
    await runUntil('2026-06-01T00:00:00Z')
    const deliveries = await gateway.storage.dueJobs('delivery', 'w1', gateway.clock.now(), 9)
    const events = await Promise.all(deliveries.map(({ subject_id }) => gateway.storage.event(subject_id)))
    const typesAndIds = events.map((event) => [event?.type, JSON.parse(event?.payload ?? '').merchantTransactionId])
    expect(typesAndIds).toEqual([approved, declined].map((id) => ['PAYMENT', `${id}-20260601000000`]))
  })

  test('has a merchantTransactionId with the name of the job, or with the plan’s id if it must be unique', async () => {
    const id = await createPlan({ 'job.name': 'Gym' })
    await runUntil('2026-06-15T00:00:00Z')
    await changeSettings({ uniqueMerchantTransactionId: true })
    await runUntil('2026-07-15T00:00:00Z')
    expect(merchantTransactionIdsOf(await readCharges())).toEqual(['Gym-20260601000000', `${id}-20260701000000`])
  })

  test('is made when its timer is due, without a fast-forward', async () => {
    await createPlan()
    tollgate.gateway.jobs.start()
    tollgate.clock.nowMs = Date.UTC(2026, 5, 1)
    tollgate.gateway.jobs.notify('run-schedule', '')
    await expect.poll(readCharges).toHaveLength(1)
    await tollgate.gateway.jobs.stop()
  })

  test('on a disabled channel is refused, and is attempted again after a day', async () => {
    await createPlan()
    await changeSettings({ enabled: false })
    await runUntil('2026-06-01T00:00:00Z')
    // A refused run is not among the charges of the agreement.
    expect(await readCharges()).toEqual([])
    await changeSettings({ enabled: true })
    await runUntil('2026-06-02T00:00:00Z')
    expect(await readCharges()).toMatchObject([{ at: '2026-06-02T00:00:00.000Z', code: '000.100.110' }])
  })
})

/** Parameters that force the acquirer's response to every charge. */
const forcedResponse = (response: string, advice?: string): Form => ({
  'customParameters[forceAcquirerResponse]': response,
  'customParameters[forceMerchantAdviceCode]': advice,
})

describe('after a decline', () => {
  test.each<{ title: string; forced: Form; days: readonly string[] }>([
    {
      title: 'is attempted again on the default days',
      forced: forcedResponse('51', '04'),
      days: ['06-01', '06-02', '06-04', '06-08', '07-01'],
    },
    {
      title: 'is attempted again after a day, as the issuer advises',
      forced: forcedResponse('51', '25'),
      days: ['06-01', '06-02', '06-03', '06-04', '06-05', '07-01'],
    },
    {
      title: 'is attempted again after ten days, as the issuer advises',
      forced: forcedResponse('51', '30'),
      days: ['06-01', '06-11', '06-21', '07-01'],
    },
    {
      title: 'is not attempted again if the issuer requires the customer',
      forced: { 'customParameters[forceResultCode]': '300.100.100' },
      days: ['06-01', '07-01'],
    },
    {
      title: 'is not attempted again if the result is unknown',
      forced: { 'customParameters[forceResultCode]': '900.100.300' },
      days: ['06-01', '07-01'],
    },
  ])('a run $title', async ({ forced, days }) => {
    const id = await createPlan(forced)
    await runUntil('2026-07-01T00:00:00Z')
    const attempts = await readCharges()
    expect(attempts.map(({ at }) => at.slice(5, 10))).toEqual(days)
    expect(new Set(merchantTransactionIdsOf(attempts))).toEqual(
      new Set([`${id}-20260601000000`, `${id}-20260701000000`]),
    )
    expect((await readPlanView(id)).active).toBe('true')
  })

  test('the plan contains the time of the retry', async () => {
    const id = await createPlan(forcedResponse('51', '25'))
    await runUntil('2026-06-01T00:00:00Z')
    expect(await readPlanView(id)).toMatchObject({
      lastRun: '2026-06-01 00:00:00.000+0000',
      retry: '2026-06-02 00:00:00.000+0000',
      nextRun: '2026-07-01 00:00:00.000+0000',
    })
  })

  test.each<{ label: string; forced: Form; ended: RegExp }>([
    { label: 'a lost card', forced: forcedResponse('41'), ended: /declined permanently, with 41/ },
    { label: 'the advice not to retry', forced: forcedResponse('51', '03'), ended: /forbids.*advice 03/ },
    {
      label: 'the advice to correct the account',
      forced: forcedResponse('51', '01'),
      ended: /update the registration.*advice 01/,
    },
  ])('$label ends the plan and no other plan', async ({ forced, ended }) => {
    const [id, otherId] = [await createPlan(forced), await createPlan({ amount: '1.00' })]
    const { entries } = await runUntil('2026-06-30T00:00:00Z')
    expect(entries.map(({ subjectId }) => subjectId)).toEqual([id, otherId])
    expect(await readPlanView(id)).toMatchObject({ active: 'false', ended: expect.stringMatching(ended) })
    expect((await readPlanView(otherId)).active).toBe('true')
  })

  test('the revocation of all authorisations ends all plans of the registration', async () => {
    const [otherId, id] = [
      await createPlan({ 'job.dayOfMonth': '20', 'job.month': '6' }),
      await createPlan(forcedResponse('R3')),
    ]
    await runUntil('2026-06-30T00:00:00Z')
    for (const planId of [id, otherId]) {
      expect(await readPlanView(planId)).toMatchObject({
        active: 'false',
        ended: 'the customer revoked all authorisations',
      })
      expect(await tollgate.gateway.storage.job(planId)).toBeUndefined()
    }
    expect(await readCharges()).toHaveLength(1)
  })

  test('a plan that ends after a decline has the time of the decline as its effectiveEnd', async () => {
    const id = await createPlan({ ...forcedResponse('43'), 'job.endDate': '2030-01-01 00:00:00' })
    await runUntil('2026-06-30T00:00:00Z')
    expect(await readPlanView(id)).toMatchObject({ active: 'false', effectiveEnd: '2026-06-01 00:00:00.000+0000' })
  })

  test('a reschedule ends the retries', async () => {
    const id = await createPlan(forcedResponse('51', '25'))
    await runUntil('2026-06-01T00:00:00Z')
    await tollgate.send('POST', `${PATH}/${id}/reschedule`, forcedResponse('00'))
    await runUntil('2026-07-01T00:00:00Z')
    expect((await readCharges()).map(({ at }) => at.slice(5, 10))).toEqual(['06-01', '07-01'])
  })

  test('a run is not retried after the end of the plan', async () => {
    const id = await createPlan({ ...forcedResponse('51', '30'), 'job.noticeUnit': 'WEEK', 'job.noticeNumber': '1' })
    await runUntil('2026-06-01T00:00:00Z')
    await tollgate.send('POST', `${PATH}/${id}/deschedule`)
    await runUntil('2026-07-01T00:00:00Z')
    expect(await readCharges()).toHaveLength(1)
    expect(await readPlanView(id)).toMatchObject({ active: 'false', ended: 'it was descheduled' })
  })
})

describe('after a downtime of five days', () => {
  const runsAfterDowntime = async (settings: object) => {
    await changeSettings(settings)
    const id = await createPlan({ 'job.expression': '0 0 6 * * ?' })
    tollgate.clock.nowMs = Date.UTC(2026, 4, 9, 12)
    const { entries } = await runUntil('2026-05-10T06:00:00Z')
    // The runs are made in order: the time of the next run, with which each outcome ends, never decreases.
    const nextRunTimes = entries.map(({ outcome }) => Date.parse(outcome.slice(-24)))
    expect(nextRunTimes).toEqual(nextRunTimes.toSorted((one, other) => one - other))
    const runDates = merchantTransactionIdsOf(await readCharges()).map((text) => text?.slice(id.length + 1, -6) ?? '')
    return runDates.toSorted((one, other) => one.localeCompare(other))
  }

  test.each<{ settings: object; runs: readonly string[] }>([
    { settings: {}, runs: ['20260509', '20260510'] },
    { settings: { missedRuns: 'ONCE' }, runs: ['20260509', '20260510'] },
    {
      settings: { missedRuns: 'ALL' },
      runs: ['20260504', '20260505', '20260506', '20260507', '20260508', '20260509', '20260510'],
    },
    { settings: { missedRuns: 'NONE' }, runs: ['20260510'] },
  ])('a daily plan with the settings $settings is charged for the runs $runs', async ({ settings, runs }) =>
    expect(await runsAfterDowntime(settings)).toEqual(runs),
  )
})

describe('a change to or from daylight saving time', () => {
  test.each<{ title: string; endsAt: string; hourAndDate: string; chargedAt: readonly string[] }>([
    {
      title: 'moves a run in the skipped hour to the first moment after it',
      endsAt: '2027-03-30T12:00:00Z',
      hourAndDate: '2 27-30 3 ?',
      chargedAt: ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30', '2027-03-30T00:30'],
    },
    {
      title: 'makes a daily run in the repeated hour once, at the second occurrence of its time',
      endsAt: '2026-10-27T12:00:00Z',
      hourAndDate: '2 24-27 10 ?',
      chargedAt: ['2026-10-24T00:30', '2026-10-25T01:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    },
    {
      title: 'makes an hourly run once in the repeated hour, at the second occurrence of its time',
      endsAt: '2026-10-25T04:00:00Z',
      hourAndDate: '* 25 10 ? 2026',
      chargedAt: ['2026-10-24T22:30', '2026-10-24T23:30', '2026-10-25T01:30', '2026-10-25T02:30', '2026-10-25T03:30'],
    },
  ])('$title', async ({ endsAt, hourAndDate, chargedAt }) => {
    await changeSettings({ timeZone: 'Europe/Berlin' })
    const id = await createPlan({ 'job.expression': `0 30 ${hourAndDate}` })
    expect((await readPlanView(id)).timeZone).toBe('Europe/Berlin')
    await runUntil(endsAt)
    expect((await readCharges()).map(({ at }) => at.slice(0, 16))).toEqual(chargedAt)
  })
})

test('a plan with a dead-lettered timer continues once it is descheduled', async () => {
  const id = await createPlan({ 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '2' })
  const { storage, ids, clock } = tollgate.gateway
  const timer = await storage.job(id)
  if (!timer) throw new Error('the plan has no timer')
  const deadLettered = { ...timer, attempts: 12, parked_at_ms: clock.now(), last_error: 'Error' }
  await storage.commit({
    id: ids.ordered(),
    expectedVersions: [],
    compareAndSets: [{ table: 'job', from: timer, to: deadLettered }],
    rows: {},
  })
  await runUntil('2026-06-02T00:00:00Z')
  expect(await readCharges()).toEqual([])
  await tollgate.send('POST', `${PATH}/${id}/deschedule`)
  await runUntil('2026-09-01T00:00:00Z')
  expect((await readCharges()).map(({ at }) => at.slice(5, 10))).toEqual(['06-02', '07-01', '08-01'])
  expect((await readPlanView(id)).ended).toBe('it was descheduled')
})

describe('a plan ends', () => {
  test('after the end date of its job, and is active until then', async () => {
    const id = await createPlan({ 'job.endDate': '2026-07-15 00:00:00' })
    await runUntil('2026-07-15T00:00:00Z')
    expect(await readPlanView(id)).toMatchObject({ active: 'true', effectiveEnd: '2026-07-15 00:00:01.000+0000' })
    await runUntil('2026-07-15T00:00:01Z')
    expect(await readPlanView(id)).toMatchObject({ active: 'false', ended: 'its last run is over' })
    expect(await readCharges()).toHaveLength(2)
    expect(await tollgate.gateway.storage.job(id)).toBeUndefined()
  })

  test('after its last run', async () => {
    const id = await createPlan({ 'job.year': '2026', 'job.month': '6' })
    await runUntil('2026-06-01T00:00:00Z')
    expect(await readPlanView(id)).toMatchObject({ active: 'false', ended: 'its last run is over' })
  })

  test('when its registration expires', async () => {
    registration = await createSubscriber(tollgate, { 'card.expiryYear': '2026', 'card.expiryMonth': '06' })
    const id = await createPlan({ 'job.month': '1' })
    await runUntil('2028-01-01T00:00:00Z')
    expect(await readPlanView(id)).toMatchObject({ active: 'false', ended: 'the registration has expired' })
    expect(await tollgate.gateway.storage.job(id)).toBeUndefined()
  })

  test('after it was descheduled, and runs that are due before its end are charged', async () => {
    const id = await createPlan({ 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '2' })
    await tollgate.send('POST', `${PATH}/${id}/deschedule`)
    await runUntil('2026-09-01T00:00:00Z')
    expect((await readCharges()).map(({ at }) => at.slice(5, 10))).toEqual(['06-01', '07-01'])
    expect(await readPlanView(id)).toMatchObject({ active: 'false', ended: 'it was descheduled' })
  })
})
