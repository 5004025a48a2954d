import { openMemory, type Storage } from '@tollgate/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  monthly,
  type OtherMerchant,
  otherMerchant,
  type Parameters,
  subscriber,
  summary,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage, gateway } = tollgate

const PATH = '/scheduling/v1/schedules'
const DONE = [200, '000.100.110']
const UNKNOWN = '0'.repeat(32)

let registration: string
beforeAll(async () => {
  registration = await subscriber(tollgate)
})

const plan = (changes: Parameters = {}) => send('POST', PATH, monthly(registration, changes))
const read = (id: string, changes: Parameters = {}) => send('GET', `${PATH}/${id}`, changes)
const reschedule = (id: string, changes: Parameters = {}) => send('POST', `${PATH}/${id}/reschedule`, changes)
const deschedule = (id: string, changes: Parameters = {}) => send('POST', `${PATH}/${id}/deschedule`, changes)

describe('a plan', () => {
  test('is made and read', async () => {
    const made = await plan({
      'job.name': 'Gym',
      'customParameters[SHOP_order]': '7',
      merchantTransactionId: 'order-77',
    })
    expect(summary(made)).toEqual(DONE)
    expect(made.body).toMatchObject({
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
        chain: made.body.id,
        nextRun: '2026-06-01 00:00:00.000+0000',
      },
      job: { name: 'Gym', month: '*' },
      customParameters: { SHOP_order: '7' },
    })
    const again = await read(made.body.id, { entityId: undefined })
    expect(summary(again)).toEqual(DONE)
    const { paymentBrand: _brand, referencedId: _reference, ...shown } = made.body
    expect(again.body).toMatchObject({ ...shown, timestamp: again.body.timestamp, ndc: again.body.ndc })
  })

  test('is among those of its registration', async () => {
    const id = await subscriber(tollgate)
    const [one, other] = [await send('POST', PATH, monthly(id)), await send('POST', PATH, monthly(id))]
    await send('DELETE', `${PATH}/${one.body.id}`)
    const { status, body } = await read(id)
    expect([status, body.id]).toEqual([200, id])
    expect(body.schedules).toMatchObject([
      { id: one.body.id, paymentType: 'SD', amount: '9.20', job: { month: '*' }, plan: { active: 'false' } },
      { id: other.body.id, currency: 'EUR', plan: { active: 'true' } },
    ])
    expect((await read(await subscriber(tollgate))).body.schedules).toEqual([])
  })

  test('is a transaction of its registration, and no payment', async () => {
    const { body } = await plan()
    const tree = await gateway.storage.treeOf(registration)
    expect(tree?.transactions.find(({ id }) => id === body.id)).toMatchObject({ type: 'SD', amount_minor: 920 })
    expect((await send('GET', `/v1/payments/${body.id}`)).status).toBe(404)
  })

  test('is made once by requests with one Idempotency-Key', async () => {
    const id = await subscriber(tollgate)
    const send1 = () => send('POST', PATH, monthly(id), { 'idempotency-key': 'plan-1' })
    const answers = await Promise.all([send1(), send1(), send1()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await read(id)).body.schedules).toHaveLength(1)
  })

  test('runs by the clock of its entity, for which it was made', async () => {
    const other = await otherMerchant(tollgate, { timeZone: 'America/New_York' })
    const mine = { entityId: other.channel }
    const authorization = { authorization: `Bearer ${other.token}` }
    const sendAs = (method: 'GET' | 'POST', path: string, form: Parameters) =>
      send(method, path, { ...form, ...mine }, authorization)
    const id = await subscriber({ send: (_, path, form = {}) => sendAs('POST', path, form) })
    const made = await sendAs('POST', PATH, monthly(id, { 'job.hour': '9' }))
    expect(made.body.plan).toMatchObject({ timeZone: 'America/New_York', nextRun: '2026-06-01 13:00:00.000+0000' })
    await manage('PATCH', `/entities/${other.channel}`, { settings: { timeZone: 'Asia/Tokyo' } })
    const newer = await sendAs('POST', `${PATH}/${made.body.id}/reschedule`, { amount: '9.30' })
    expect(newer.body.plan.nextRun).toBe('2026-06-01 13:00:00.000+0000')
    const moved = await sendAs('POST', `${PATH}/${made.body.id}/reschedule`, { 'job.month': '*', 'job.hour': '9' })
    expect(moved.body.plan).toMatchObject({ timeZone: 'Asia/Tokyo', nextRun: '2026-06-01 00:00:00.000+0000' })
  })
})

