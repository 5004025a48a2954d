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
const UNIQUE_ID = { uniqueMerchantTransactionId: true }
const WINDOW = { duplicateWindowSeconds: 60 }

let orders = 0
const newOrder = () => `order-${String((orders += 1)).padStart(6, '0')}`
const pay = (entityId: string, changes: Parameters = {}, headers: Parameters = {}) =>
  send('POST', '/v1/payments', cardPayment({ entityId, ...changes }), headers)
const OTHER_CARD = { 'card.number': '4111111111111111' }
const DECLINED = { 'customParameters[forceResultCode]': '800.100.152' }

interface Row {
  readonly name: string
  readonly first?: Parameters
  readonly second: Parameters
  readonly afterMs?: number
  /** The result code of the second payment. */
  readonly code: string
}

/** Result codes of a second payment of an order, by the policies of its channel on duplicates. */
const policies: readonly { readonly policy: string; readonly settings: object; readonly rows: readonly Row[] }[] = [
  {
    policy: 'without a policy',
    settings: {},
    rows: [{ name: 'an equal payment', second: {}, code: '000.100.110' }],
  },
  {
    policy: 'uniqueMerchantTransactionId',
    settings: UNIQUE_ID,
    rows: [
      { name: 'an equal payment', second: {}, code: '800.130.100' },
      {
        name: 'a payment with another card, amount and type, but the same merchantTransactionId',
        second: { ...OTHER_CARD, amount: '1.00', paymentType: 'PA' },
        code: '800.130.100',
      },
      { name: 'an equal payment five years later', second: {}, afterMs: 5 * 365 * DAY_MS, code: '800.130.100' },
      { name: 'an equal payment after a declined payment', first: DECLINED, second: {}, code: '000.100.110' },
      { name: 'a declined payment', second: DECLINED, code: '800.100.152' },
      {
        name: 'a payment without a merchantTransactionId',
        second: { merchantTransactionId: undefined },
        code: '000.100.110',
      },
      {
        name: 'a second payment without a merchantTransactionId',
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
      { name: 'an equal payment', second: {}, code: '800.110.100' },
      { name: 'a payment of another type', second: { paymentType: 'PA' }, code: '800.110.100' },
      { name: 'an equal payment at the end of the window', second: {}, afterMs: 59_999, code: '800.110.100' },
      { name: 'an equal payment after the window', second: {}, afterMs: 60_000, code: '000.100.110' },
      { name: 'a payment with another card', second: OTHER_CARD, code: '000.100.110' },
      { name: 'a payment with another amount', second: { amount: '92.01' }, code: '000.100.110' },
      { name: 'a payment in another currency', second: { currency: 'USD' }, code: '000.100.110' },
      {
        name: 'a payment with another merchantTransactionId',
        second: { merchantTransactionId: 'another-order' },
        code: '000.100.110',
      },
      { name: 'an equal payment after a declined payment', first: DECLINED, second: {}, code: '000.100.110' },
      {
        name: 'a second payment without a merchantTransactionId',
        first: { merchantTransactionId: undefined },
        second: { merchantTransactionId: undefined },
        code: '800.110.100',
      },
    ],
  },
  {
    policy: 'both policies',
    settings: { ...UNIQUE_ID, ...WINDOW },
    rows: [{ name: 'an equal payment', second: {}, code: '800.130.100' }],
  },
]

describe.each(policies)('$policy', ({ settings, rows }) => {
  test.each(rows)('$name: $code', async ({ first = {}, second, afterMs = 0, code }) => {
    const channel = await channelWith(settings)
    const order = { merchantTransactionId: newOrder(), 'card.expiryYear': '2099' }
    const firstAnswer = await pay(channel, { ...order, ...first })
    clock.nowMs += afterMs
    const secondAnswer = await pay(channel, { ...order, ...second })
    const { status, body } = secondAnswer
    expect([status, body.result.code]).toEqual([code === '000.100.110' ? 200 : 400, code])
    const isDuplicate = code === '800.130.100' || code === '800.110.100'
    expect(body.resultDetails.DuplicateOf).toBe(isDuplicate ? firstAnswer.body.id : undefined)
    // A refused payment is stored, too.
    const read = await send('GET', `/v1/payments/${body.id}`, { entityId: channel })
    expect(comparableBody(read)).toEqual(comparableBody(secondAnswer))
  })
})

test('payments of different channels are not duplicates', async () => {
  const channel = await channelWith({ ...UNIQUE_ID, ...WINDOW })
  const otherChannel = await channelWith({ ...UNIQUE_ID, ...WINDOW })
  const order = { merchantTransactionId: newOrder() }
  expect([(await pay(channel, order)).status, (await pay(otherChannel, order)).status]).toEqual([200, 200])
})

describe.each([
  { settings: UNIQUE_ID, code: '800.130.100' },
  { settings: WINDOW, code: '800.110.100' },
])('of fifty concurrent payments with $settings', ({ settings, code }) => {
  test('one is accepted, and each refusal contains its id', async () => {
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

test('a payment with a stored card is a duplicate of a payment with the same card in its request', async () => {
  const channel = await channelWith(WINDOW)
  const { body } = await send('POST', '/v1/registrations', cardWithoutPayment({ entityId: channel }))
  await pay(channel)
  const money = { entityId: channel, paymentType: 'DB', amount: '92.00', currency: 'EUR' }
  const storedCardPayment = await send('POST', `/v1/registrations/${body.id}/payments`, money)
  expect(storedCardPayment.body.result.code).toBe('800.110.100')
})

test('the answer to a duplicate is replayed under its Idempotency-Key', async () => {
  const channel = await channelWith(WINDOW)
  await pay(channel)
  const headers = { 'idempotency-key': 'duplicate' }
  const duplicate = await pay(channel, {}, headers)
  const repeated = await pay(channel, {}, headers)
  expect([duplicate.body.result.code, repeated.text]).toEqual(['800.110.100', duplicate.text])
})

test('a refused duplicate has risk data', async () => {
  const channel = await channelWith(WINDOW)
  const small = { name: 'small', when: { kind: 'amount', above: '1.00', currency: 'EUR' }, score: 7 }
  expect((await manage('PUT', `/entities/${channel}/risk-rules`, { rules: [small] })).status).toBe(200)
  const [first, duplicate] = [await pay(channel), await pay(channel)]
  expect(first.body.risk.score).toBe('7')
  expect([duplicate.body.result.code, duplicate.body.risk.score]).toEqual(['800.110.100', '7'])
  expect(duplicate.body.resultDetails).toMatchObject({ RiskHits: 'small', DuplicateOf: first.body.id })
})

test('duplicates are detected across a rotation of the fingerprint key', async () => {
  const channel = await channelWith(WINDOW)
  const first = await pay(channel)
  expect((await manage('POST', '/keys/rotate', { purpose: 'fingerprint' })).status).toBe(200)
  const { body } = await pay(channel)
  expect([body.result.code, body.resultDetails.DuplicateOf]).toEqual(['800.110.100', first.body.id])
})

test('a rebill within the window is a duplicate of an equal rebill, or of a payment with the same amount', async () => {
  const channel = await channelWith({ ...UNIQUE_ID, ...WINDOW })
  const order = { merchantTransactionId: newOrder() }
  const { body } = await pay(channel, order)
  const rebill = { entityId: channel, paymentType: 'RB', amount: '10.00', currency: 'EUR', ...order }
  const sendRebill = (changes: Parameters = {}) => send('POST', `/v1/payments/${body.id}`, { ...rebill, ...changes })
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendRebill()))
  const accepted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter((answer) => answer.body.result.code === '800.110.100')
  expect([accepted.length, refused.length]).toEqual([1, 9])
  expect(refused[0]?.body.resultDetails.DuplicateOf).toBe(accepted[0]?.body.id)
  expect((await sendRebill({ amount: '92.00' })).body.resultDetails.DuplicateOf).toBe(body.id)
  expect((await sendRebill({ amount: '11.00' })).status).toBe(200)
  clock.nowMs += 60_000
  expect((await sendRebill()).status).toBe(200)
})

test('captures may have the merchantTransactionId of their payment', async () => {
  const channel = await channelWith({ ...UNIQUE_ID, ...WINDOW })
  const order = { merchantTransactionId: newOrder() }
  const { body } = await pay(channel, { ...order, paymentType: 'PA' })
  const capture = { entityId: channel, paymentType: 'CP', amount: '46.00', currency: 'EUR', ...order }
  for (let part = 0; part < 2; part += 1) {
    expect((await send('POST', `/v1/payments/${body.id}`, capture)).status).toBe(200)
  }
})
