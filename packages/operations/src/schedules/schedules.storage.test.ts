import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cardPayment,
  monthlyPlan,
  type OtherMerchant,
  otherMerchant,
  type Parameters,
  createSubscriber,
  summary,
  testGateway,
} from '@tollgate/gateway/testing'
import { DONE, PATH, planRequests, UNKNOWN } from '../testing/plan-requests.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const registration = await createSubscriber(tollgate)
const { plan, read, reschedule, deschedule } = planRequests(tollgate, registration)
const { send, manage, gateway } = tollgate

describe('a plan', () => {
  test('is created, and a read returns its fields', async () => {
    const created = await plan({
      'job.name': 'Gym',
      'customParameters[SHOP_order]': '7',
      merchantTransactionId: 'order-77',
    })
    expect(summary(created)).toEqual(DONE)
    expect(created.body).toMatchObject({
      registrationId: registration,
      referencedId: registration,
      paymentType: 'SD',
      amount: '9.20',
      currency: 'EUR',
      resultDetails: { ExtendedDescription: 'The charges are planned.' },
      plan: {
        active: 'true',
        paymentType: 'DB',
        timeZone: 'UTC',
        chain: created.body.id,
        nextRun: '2026-06-01 00:00:00.000+0000',
      },
      job: { name: 'Gym', month: '*' },
      customParameters: { SHOP_order: '7' },
    })
    const current = await read(created.body.id, { entityId: undefined })
    expect(summary(current)).toEqual(DONE)
    const { paymentBrand: _brand, referencedId: _reference, ...expected } = created.body
    expect(current.body).toMatchObject({ ...expected, timestamp: current.body.timestamp, ndc: current.body.ndc })
  })

  test('is listed by the id of its registration', async () => {
    const id = await createSubscriber(tollgate)
    const [first, second] = [await send('POST', PATH, monthlyPlan(id)), await send('POST', PATH, monthlyPlan(id))]
    await send('DELETE', `${PATH}/${first.body.id}`)
    const { status, body } = await read(id)
    expect([status, body.id]).toEqual([200, id])
    expect(body.schedules).toMatchObject([
      { id: first.body.id, paymentType: 'SD', amount: '9.20', job: { month: '*' }, plan: { active: 'false' } },
      { id: second.body.id, currency: 'EUR', plan: { active: 'true' } },
    ])
    expect((await read(await createSubscriber(tollgate))).body.schedules).toEqual([])
  })

  test('is a transaction of its registration, and no payment', async () => {
    const { body } = await plan()
    const tree = await gateway.storage.treeOf(registration)
    expect(tree?.transactions.find(({ id }) => id === body.id)).toMatchObject({ type: 'SD', amount_minor: 920 })
    expect((await send('GET', `/v1/payments/${body.id}`)).status).toBe(404)
  })

  test('is created once by requests with the same Idempotency-Key', async () => {
    const id = await createSubscriber(tollgate)
    const createWithKey = () => send('POST', PATH, monthlyPlan(id), { 'idempotency-key': 'plan-1' })
    const answers = await Promise.all([createWithKey(), createWithKey(), createWithKey()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await read(id)).body.schedules).toHaveLength(1)
  })

  test('runs in the time zone that its channel had when its job was last set', async () => {
    const other = await otherMerchant(tollgate, { timeZone: 'America/New_York' })
    const entity = { entityId: other.channel }
    const authorization = { authorization: `Bearer ${other.token}` }
    const sendAs = (method: 'GET' | 'POST', path: string, form: Parameters) =>
      send(method, path, { ...form, ...entity }, authorization)
    const id = await createSubscriber({ send: (_, path, form = {}) => sendAs('POST', path, form) })
    const created = await sendAs('POST', PATH, monthlyPlan(id, { 'job.hour': '9' }))
    expect(created.body.plan).toMatchObject({ timeZone: 'America/New_York', nextRun: '2026-06-01 13:00:00.000+0000' })
    await manage('PATCH', `/entities/${other.channel}`, { settings: { timeZone: 'Asia/Tokyo' } })
    const withNewAmount = await sendAs('POST', `${PATH}/${created.body.id}/reschedule`, { amount: '9.30' })
    expect(withNewAmount.body.plan.nextRun).toBe('2026-06-01 13:00:00.000+0000')
    const withNewJob = await sendAs('POST', `${PATH}/${created.body.id}/reschedule`, {
      'job.month': '*',
      'job.hour': '9',
    })
    expect(withNewJob.body.plan).toMatchObject({ timeZone: 'Asia/Tokyo', nextRun: '2026-06-01 00:00:00.000+0000' })
  })
})