describe('the job of a plan', () => {
  const january = '2027-01-01 00:00:00'
  test.each<{ what: string; job: Parameters; nextRun: string }>([
    { what: 'nothing: on 1 January', job: {}, nextRun: january },
    { what: 'every month', job: { 'job.month': '*' }, nextRun: '2026-06-01 00:00:00' },
    { what: 'fields that are empty', job: { 'job.year': '', 'job.noticeNumber': '' }, nextRun: january },
    { what: 'a year', job: { 'job.year': '2099' }, nextRun: '2099-01-01 00:00:00' },
    {
      what: 'a time of day',
      job: { 'job.hour': '7', 'job.minute': '8', 'job.second': '9' },
      nextRun: '2027-01-01 07:08:09',
    },
    { what: 'steps of seconds', job: { 'job.month': '*', 'job.second': '20/20' }, nextRun: '2026-06-01 00:00:20' },
    { what: 'the last day', job: { 'job.month': '5', 'job.dayOfMonth': 'L' }, nextRun: '2026-05-31 00:00:00' },
    { what: 'a weekday', job: { 'job.month': '*', 'job.dayOfMonth': '17W' }, nextRun: '2026-05-18 00:00:00' },
    {
      what: 'a day of the week alone',
      job: { 'job.month': '*', 'job.dayOfWeek': '1' },
      nextRun: '2026-05-10 00:00:00',
    },
    {
      what: 'a day of the week, and ? for that of the month',
      job: { 'job.month': '*', 'job.dayOfMonth': '?', 'job.dayOfWeek': 'FRI#3' },
      nextRun: '2026-05-15 00:00:00',
    },
    {
      what: 'a day of the month, and ? for that of the week',
      job: { 'job.month': '*', 'job.dayOfMonth': '9', 'job.dayOfWeek': '?' },
      nextRun: '2026-05-09 00:00:00',
    },
    {
      what: 'an expression of six fields, before all others',
      job: { 'job.expression': '0 30 6 ? * MON', 'job.month': '1', 'job.hour': '9' },
      nextRun: '2026-05-04 06:30:00',
    },
    { what: 'one of seven', job: { 'job.expression': '0 0 0 29 FEB ? 2027/1' }, nextRun: '2028-02-29 00:00:00' },
    {
      what: 'a start, which is included',
      job: { 'job.expression': '0 0 0 * * ?', 'job.startDate': '2026-09-09 00:00:00' },
      nextRun: '2026-09-09 00:00:00',
    },
    {
      what: 'a start that lies back',
      job: { 'job.expression': '0 0 0 * * ?', 'job.startDate': '1970-01-01 00:00:00' },
      nextRun: '2026-05-05 00:00:00',
    },
    { what: 'an end, which is included', job: { 'job.endDate': '2027-01-01 00:00:00' }, nextRun: january },
  ])('$what', async ({ job, nextRun }) => {
    const made = await plan({ 'job.month': undefined, ...job })
    expect([summary(made), made.body.plan?.nextRun]).toEqual([DONE, `${nextRun}.000+0000`])
    await deschedule(made.body.id)
  })
})

