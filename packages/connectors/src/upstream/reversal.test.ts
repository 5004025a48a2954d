import { describe, expect, test } from 'vitest'
import type { OpenRequest } from '../port.ts'
import { request } from '../iso8583/requests/testing/requests.ts'
import { limits } from './limits.ts'
import { approvedJson, followUp, NOTHING_FOUND, recordingUpstream, upstreamId } from './testing/upstream.ts'

type Reply = ReturnType<Parameters<typeof recordingUpstream>[0]>

const coded = (code: string, changes: object = {}) => approvedJson({ result: { code }, ...changes })
const found = (...payments: readonly object[]): Reply => ({ json: { payments } })
const rejected = (code: string): Reply => ({ status: 400, json: { result: { code } } })
const done = (paymentType: string): Reply => ({
  json: approvedJson({ id: 'e'.repeat(32), paymentType, referencedId: upstreamId }),
})

const openOf = (changes: Partial<OpenRequest> = {}): OpenRequest => {
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = request()
  return { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs, ...changes }
}

/** Reverses a request; the upstream answers its queries and posts by `replies`, in their order. */
async function reverse(
  open: OpenRequest,
  replies: readonly Reply[],
  options: { isRepeat?: boolean; ageMs?: number } = {},
) {
  const upstream = recordingUpstream((_, index) => replies[index] ?? { status: 0 })
  const attempt = upstream.attempt(options.isRepeat)
  upstream.nowMs += options.ageMs ?? 0
  const outcome = await upstream.connector.reverse(open, attempt)
  const sent = upstream.received.map(({ method, query, form }) =>
    method === 'GET' ? `query ${query.get('merchantTransactionId')}` : form.get('paymentType'),
  )
  return { outcome, sent, received: upstream.received, alerts: upstream.alerts }
}

const REVERSED = { kind: 'reversed' }
const UNKNOWN = { kind: 'unknown' }

describe('a request that the upstream does not have', () => {
  test.each([
    [0, UNKNOWN],
    [limits.absentAfterMs - 1, UNKNOWN],
    [limits.absentAfterMs, REVERSED],
  ])('%i ms after its reference was drawn', async (ageMs, outcome) => {
    expect((await reverse(openOf(), [NOTHING_FOUND], { ageMs })).outcome).toEqual(outcome)
    const capture = openOf({ operation: 'CP', original: followUp('CP').original })
    expect((await reverse(capture, [NOTHING_FOUND], { ageMs })).outcome).toEqual(outcome)
  })

  test.each<[title: string, reply: Reply]>([
    ['no answer', { status: 0 }],
    ['a failed server', { status: 500, body: '' }],
    ['a wrong path', { status: 404, body: '<html>' }],
    ['an unknown entity', { status: 404, json: { result: { code: '800.900.201' } } }],
    ['no list', { json: {} }],
    ['another reference', found(approvedJson({ merchantTransactionId: 'request-2' }))],
  ])('is not known to be absent: %s', async (_, reply) => {
    expect((await reverse(openOf(), [reply], { ageMs: limits.absentAfterMs })).outcome).toEqual(UNKNOWN)
  })
})

