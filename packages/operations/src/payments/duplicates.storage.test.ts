import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@tollgate/contract'
import { openSqlite } from '@tollgate/storage'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  comparableBody,
  type Parameters,
  testGateway,
} from '@tollgate/gateway/testing'

// The storage is a database file, so that concurrent requests conflict at their commit as in production.
const folder = mkdtempSync(join(tmpdir(), 'tollgate-duplicates-'))
const tollgate = await testGateway({ storage: await openSqlite({ file: join(folder, 'test.db') }) })
afterAll(async () => {
  await tollgate.close()
  rmSync(folder, { recursive: true })
})
const { send, manage, clock, gateway } = tollgate

const channelWith = async (settings: object): Promise<string> => {
  const channel = { kind: 'channel', name: 'Careful', parentId: sandboxIds.merchant, settings }
  return (await manage('POST', '/entities', channel)).body.id
}
const REFERENCE = { uniqueMerchantTransactionId: true }
const WINDOW = { duplicateWindowSeconds: 60 }

let orders = 0
const newOrder = () => `order-${String((orders += 1)).padStart(6, '0')}`
const pay = (entityId: string, changes: Parameters = {}, headers: Parameters = {}) =>
  send('POST', '/v1/payments', cardPayment({ entityId, ...changes }), headers)
const OTHER_CARD = { 'card.number': '4111111111111111' }
const DECLINED = { 'customParameters[forceResultCode]': '800.100.152' }

interface Row {
  readonly what: string
  readonly first?: Parameters
  readonly second: Parameters
  readonly afterMs?: number
  readonly code: string
}

/** The answer to a second payment of the same order. */
const policies: readonly { readonly policy: string; readonly settings: object; readonly rows: readonly Row[] }[] = [
  {
    policy: 'without a policy',
    settings: {},
    rows: [{ what: 'an equal payment', second: {}, code: '000.100.110' }],
  },
  {
    policy: 'uniqueMerchantTransactionId',
    settings: REFERENCE,
    rows: [
      { what: 'an equal payment', second: {}, code: '800.130.100' },
      {
        what: 'a payment that differs in all but its reference',
        second: { ...OTHER_CARD, amount: '1.00', paymentType: 'PA' },
        code: '800.130.100',
      },
      { what: 'years later', second: {}, afterMs: 5 * 365 * DAY_MS, code: '800.130.100' },
      { what: 'after a declined payment', first: DECLINED, second: {}, code: '000.100.110' },
      { what: 'a declined payment', second: DECLINED, code: '800.100.152' },
      { what: 'without a reference', second: { merchantTransactionId: undefined }, code: '000.100.110' },
      {
        what: 'twice without a reference',
        first: { merchantTransactionId: undefined },
        second: { merchantTransactionId: undefined },
        code: '000.100.110',
      },
    ],
  },
  {
    policy: 'duplicateWindowSeconds',
    settings: WINDOW,
    rows: [
      { what: 'an equal payment', second: {}, code: '800.110.100' },
      { what: 'another type', second: { paymentType: 'PA' }, code: '800.110.100' },
      { what: 'the last moment of the window', second: {}, afterMs: 59_999, code: '800.110.100' },
      { what: 'after the window', second: {}, afterMs: 60_000, code: '000.100.110' },
      { what: 'another card', second: OTHER_CARD, code: '000.100.110' },
      { what: 'another amount', second: { amount: '92.01' }, code: '000.100.110' },
      { what: 'another currency', second: { currency: 'USD' }, code: '000.100.110' },
      { what: 'another reference', second: { merchantTransactionId: 'another-order' }, code: '000.100.110' },
      { what: 'after a declined payment', first: DECLINED, second: {}, code: '000.100.110' },
      {
        what: 'twice without a reference',
        first: { merchantTransactionId: undefined },
        second: { merchantTransactionId: undefined },
        code: '800.110.100',
      },
    ],
  },
  {
    policy: 'both',
    settings: { ...REFERENCE, ...WINDOW },
    rows: [{ what: 'an equal payment', second: {}, code: '800.130.100' }],
  },
]

describe.each(policies)('$policy', ({ settings, rows }) => {
  test.each(rows)('$what: $code', async ({ first = {}, second, afterMs = 0, code }) => {
    const channel = await channelWith(settings)
    const order = { merchantTransactionId: newOrder(), 'card.expiryYear': '2099' }
    const one = await pay(channel, { ...order, ...first })
    clock.nowMs += afterMs
    const two = await pay(channel, { ...order, ...second })
    const { status, body } = two
    expect([status, body.result.code]).toEqual([code === '000.100.110' ? 200 : 400, code])
    const isDuplicate = code === '800.130.100' || code === '800.110.100'
    expect(body.resultDetails.DuplicateOf).toBe(isDuplicate ? one.body.id : undefined)
    // A refused payment is stored, too.
    expect(comparableBody(await send('GET', `/v1/payments/${body.id}`, { entityId: channel }))).toEqual(
      comparableBody(two),
    )
  })
})

