import { afterAll, describe, expect, test } from 'vitest'
import {
  cardWithoutPayment,
  monthlyPlan,
  type Parameters,
  createSubscriber,
  summary,
  testGateway,
} from '@tollgate/gateway/testing'
import { DONE, PATH, planRequests, UNKNOWN } from '../testing/plan-requests.ts'
import { limits } from '../limits.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const registration = await createSubscriber(tollgate)
const { plan, read, reschedule } = planRequests(tollgate, registration)
const { send } = tollgate

describe('a plan is refused', () => {
  test.each<[job: Parameters, code: string, field: string, character: number | undefined]>([
    [{ 'job.expression': '0 0 25 1 * ?' }, '100.250.121', 'job.hour', 5],
    [{ 'job.hour': '1/99' }, '100.250.121', 'job.hour', undefined],
    [{ 'job.expression': '0 60 1 1 * ?' }, '100.250.122', 'job.minute', 3],
    [{ 'job.expression': '0 0 0 32 * ?' }, '100.250.123', 'job.dayOfMonth', 7],
    [{ 'job.expression': '0 0 0 1 13 ?' }, '100.250.124', 'job.month', 9],
    [{ 'job.expression': '0 0 0 ? * 8' }, '100.250.125', 'job.dayOfWeek', 11],
  ])('with %j by %s, because of %s at character %s', async (job, code, field, character) => {
    const answer = await plan(job)
    expect(summary(answer)).toEqual([400, code])
    expect(answer.body.resultDetails.ExtendedDescription).toContain(
      character === undefined ? `${field} must ` : `${field}, at character ${character} of job.expression, must `,
    )
  })

  test.each<{ label: string; changes: Parameters; code: string; reason: RegExp; status?: number }>([
    {
      label: 'of an unknown registration',
      changes: { registrationId: UNKNOWN },
      code: '100.150.200',
      reason: /no such reg/,
      status: 404,
    },
    {
      label: 'with two kinds of days',
      changes: { 'job.dayOfMonth': '1', 'job.dayOfWeek': 'MON' },
      code: '100.250.120',
      reason: /leave job\.dayOfWeek out to run on days of the month, or job\.dayOfMonth to run on days of the week/,
    },
    {
      label: 'with ? for both kinds of days',
      changes: { 'job.dayOfMonth': '?', 'job.dayOfWeek': '?' },
      code: '100.250.120',
      reason: /are both \?/,
    },
    {
      label: 'with a past year',
      changes: { 'job.year': '2025' },
      code: '100.250.100',
      reason: /would never run/,
    },
    {
      label: 'with a notice until the end of a term that is missing',
      changes: { 'job.noticeCallable': 'DURATION_END' },
      code: '100.250.106',
      reason: /job\.durationUnit and job\.durationNumber are missing/,
    },
    {
      label: 'with a notice of more than 100 years',
      changes: { 'job.noticeUnit': 'YEAR', 'job.noticeNumber': '9999999999999999' },
      code: '100.250.107',
      reason: /at most 100 YEAR/,
    },
    {
      label: 'that ends before it starts',
      changes: { 'job.startDate': '2027-01-02 00:00:00', 'job.endDate': '2027-01-01 00:00:00' },
      code: '100.250.100',
      reason: /job\.endDate is before job\.startDate/,
    },
    {
      label: 'that never runs',
      changes: { 'job.endDate': '2026-05-31 00:00:00' },
      code: '100.250.100',
      reason: /would never run/,
    },
    {
      label: 'with a notice without a number',
      changes: { 'job.noticeUnit': 'MONTH' },
      code: '100.250.107',
      reason: /job\.noticeNumber is missing/,
    },
    {
      label: 'with a duration without a unit',
      changes: { 'job.durationNumber': '3' },
      code: '100.250.106',
      reason: /job\.durationUnit is missing/,
    },
    { label: 'with decimals in yen', changes: { currency: 'JPY' }, code: '100.550.303', reason: /no decimals/ },
    { label: 'with the amount 0.00', changes: { amount: '0.00' }, code: '100.550.300', reason: /amount/ },
  ])('$label', async ({ changes, code, reason, status = 400 }) => {
    const answer = await plan(changes)
    expect([summary(answer), answer.body.resultDetails.ExtendedDescription]).toEqual([
      [status, code],
      expect.stringMatching(reason),
    ])
  })

  test.each<{ label: string; changes: Parameters; parameter: string }>([
    { label: 'no registration', changes: { registrationId: undefined }, parameter: 'registrationId' },
    { label: 'an incomplete id', changes: { registrationId: 'abc' }, parameter: 'registrationId' },
    { label: 'an hour of 24', changes: { 'job.hour': '24' }, parameter: 'job.hour' },
    { label: 'a text as expression', changes: { 'job.expression': 'every month' }, parameter: 'job.expression' },
    { label: 'an invalid date', changes: { 'job.endDate': '2026-02-30 00:00:00' }, parameter: 'job.endDate' },
    { label: 'a cvv', changes: { 'card.cvv': '123' }, parameter: 'card.cvv' },
    { label: 'a card', changes: { 'card.number': '4200000000000000' }, parameter: 'card.number' },
    { label: 'createRegistration', changes: { createRegistration: 'true' }, parameter: 'createRegistration' },
    {
      label: 'a customer-initiated instruction',
      changes: {
        'standingInstruction.type': 'RECURRING',
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'CIT',
      },
      parameter: 'standingInstruction.source',
    },
    {
      label: 'too many characters',
      changes: { 'customParameters[SHOP_note]': 'x'.repeat(2048), ...longParameters() },
      parameter: '',
    },
  ])('with $label', async ({ changes, parameter }) => {
    const answer = await plan(changes)
    expect(summary(answer)).toEqual([400, '200.300.404'])
    expect(answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual([parameter])
  })

  test('of a registration without an agreement', async () => {
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment())
    const answer = await send('POST', PATH, monthlyPlan(body.id))
    expect(summary(answer)).toEqual([400, '600.200.501'])
    expect(answer.body.resultDetails.ExtendedDescription).toContain('initialTransactionId is missing')
  })

  test('of a registration that was deleted, or belongs to another channel', async () => {
    const id = await createSubscriber(tollgate)
    const refused = await send('POST', PATH, monthlyPlan(id, { entityId: sandboxIds.secureChannel }))
    expect(summary(refused)).toEqual([400, '700.400.700'])
    await send('DELETE', `/v1/registrations/${id}`)
    expect(summary(await send('POST', PATH, monthlyPlan(id)))).toEqual([400, '100.150.202'])
  })

  test('above the maximum number of plans of a chain or a registration', async () => {
    const id = await createSubscriber(tollgate)
    let { body } = await send('POST', PATH, monthlyPlan(id))
    for (let count = 1; count < limits.plansOfChainMax; count += 1)
      ({ body } = await reschedule(body.id, { amount: '9.21' }))
    const refused = await reschedule(body.id)
    expect([summary(refused), refused.body.resultDetails.ExtendedDescription]).toEqual([
      [400, '700.500.001'],
      expect.stringContaining('create a new plan'),
    ])
    for (let count = limits.plansOfChainMax; count < limits.plansOfRegistrationMax; count += 1)
      expect(summary(await send('POST', PATH, monthlyPlan(id)))).toEqual(DONE)
    expect(summary(await send('POST', PATH, monthlyPlan(id)))).toEqual([400, '700.500.001'])
    expect((await read(id)).body.schedules).toHaveLength(limits.plansOfRegistrationMax)
  }, 30_000)
})

function longParameters(): Parameters {
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`customParameters[SHOP_${index}]`, 'x'.repeat(2040)]),
  )
}