describe('a payment that the upstream has', () => {
  test('is reversed in full, under the reference of the reversal', async () => {
    const { outcome, sent, received } = await reverse(openOf(), [found(approvedJson()), done('RV')])
    expect([outcome, sent]).toEqual([REVERSED, ['query request-1', 'RV']])
    expect(received[1]).toMatchObject({
      path: `https://pay.example/base/v1/payments/${upstreamId}`,
    })
    // A key would repeat the answer to an earlier failure.
    expect(received[1]?.headers).not.toHaveProperty('idempotency-key')
    expect([received[1]?.form.get('merchantTransactionId'), received[1]?.form.get('amount')]).toEqual([
      'reversal-1',
      null,
    ])
  })

  test.each<[title: string, open: OpenRequest, replies: readonly Reply[], outcome: object, sent: readonly string[]]>([
    ['declined', openOf(), [found(coded('800.100.155'))], REVERSED, []],
    ['pending', openOf(), [found(coded('000.200.000'))], UNKNOWN, []],
    ['uncertain', openOf(), [found(coded('900.100.300'))], UNKNOWN, []],
    ['of another amount', openOf(), [found(approvedJson({ amount: '9.20' })), done('RV')], REVERSED, ['RV']],
    ['without an id', openOf(), [found(approvedJson({ id: undefined }))], UNKNOWN, []],
    ['reversed before', openOf(), [found(approvedJson()), rejected('700.400.300')], REVERSED, ['RV']],
    ['not reversed: no answer', openOf(), [found(approvedJson()), { status: 0 }], UNKNOWN, ['RV']],
    ['not reversed: not known', openOf(), [found(approvedJson()), rejected('900.100.300')], UNKNOWN, ['RV']],
    ['not reversed: another type', openOf(), [found(approvedJson()), done('RF')], UNKNOWN, ['RV']],
    ['a hold that cannot be reversed', openOf(), [found(approvedJson()), rejected('700.300.700')], UNKNOWN, ['RV']],
    [
      'a debit that was cleared',
      openOf({ operation: 'DB' }),
      [found(approvedJson({ paymentType: 'DB' })), rejected('700.300.700'), done('RF')],
      REVERSED,
      ['RV', 'RF'],
    ],
    [
      'a debit that cannot be refunded',
      openOf({ operation: 'DB' }),
      [found(approvedJson({ paymentType: 'DB' })), rejected('700.300.700'), rejected('700.400.200')],
      UNKNOWN,
      ['RV', 'RF'],
    ],
    [
      'a credit',
      openOf({ operation: 'CD' }),
      [found(approvedJson({ paymentType: 'CD' })), done('RF')],
      REVERSED,
      ['RF'],
    ],
    ['made twice', openOf(), [found(approvedJson(), approvedJson()), done('RV'), done('RV')], REVERSED, ['RV', 'RV']],
    ['made twice, once reversed', openOf(), [found(approvedJson(), approvedJson()), done('RV')], UNKNOWN, ['RV', 'RV']],
  ])('%s', async (_, open, replies, outcome, posts) => {
    const { outcome: reversal, sent } = await reverse(open, replies)
    expect([reversal, sent.slice(1)]).toEqual([outcome, posts])
  })

  test('a refund has the amount that the upstream has charged', async () => {
    const charged = approvedJson({ paymentType: 'DB', amount: '9.20', currency: 'USD' })
    const replies = [found(charged), rejected('700.300.700'), done('RF')]
    const { received } = await reverse(openOf({ operation: 'DB' }), replies)
    expect([received[2]?.form.getAll('amount'), received[2]?.form.getAll('currency')]).toEqual([['9.20'], ['USD']])
  })

  test('a repeat finds the earlier reversal', async () => {
    const reversal = approvedJson({ id: 'e'.repeat(32), paymentType: 'RV', referencedId: upstreamId })
    const { outcome, sent } = await reverse(openOf(), [found(approvedJson()), found(reversal)], { isRepeat: true })
    expect([outcome, sent]).toEqual([REVERSED, ['query request-1', 'query reversal-1']])
  })

  test.each<[title: string, earlier: Reply, sent: readonly string[]]>([
    ['is absent', NOTHING_FOUND, ['RV']],
    ['was refused', found(coded('900.100.400', { paymentType: 'RV', referencedId: upstreamId })), ['RV']],
    ['is of another payment', found(approvedJson({ paymentType: 'RV', referencedId: 'd'.repeat(32) })), ['RV']],
    ['is uncertain', found(coded('900.100.300', { paymentType: 'RV', referencedId: upstreamId })), []],
    ['cannot be read', { status: 0 }, []],
  ])('a repeat whose earlier reversal %s', async (_, earlier, posts) => {
    const { sent, outcome } = await reverse(openOf(), [found(approvedJson()), earlier, done('RV')], { isRepeat: true })
    expect(sent.slice(2)).toEqual(posts)
    expect(outcome).toEqual(posts.length > 0 ? REVERSED : UNKNOWN)
  })
})

describe('a follow-up that the upstream has', () => {
  const capture = openOf({ operation: 'CP', original: followUp('CP').original })
  const made = (code: string, changes: object = {}) =>
    coded(code, { paymentType: 'CP', referencedId: upstreamId, merchantTransactionId: 'request-1', ...changes })

  test.each([
    ['approved', '000.000.000', { kind: 'done', answer: { status: 'approved', amountMinor: 9200 } }],
    ['declined', '700.400.100', { kind: 'done', answer: { status: 'declined', code: '700.400.100' } }],
    ['pending', '800.400.502', UNKNOWN],
    ['uncertain', '900.100.300', UNKNOWN],
  ])('%s', async (_, code, outcome) => {
    const { outcome: reversal, sent } = await reverse(capture, [found(made(code))])
    expect(reversal).toMatchObject(outcome)
    expect(sent).toEqual(['query request-1'])
  })

  test('of another amount is not done', async () => {
    expect((await reverse(capture, [found(made('000.000.000', { amount: '9.20' }))])).outcome).toEqual(UNKNOWN)
  })

  test('once approved and once declined is done', async () => {
    const { outcome } = await reverse(capture, [found(made('700.400.100'), made('000.000.000'))])
    expect(outcome).toMatchObject({ kind: 'done', answer: { status: 'approved' } })
  })

  test('made twice is for an operator', async () => {
    const { outcome, alerts } = await reverse(capture, [found(made('000.000.000'), made('000.000.000'))])
    expect(outcome).toEqual(UNKNOWN)
    expect(alerts).toEqual([{ kind: 'duplicate', transactionId: capture.transactionId }])
  })
})

test('without stored references nothing can be reversed', async () => {
  const { connector } = recordingUpstream(() => ({}))
  expect(await connector.reverse(openOf())).toEqual(UNKNOWN)
})

test('damaged references are an error without their text', async () => {
  const { connector, attempt } = recordingUpstream(() => ({}))
  for (const sentAs of ['{"reference":1', '{}', 'null', '{"reference":"a","atMs":"b"}']) {
    await expect(connector.reverse(openOf(), { ...attempt(), sentAs })).rejects.toThrow(/are damaged$/)
  }
})
