import { describe, expect, test } from 'vitest'
import { request, secretOf } from '../iso8583/requests/testing/requests.ts'
import { approvedJson, followUp, recordingUpstream, upstreamId } from './testing/upstream.ts'

const card = () =>
  request({
    account: {
      kind: 'card',
      number: secretOf('4200000000000091'),
      holder: undefined,
      expiryMonth: '12',
      expiryYear: '2031',
      cvv: secretOf('987'),
    },
  })

describe('a request', () => {
  test.each([
    ['a payment', request(), '/v1/payments'],
    ['a follow-up', followUp('CP'), `/v1/payments/${upstreamId}`],
    [
      'a charge under an agreement',
      request({
        redirected: true,
        account: {
          kind: 'virtualAccount',
          number: secretOf('b'.repeat(32)),
          holder: undefined,
          expiryMonth: undefined,
          expiryYear: undefined,
          cvv: undefined,
        },
      }),
      `/v1/registrations/${'b'.repeat(32)}/payments`,
    ],
  ])('%s is posted to its path', async (_, sent, path) => {
    const { send, received } = recordingUpstream(() => ({ json: approvedJson({ paymentType: sent.operation }) }))
    expect(await send(sent)).toMatchObject({ status: 'approved' })
    expect(received.map(({ method, path: to }) => [method, to])).toEqual([['POST', `https://pay.example/base${path}`]])
  })

  test('has the access token, and the reference of the attempt as its key', async () => {
    const { send, received } = recordingUpstream(() => ({ json: approvedJson() }))
    await send(request())
    await send(request())
    const [first, second] = received
    expect(first?.headers).toMatchObject({ authorization: 'Bearer token' })
    const reference = first?.form.get('merchantTransactionId') ?? ''
    expect(reference).toBe('8ac7a4a0000000000000000000000001-attempt1')
    expect(first?.headers['idempotency-key']).toBe(reference)
    expect(second?.form.get('merchantTransactionId')).not.toBe(reference)
  })

  test('is erased when it is answered, also after a failure', async () => {
    for (const sent of [true, false]) {
      const { send, received } = recordingUpstream(() => ({ status: 0, sent }))
      await send(card())
      expect(received[0]?.form.get('card.number')).toBe('4200000000000091')
      expect(received[0]?.body?.length).toBeGreaterThan(100)
      expect(received[0]?.body?.every((byte) => byte === 0)).toBe(true)
    }
  })

  test('without a usable reference is not sent', async () => {
    const { send, received } = recordingUpstream(() => ({ json: approvedJson() }))
    const original = { transactionId: 'original', references: ['../payments'] }
    expect(await send(followUp('CP', { original }))).toMatchObject({ status: 'notSent' })
    expect(await send(followUp('CP', { original: { ...original, references: [] } }))).toMatchObject({
      status: 'notSent',
    })
    expect(received).toEqual([])
  })

  test('has references without account data', async () => {
    const { connector } = recordingUpstream(() => ({}))
    expect(await connector.references?.(card())).toBe(
      '{"reference":"8ac7a4a0000000000000000000000001-attempt1","atMs":1000000}',
    )
  })
})