describe('the job of a plan', () => {
  const january = '2027-01-01 00:00:00'
  test.each<{ label: string; job: Parameters; nextRun: string }>([
    { label: 'no field', job: {}, nextRun: january },
    { label: 'every month', job: { 'job.month': '*' }, nextRun: '2026-06-01 00:00:00' },
    { label: 'empty fields', job: { 'job.year': '', 'job.noticeNumber': '' }, nextRun: january },
    { label: 'a year', job: { 'job.year': '2099' }, nextRun: '2099-01-01 00:00:00' },
    {
      label: 'a time of day',
      job: { 'job.hour': '7', 'job.minute': '8', 'job.second': '9' },
      nextRun: '2027-01-01 07:08:09',
    },
    { label: 'steps of seconds', job: { 'job.month': '*', 'job.second': '20/20' }, nextRun: '2026-06-01 00:00:20' },
    { label: 'the last day', job: { 'job.month': '5', 'job.dayOfMonth': 'L' }, nextRun: '2026-05-31 00:00:00' },
    { label: 'a weekday', job: { 'job.month': '*', 'job.dayOfMonth': '17W' }, nextRun: '2026-05-18 00:00:00' },
    {
      label: 'a day of the week only',
      job: { 'job.month': '*', 'job.dayOfWeek': '1' },
      nextRun: '2026-05-10 00:00:00',
    },
    {
      label: 'a day of the week, and ? for that of the month',
      job: { 'job.month': '*', 'job.dayOfMonth': '?', 'job.dayOfWeek': 'FRI#3' },
      nextRun: '2026-05-15 00:00:00',
    },
    {
      label: 'a day of the month, and ? for that of the week',
      job: { 'job.month': '*', 'job.dayOfMonth': '9', 'job.dayOfWeek': '?' },
      nextRun: '2026-05-09 00:00:00',
    },
    {
      label: 'an expression of six fields, which overrides all other fields',
      job: { 'job.expression': '0 30 6 ? * MON', 'job.month': '1', 'job.hour': '9' },
      nextRun: '2026-05-04 06:30:00',
    },
    {
      label: 'an expression of seven fields',
      job: { 'job.expression': '0 0 0 29 FEB ? 2027/1' },
      nextRun: '2028-02-29 00:00:00',
    },
    {
      label: 'a start, which is included',
      job: { 'job.expression': '0 0 0 * * ?', 'job.startDate': '2026-09-09 00:00:00' },
      nextRun: '2026-09-09 00:00:00',
    },
    {
      label: 'a past start',
      job: { 'job.expression': '0 0 0 * * ?', 'job.startDate': '1970-01-01 00:00:00' },
      nextRun: '2026-05-05 00:00:00',
    },
    { label: 'an end, which is included', job: { 'job.endDate': '2027-01-01 00:00:00' }, nextRun: january },
  ])('with $label runs next at $nextRun', async ({ job, nextRun }) => {
    const created = await plan({ 'job.month': undefined, ...job })
    expect([summary(created), created.body.plan?.nextRun]).toEqual([DONE, `${nextRun}.000+0000`])
    await deschedule(created.body.id)
  })
})

test('the deletion of a registration ends its plans', async () => {
  const id = await createSubscriber(tollgate)
  const plans = [await send('POST', PATH, monthlyPlan(id)), await send('POST', PATH, monthlyPlan(id))]
  await send('DELETE', `/v1/registrations/${id}`)
  for (const { body } of plans) {
    expect((await read(body.id)).body.plan).toMatchObject({
      active: 'false',
      ended: 'the registration was deregistered',
      effectiveEnd: '2026-05-04 03:02:01.000+0000',
    })
    expect(await gateway.storage.job(body.id)).toBeUndefined()
  }
})

describe('plans', () => {
  let other: OtherMerchant
  let ownPlan: string
  beforeAll(async () => {
    other = await otherMerchant(tollgate)
    ownPlan = (await plan()).body.id
  })
  const asOther = (method: 'GET' | 'POST' | 'DELETE', path: string, form: Parameters = {}) =>
    send(method, path, { ...form, entityId: other.channel }, { authorization: `Bearer ${other.token}` })

  test.each<{ label: string; request: (id: string) => ReturnType<typeof send> }>([
    { label: 'read', request: (id) => asOther('GET', `${PATH}/${id}`) },
    { label: 'rescheduled', request: (id) => asOther('POST', `${PATH}/${id}/reschedule`, { amount: '1.00' }) },
    { label: 'descheduled', request: (id) => asOther('POST', `${PATH}/${id}/deschedule`) },
    { label: 'deleted', request: (id) => asOther('DELETE', `${PATH}/${id}`) },
  ])('of another merchant cannot be $label', async ({ request }) => {
    const [foreignAnswer, unknownAnswer] = [await request(ownPlan), await request(UNKNOWN)]
    expect(foreignAnswer.status).toBe(404)
    const comparable = ({ body }: typeof unknownAnswer) => ({ ...body, id: '', ndc: '', timestamp: '' })
    expect(comparable(foreignAnswer)).toEqual(comparable(unknownAnswer))
  })

  test('of registrations of another merchant cannot be created or listed', async () => {
    expect(summary(await asOther('POST', PATH, monthlyPlan(registration)))).toEqual([404, '100.150.200'])
    expect(summary(await asOther('GET', `${PATH}/${registration}`))).toEqual([404, '700.400.580'])
    expect((await read(ownPlan)).body.plan.active).toBe('true')
  })

  test('of another channel of the merchant are refused with 700.400.700', async () => {
    const otherChannel = { entityId: sandboxIds.secureChannel }
    expect(summary(await read(ownPlan, otherChannel))).toEqual([400, '700.400.700'])
    expect(summary(await deschedule(ownPlan, otherChannel))).toEqual([400, '700.400.700'])
    expect(summary(await reschedule(ownPlan, otherChannel))).toEqual([400, '700.400.700'])
  })
})

test('a payment ignores the parameter registrationId', async () => {
  expect(summary(await send('POST', '/v1/payments', cardPayment({ registrationId: 'x' })))).toEqual(DONE)
})
