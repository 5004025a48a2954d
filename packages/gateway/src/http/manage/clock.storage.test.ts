import { afterAll, describe, expect, test } from 'vitest'
import { cardWithoutPayment, cardPayment, testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage, gateway } = tollgate

const changeClock = (body: object) => manage('POST', '/clock', body)

test('the clock is advanced, and jobs that become due run at their times', async () => {
  const { body: authorised } = await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
  const { body: card } = await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.expiryYear': '2027' }))
  const { status, body } = await changeClock({ advance: 'P3Y' })
  expect([status, body.now, body.isThere]).toEqual([200, '2029-05-04T03:02:01.000Z', true])
  expect(body.happened).toEqual([
    {
      at: '2026-05-10T03:02:01.000Z',
      kind: 'end-authorisation',
      subjectId: authorised.id,
      outcome: 'the authorisation expires soon',
    },
    {
      at: '2026-05-11T03:02:01.000Z',
      kind: 'end-authorisation',
      subjectId: authorised.id,
      outcome: 'reversal of 9200 minor units: 000.100.110',
    },
    { at: '2028-08-01T12:00:00.000Z', kind: 'end-registration', subjectId: card.id, outcome: 'ended' },
  ])
  expect((await manage('GET', '/clock')).body).toEqual({
    now: '2029-05-04T03:02:01.000Z',
    aheadSeconds: 3 * 365.25 * 86_400 + 0.25 * 86_400,
  })
  expect((await send('POST', '/v1/payments', cardPayment())).body.timestamp).toBe('2029-05-04 03:02:01.000+0000')
})

test('the clock is set to an instant', async () => {
  expect((await changeClock({ to: '2030-01-01T00:00:00Z' })).body).toEqual({
    now: '2030-01-01T00:00:00.000Z',
    isThere: true,
    happened: [],
  })
})

describe('an advance of the clock is refused', () => {
  test.each([
    ['with both parameters', { advance: 'P1D', to: '2031-01-01T00:00:00Z' }, 'Send either advance or to.'],
    ['without a parameter', {}, 'Send either advance or to.'],
    ['to a past instant', { to: '2020-01-01T00:00:00Z' }, 'The clock only goes forward.'],
    ['by an invalid duration', { advance: '1 month' }, 'advance must be an ISO 8601 duration such as P1M or PT36H.'],
    ['to a date without a time', { to: '2031-02-28' }, 'to must be an instant in UTC such as 2027-01-31T12:00:00Z.'],
    [
      'to a nonexistent day',
      { to: '2031-02-30T00:00:00Z' },
      'to must be an instant in UTC such as 2027-01-31T12:00:00Z.',
    ],
    [
      'by more than ten years',
      { advance: 'P11Y' },
      'advance is too far: one request advances the clock by at most ten years.',
    ],
    [
      'by a duration beyond the range of dates',
      { advance: 'P300000Y' },
      'advance is too far: one request advances the clock by at most ten years.',
    ],
    [
      'to an instant more than ten years ahead',
      { to: '9999-12-31T23:59:59Z' },
      'to is too far: one request advances the clock by at most ten years.',
    ],
  ] as const)('%s', async (_name, body, message) => {
    const before = gateway.clock.now()
    const { status, body: answer } = await changeClock(body)
    expect([status, answer.error.message, gateway.clock.now()]).toEqual([400, message, before])
  })
})