test('payments of different channels are not duplicates', async () => {
  const [one, other] = [await channelWith({ ...REFERENCE, ...WINDOW }), await channelWith({ ...REFERENCE, ...WINDOW })]
  const order = { merchantTransactionId: newOrder() }
  expect([(await pay(one, order)).status, (await pay(other, order)).status]).toEqual([200, 200])
})

describe.each([
  { settings: REFERENCE, code: '800.130.100' },
  { settings: WINDOW, code: '800.110.100' },
])('of fifty concurrent payments with $settings', ({ settings, code }) => {
  test('one is accepted, and the others contain its id', async () => {
    const channel = await channelWith(settings)
    const order = { merchantTransactionId: newOrder() }
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(channel, order)))
    const accepted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ body }) => body.result.code === code)
    expect([accepted.length, refused.length]).toEqual([1, 49])
    for (const { body } of refused) expect(body.resultDetails.DuplicateOf).toBe(accepted[0]?.body.id)
  })
})

test('a duplicate stores no card number, and no registration', async () => {
  const channel = await channelWith(WINDOW)
  await pay(channel)
  const { body } = await pay(channel, { createRegistration: 'true' })
  expect(body).not.toHaveProperty('registrationId')
  const account = await gateway.storage.account(body.id)
  expect([account?.last4, account?.sealed, account?.fingerprint]).toEqual(['0000', null, null])
})

test('a payment with a stored card is a duplicate of one with the same sent card', async () => {
  const channel = await channelWith(WINDOW)
  const { body } = await send('POST', '/v1/registrations', cardWithoutPayment({ entityId: channel }))
  await pay(channel)
  const money = { entityId: channel, paymentType: 'DB', amount: '92.00', currency: 'EUR' }
  const again = await send('POST', `/v1/registrations/${body.id}/payments`, money)
  expect(again.body.result.code).toBe('800.110.100')
})

test('the answer to a duplicate is replayed under its Idempotency-Key', async () => {
  const channel = await channelWith(WINDOW)
  await pay(channel)
  const headers = { 'idempotency-key': 'duplicate' }
  const [one, other] = [await pay(channel, {}, headers), await pay(channel, {}, headers)]
  expect([one.body.result.code, other.text]).toEqual(['800.110.100', one.text])
})

test('a duplicate has risk data like any refused payment', async () => {
  const channel = await channelWith(WINDOW)
  const small = { name: 'small', when: { kind: 'amount', above: '1.00', currency: 'EUR' }, score: 7 }
  expect((await manage('PUT', `/entities/${channel}/risk-rules`, { rules: [small] })).status).toBe(200)
  const [one, other] = [await pay(channel), await pay(channel)]
  expect([one.body.risk.score, other.body.result.code, other.body.risk.score]).toEqual(['7', '800.110.100', '7'])
  expect(other.body.resultDetails).toMatchObject({ RiskHits: 'small', DuplicateOf: one.body.id })
})

test('duplicates are found across a rotation of the fingerprint key', async () => {
  const channel = await channelWith(WINDOW)
  const first = await pay(channel)
  expect((await manage('POST', '/keys/rotate', { purpose: 'fingerprint' })).status).toBe(200)
  const { body } = await pay(channel)
  expect([body.result.code, body.resultDetails.DuplicateOf]).toEqual(['800.110.100', first.body.id])
})

test('equal rebills are duplicates', async () => {
  const channel = await channelWith({ ...REFERENCE, ...WINDOW })
  const order = { merchantTransactionId: newOrder() }
  const { body } = await pay(channel, order)
  const rebill = { entityId: channel, paymentType: 'RB', amount: '10.00', currency: 'EUR', ...order }
  const send10 = (changes: Parameters = {}) => send('POST', `/v1/payments/${body.id}`, { ...rebill, ...changes })
  const answers = await Promise.all(Array.from({ length: 10 }, () => send10()))
  const accepted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ body: each }) => each.result.code === '800.110.100')
  expect([accepted.length, refused.length]).toEqual([1, 9])
  expect(refused[0]?.body.resultDetails.DuplicateOf).toBe(accepted[0]?.body.id)
  expect((await send10({ amount: '92.00' })).body.resultDetails.DuplicateOf).toBe(body.id)
  expect((await send10({ amount: '11.00' })).status).toBe(200)
  clock.nowMs += 60_000
  expect((await send10()).status).toBe(200)
})

test('follow-ups may have the merchantTransactionId of their payment', async () => {
  const channel = await channelWith({ ...REFERENCE, ...WINDOW })
  const order = { merchantTransactionId: newOrder() }
  const { body } = await pay(channel, { ...order, paymentType: 'PA' })
  const capture = { entityId: channel, paymentType: 'CP', amount: '46.00', currency: 'EUR', ...order }
  for (let part = 0; part < 2; part += 1) {
    expect((await send('POST', `/v1/payments/${body.id}`, capture)).status).toBe(200)
  }
})