describe('a reply', () => {
  const rejected = (code: string) => ({ json: { result: { code } } })
  test.each([
    ['an answer', { json: approvedJson() }, { status: 'approved' }, []],
    ['a decline', { status: 400, ...rejected('800.100.155') }, { status: 'declined', code: '800.100.155' }, []],
    ['a decline with status 200', rejected('800.100.155'), { status: 'declined', code: '800.100.155' }, []],
    ['no connection', { status: 0, sent: false, reason: 'refused' }, { status: 'notSent', reason: 'refused' }, []],
    ['no answer', { status: 0, sent: true }, { status: 'unknown' }, []],
    ['throttling', { status: 429, ...rejected('800.120.100') }, { status: 'notSent' }, []],
    ['a wrong token', { status: 403, ...rejected('800.900.300') }, { status: 'notSent' }, ['notAuthorised']],
    ['a firewall', { status: 403, body: '<html>' }, { status: 'unknown' }, ['mismatch']],
    ['a failed server', { status: 500, ...rejected('999.999.999') }, { status: 'unknown' }, []],
    ['a success with status 400', { status: 400, json: approvedJson() }, { status: 'unknown' }, ['mismatch']],
    ['a redirect', { status: 307, json: approvedJson() }, { status: 'unknown' }, ['mismatch']],
    ['half an answer', { body: '{"result":{"code":"000.000' }, { status: 'unknown' }, ['mismatch']],
    ['another amount', { json: approvedJson({ amount: '9.20' }) }, { status: 'unknown' }, ['mismatch']],
  ])('%s', async (_, reply, outcome, kinds) => {
    const { send, alerts } = recordingUpstream(() => reply)
    expect(await send(request())).toMatchObject(outcome)
    expect(alerts.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('a test mode in live is to be reversed, and the operator is alerted', async () => {
    const { send, alerts } = recordingUpstream(
      () => ({ json: approvedJson({ result: { code: '000.100.110' } }) }),
      'live',
    )
    expect(await send(request())).toMatchObject({
      status: 'toReverse',
      answer: { status: 'declined', code: '600.200.700' },
    })
    expect(alerts).toEqual([{ kind: 'testMode', transactionId: request().transactionId }])
  })
})

describe('an inquiry', () => {
  const inquiry = { ...request(), references: [upstreamId] }
  const inquire = async (json: object, environment: 'test' | 'live' = 'live', undoing = approvedJson()) => {
    const upstream = recordingUpstream(({ method }) => ({ json: method === 'GET' ? json : undoing }), environment)
    return { ...upstream, answer: await upstream.connector.inquire?.(inquiry) }
  }

  test('reads the payment by its id', async () => {
    const { answer, received } = await inquire(approvedJson())
    expect(answer).toMatchObject({ status: 'approved', amountMinor: 9200 })
    expect(received.map(({ method, path }) => [method, path])).toEqual([
      ['GET', `https://pay.example/base/v1/payments/${upstreamId}`],
    ])
    expect(received[0]?.query.get('entityId')).toBe('8a8294174b7ecb28014b9699220015ca')
  })

  test.each([
    ['a pending payment', approvedJson({ result: { code: '000.200.000' } }), { status: 'pending' }],
    ['a decline', approvedJson({ result: { code: '100.396.101' } }), { status: 'declined', code: '100.396.101' }],
    ['an uncertain one', approvedJson({ result: { code: '900.100.300' } }), { status: 'unknown' }],
    ['another payment', approvedJson({ id: 'd'.repeat(32) }), { status: 'unknown' }],
    ['another type', approvedJson({ paymentType: 'DB' }), { status: 'unknown' }],
    ['no answer', {}, { status: 'unknown' }],
  ])('%s', async (_, json, outcome) => {
    expect((await inquire(json)).answer).toMatchObject(outcome)
  })

  test('an approval with another amount is for review', async () => {
    const { answer, alerts } = await inquire(approvedJson({ amount: '9.20' }))
    expect(answer).toMatchObject({ status: 'approved', code: '000.400.040', amountMinor: 920 })
    expect(alerts).toEqual([{ kind: 'mismatch', transactionId: inquiry.transactionId, field: 'amount' }])
  })

  test.each([
    ['in another currency', approvedJson({ currency: 'USD' }), '100.390.101'],
    ['in a test mode', approvedJson({ result: { code: '000.100.110' } }), '600.200.700'],
    [
      'with another amount in a test mode',
      approvedJson({ amount: '9.20', result: { code: '000.100.110' } }),
      '600.200.700',
    ],
  ])('an approval %s is reversed and declined', async (_, json, code) => {
    const { answer, received } = await inquire(json, 'live', approvedJson({ paymentType: 'RV' }))
    expect(answer).toMatchObject({ status: 'declined', code, amountMinor: 0 })
    expect(received.map(({ form }) => form.get('paymentType'))).toEqual([null, 'RV'])
  })

  test('an approval that cannot be reversed yet has no result yet', async () => {
    const { answer } = await inquire(approvedJson({ currency: 'USD' }), 'live', {})
    expect(answer).toEqual({ status: 'unknown' })
  })
})