describe('a plan is refused', () => {
  test.each<[job: Parameters, code: string, field: string, character: number | undefined]>([
    [{ 'job.expression': '0 0 25 1 * ?' }, '100.250.121', 'job.hour', 5],
    [{ 'job.hour': '1/99' }, '100.250.121', 'job.hour', undefined],
    [{ 'job.expression': '0 60 1 1 * ?' }, '100.250.122', 'job.minute', 3],
    [{ 'job.expression': '0 0 0 32 * ?' }, '100.250.123', 'job.dayOfMonth', 7],
    [{ 'job.expression': '0 0 0 1 13 ?' }, '100.250.124', 'job.month', 9],
    [{ 'job.expression': '0 0 0 ? * 8' }, '100.250.125', 'job.dayOfWeek', 11],
  ])('with %j: %s, for it is wrong in %s at character %s', async (job, code, field, character) => {
    const answer = await plan(job)
    expect(summary(answer)).toEqual([400, code])
    expect(answer.body.resultDetails.ExtendedDescription).toContain(
      character === undefined ? `${field} must ` : `${field}, at character ${character} of job.expression, must `,
    )
  })

  test.each<{ what: string; changes: Parameters; code: string; reason: RegExp; status?: number }>([
    {
      what: 'of no registration',
      changes: { registrationId: UNKNOWN },
      code: '100.150.200',
      reason: /no such reg/,
      status: 404,
    },
    {
      what: 'with two kinds of days',
      changes: { 'job.dayOfMonth': '1', 'job.dayOfWeek': 'MON' },
      code: '100.250.120',
      reason: /leave job\.dayOfWeek out to run on days of the month, or job\.dayOfMonth to run on days of the week/,
    },
    {
      what: 'with ? for both kinds of days',
      changes: { 'job.dayOfMonth': '?', 'job.dayOfWeek': '?' },
      code: '100.250.120',
      reason: /are both \?/,
    },
    {
      what: 'with a year that is over',
      changes: { 'job.year': '2025' },
      code: '100.250.100',
      reason: /would never run/,
    },
    {
      what: 'that is to end with a term that it does not have',
      changes: { 'job.noticeCallable': 'DURATION_END' },
      code: '100.250.106',
      reason: /job\.durationUnit and job\.durationNumber are missing/,
    },
    {
      what: 'with a notice of ages',
      changes: { 'job.noticeUnit': 'YEAR', 'job.noticeNumber': '9999999999999999' },
      code: '100.250.107',
      reason: /at most 100 YEAR/,
    },
    {
      what: 'that ends before it starts',
      changes: { 'job.startDate': '2027-01-02 00:00:00', 'job.endDate': '2027-01-01 00:00:00' },
      code: '100.250.100',
      reason: /job\.endDate is before job\.startDate/,
    },
    {
      what: 'that never runs',
      changes: { 'job.endDate': '2026-05-31 00:00:00' },
      code: '100.250.100',
      reason: /would never run/,
    },
    {
      what: 'with half a notice',
      changes: { 'job.noticeUnit': 'MONTH' },
      code: '100.250.107',
      reason: /job\.noticeNumber is missing/,
    },
    {
      what: 'with half a duration',
      changes: { 'job.durationNumber': '3' },
      code: '100.250.106',
      reason: /job\.durationUnit is missing/,
    },
    { what: 'of a part of a yen', changes: { currency: 'JPY' }, code: '100.550.303', reason: /no decimals/ },
    { what: 'of nothing', changes: { amount: '0.00' }, code: '100.550.300', reason: /amount/ },
  ])('$what', async ({ changes, code, reason, status = 400 }) => {
    const answer = await plan(changes)
    expect([summary(answer), answer.body.resultDetails.ExtendedDescription]).toEqual([
      [status, code],
      expect.stringMatching(reason),
    ])
  })

  test.each<{ what: string; changes: Parameters; wrong: string }>([
    { what: 'no registration', changes: { registrationId: undefined }, wrong: 'registrationId' },
    { what: 'half an id', changes: { registrationId: 'abc' }, wrong: 'registrationId' },
    { what: 'an hour of 24', changes: { 'job.hour': '24' }, wrong: 'job.hour' },
    { what: 'words for an expression', changes: { 'job.expression': 'every month' }, wrong: 'job.expression' },
    { what: 'a day that is none', changes: { 'job.endDate': '2026-02-30 00:00:00' }, wrong: 'job.endDate' },
    { what: 'a cvv', changes: { 'card.cvv': '123' }, wrong: 'card.cvv' },
    { what: 'a card', changes: { 'card.number': '4200000000000000' }, wrong: 'card.number' },
    { what: 'another registration', changes: { createRegistration: 'true' }, wrong: 'createRegistration' },
    {
      what: 'a customer who is there',
      changes: {
        'standingInstruction.type': 'RECURRING',
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'CIT',
      },
      wrong: 'standingInstruction.source',
    },
    { what: 'too much', changes: { 'customParameters[SHOP_note]': 'x'.repeat(2048), ...many() }, wrong: '' },
  ])('with $what', async ({ changes, wrong }) => {
    const answer = await plan(changes)
    expect(summary(answer)).toEqual([400, '200.300.404'])
    expect(answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual([wrong])
  })

  test('of a registration whose network has no agreement to refer to', async () => {
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment())
    const answer = await send('POST', PATH, monthly(body.id))
    expect(summary(answer)).toEqual([400, '600.200.501'])
    expect(answer.body.resultDetails.ExtendedDescription).toContain('initialTransactionId is missing')
  })

  test('of a registration that was deleted, or is of another channel', async () => {
    const id = await subscriber(tollgate)
    const elsewhere = await send('POST', PATH, monthly(id, { entityId: sandboxIds.secureChannel }))
    expect(summary(elsewhere)).toEqual([400, '700.400.700'])
    await send('DELETE', `/v1/registrations/${id}`)
    expect(summary(await send('POST', PATH, monthly(id)))).toEqual([400, '100.150.202'])
  })

  test('where a registration or chain has as many as it can', async () => {
    const id = await subscriber(tollgate)
    let { body } = await send('POST', PATH, monthly(id))
    for (let at = 1; at < limits.plansOfChainMax; at += 1) ({ body } = await reschedule(body.id, { amount: '9.21' }))
    const one = await reschedule(body.id)
    expect([summary(one), one.body.resultDetails.ExtendedDescription]).toEqual([
      [400, '700.500.001'],
      expect.stringContaining('schedule anew'),
    ])
    for (let at = limits.plansOfChainMax; at < limits.plansOfRegistrationMax; at += 1)
      expect(summary(await send('POST', PATH, monthly(id)))).toEqual(DONE)
    expect(summary(await send('POST', PATH, monthly(id)))).toEqual([400, '700.500.001'])
    expect((await read(id)).body.schedules).toHaveLength(limits.plansOfRegistrationMax)
  }, 30_000)
})

function many(): Parameters {
  return Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`customParameters[SHOP_${at}]`, 'x'.repeat(2040)]))
}

describe('a reschedule', () => {
  test('puts another plan in the place of the live one, whichever of the chain is named', async () => {
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
    // The job is one thing: what is sent of it takes the place of all of it.
    const third = await reschedule(first.body.id, { 'job.expression': '0 0 12 20 * ?' })
    expect(third.body).toMatchObject({ amount: '12.00', plan: { nextRun: '2026-05-20 12:00:00.000+0000' } })
    expect(third.body.job).toEqual({ expression: '0 0 12 20 * ?' })
    const states = []
    for (const { body } of [first, second, third]) {
      const { body: shown } = await read(body.id)
      states.push([shown.plan.active, shown.plan.ended])
    }
    expect(states).toEqual([
      ['false', 'it was rescheduled'],
      ['false', 'it was rescheduled'],
      ['true', undefined],
    ])
  })

  test.each<{ what: string; changes: Parameters; code: string }>([
    { what: 'a job that never runs', changes: { 'job.year': '2026', 'job.month': '1' }, code: '100.250.100' },
    { what: 'a wrong expression', changes: { 'job.expression': '0 0 25 1 * ?' }, code: '100.250.121' },
    { what: 'decimals of another currency', changes: { currency: 'JPY' }, code: '100.550.303' },
  ])('to $what leaves the plan as it is', async ({ changes, code }) => {
    const { body } = await plan()
    expect(summary(await reschedule(body.id, changes))).toEqual([400, code])
    expect((await read(body.id)).body.plan.active).toBe('true')
  })
})

describe('a deschedule', () => {
  test.each<{ what: string; job: Parameters; active: string; effectiveEnd: string; nextRun?: string }>([
    { what: 'ends at once without terms', job: {}, active: 'false', effectiveEnd: '2026-05-04 03:02:01.000+0000' },
    {
      what: 'ends after the notice',
      job: { 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '1' },
      active: 'true',
      effectiveEnd: '2026-06-04 03:02:01.000+0000',
      nextRun: '2026-06-01 00:00:00.000+0000',
    },
    {
      what: 'ends after the notice, before which nothing runs',
      job: { 'job.noticeUnit': 'WEEK', 'job.noticeNumber': '2' },
      active: 'true',
      effectiveEnd: '2026-05-18 03:02:01.000+0000',
    },
    {
      what: 'ends with its term',
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
  ])('$what', async ({ job, active, effectiveEnd, nextRun }) => {
    const { body } = await plan(job)
    const ended = await deschedule(body.id)
    expect(summary(ended)).toEqual(DONE)
    expect(ended.body).toMatchObject({ paymentType: 'DS', referencedId: body.id, plan: { active, effectiveEnd } })
    expect(ended.body.plan.nextRun).toBe(nextRun)
    expect((await read(body.id)).body.plan).toMatchObject({ active, effectiveEnd })
  })

  test('takes any plan of the chain, and happens once', async () => {
    const first = await plan({ 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '1' })
    const second = await reschedule(first.body.id)
    const ended = await send('DELETE', `${PATH}/${first.body.id}`)
    expect(ended.body).toMatchObject({ paymentType: 'DS', referencedId: second.body.id })
    for (const id of [first.body.id, second.body.id]) {
      const again = await deschedule(id)
      expect(summary(again)).toEqual([400, '100.360.303'])
      expect(again.body.resultDetails.ExtendedDescription).toContain('ends at 2026-06-04 03:02:01')
      expect(summary(await reschedule(id))).toEqual([400, '100.360.300'])
    }
  })

  test('of one that has ended', async () => {
    const { body } = await plan()
    await deschedule(body.id)
    expect(summary(await deschedule(body.id))).toEqual([400, '100.360.303'])
    expect(summary(await reschedule(body.id))).toEqual([400, '100.360.300'])
  })
})

describe('a reschedule between two reads of another request', () => {
  let between = async () => {}
  let other: TestGateway
  let id: string
  let first: string
  let second: string
  afterEach(() => other.close())
  beforeEach(async () => {
    const storage = openMemory()
    // It comes after the plan was read, and before its timer is.
    const job: Storage['job'] = async (jobId) => {
      const happens = between
      between = async () => {}
      await happens()
      return storage.job(jobId)
    }
    other = await testGateway({ storage: { ...storage, job } })
    id = await subscriber(other)
    first = (await other.send('POST', PATH, monthly(id))).body.id
    second = (await other.send('POST', `${PATH}/${first}/reschedule`)).body.id
    between = async () => void (await other.send('POST', `${PATH}/${second}/reschedule`, { amount: '9.99' }))
  })

  const plansOf = async () => (await other.send('GET', `${PATH}/${id}`)).body.schedules
  const REPLACED = { plan: { ended: 'it was rescheduled' } }

  test('is met by a deschedule', async () => {
    expect(summary(await other.send('POST', `${PATH}/${first}/deschedule`))).toEqual(DONE)
    expect(await plansOf()).toMatchObject([
      REPLACED,
      REPLACED,
      { amount: '9.99', plan: { ended: 'it was called off' } },
    ])
  })

  test('is met by the end of the registration', async () => {
    expect(summary(await other.send('DELETE', `/v1/registrations/${id}`))).toEqual(DONE)
    const last = { amount: '9.99', plan: { ended: 'the registration was deregistered' } }
    expect(await plansOf()).toMatchObject([REPLACED, REPLACED, last])
  })

  test('is met by a charge that ends all plans', async () => {
    const revoked = { 'customParameters[forceAcquirerResponse]': 'R1', 'job.dayOfMonth': '5', 'job.month': '5' }
    const happens = between
    between = async () => {}
    await other.send('POST', PATH, monthly(id, revoked))
    // The first timer that is read is that of the charge itself.
    between = async () => void (between = happens)
    await other.gateway.jobs.travel(Date.UTC(2026, 4, 6))
    expect((await plansOf()).map((each: { plan: { active: string } }) => each.plan.active)).not.toContain('true')
    expect(await plansOf()).toHaveLength(4)
  })
})

test('a registration that is deleted ends its plans', async () => {
  const id = await subscriber(tollgate)
  const plans = [await send('POST', PATH, monthly(id)), await send('POST', PATH, monthly(id))]
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

describe('the plans of others', () => {
  let other: OtherMerchant
  let mine: string
  beforeAll(async () => {
    other = await otherMerchant(tollgate)
    mine = (await plan()).body.id
  })
  const asOther = (method: 'GET' | 'POST' | 'DELETE', path: string, form: Parameters = {}) =>
    send(method, path, { ...form, entityId: other.channel }, { authorization: `Bearer ${other.token}` })

  test.each<{ what: string; ask: (id: string) => ReturnType<typeof send> }>([
    { what: 'read', ask: (id) => asOther('GET', `${PATH}/${id}`) },
    { what: 'rescheduled', ask: (id) => asOther('POST', `${PATH}/${id}/reschedule`, { amount: '1.00' }) },
    { what: 'descheduled', ask: (id) => asOther('POST', `${PATH}/${id}/deschedule`) },
    { what: 'deleted', ask: (id) => asOther('DELETE', `${PATH}/${id}`) },
  ])('are not there to be $what', async ({ ask }) => {
    const [foreign, none] = [await ask(mine), await ask(UNKNOWN)]
    expect(foreign.status).toBe(404)
    const shown = ({ body }: typeof none) => ({ ...body, id: '', ndc: '', timestamp: '' })
    expect(shown(foreign)).toEqual(shown(none))
  })

  test('nor are their registrations, to be planned for or listed', async () => {
    expect(summary(await asOther('POST', PATH, monthly(registration)))).toEqual([404, '100.150.200'])
    expect(summary(await asOther('GET', `${PATH}/${registration}`))).toEqual([404, '700.400.580'])
    expect((await read(mine)).body.plan.active).toBe('true')
  })

  test('on another channel of the merchant they are named as such', async () => {
    const elsewhere = { entityId: sandboxIds.secureChannel }
    expect(summary(await read(mine, elsewhere))).toEqual([400, '700.400.700'])
    expect(summary(await deschedule(mine, elsewhere))).toEqual([400, '700.400.700'])
    expect(summary(await reschedule(mine, elsewhere))).toEqual([400, '700.400.700'])
  })
})

test('a payment that is sent a registrationId takes no notice of it', async () => {
  expect(summary(await send('POST', '/v1/payments', cardPayment({ registrationId: 'x' })))).toEqual(DONE)
})
