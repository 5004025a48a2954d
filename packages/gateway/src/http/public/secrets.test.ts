import { Secret } from '@tollgate/contract'
import { openMemory } from '@tollgate/storage'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../../limits.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  testGateway,
  type TestRequest,
} from '../../testing/test-gateway.ts'

const memory = openMemory()
const storageState = { depth: 0, isCommitRefused: false }
const tollgate = await testGateway({
  storage: {
    ...memory,
    depth: () => storageState.depth,
    commit: (unit) => (storageState.isCommitRefused ? Promise.reject(new Error('lost')) : memory.commit(unit)),
  },
})
afterAll(() => tollgate.close())
const { request, send } = tollgate

const WITH_TOKEN = { authorization: `Bearer ${sandboxToken}` }

const wipeSpy = vi.spyOn(Secret.prototype, 'wipe')
beforeEach(() => {
  wipeSpy.mockClear()
  Object.assign(storageState, { depth: 0, isCommitRefused: false })
})

/** The number of secrets wiped since `wipeSpy` was last cleared, and whether all their bytes are zero. */
const wipedSecrets = () => {
  const secrets = new Set(wipeSpy.mock.contexts.filter((context) => context instanceof Secret))
  const isZero = (secret: Secret) => secret.use((bytes) => bytes.every((byte) => byte === 0))
  return { count: secrets.size, areZero: [...secrets].every(isZero) }
}

const form = (changes = {}) => formOf({ entityId: sandboxIds.channel, ...cardPayment(changes) })
/** Sends a request and checks afterwards whether the bytes of its body are zero. */
const sendAndCheckBody = async (
  method: TestRequest['method'],
  url: string,
  sent = form(),
  headers: Parameters = WITH_TOKEN,
) => {
  const payload = Buffer.from(sent)
  const answer = await request({ method, url, headers: { 'content-type': FORM, ...headers }, payload })
  return { ...answer, isBodyErased: payload.every((byte) => byte === 0) }
}

interface Case {
  readonly name: string
  readonly method?: TestRequest['method']
  readonly url?: string
  readonly payload?: string
  readonly status: number
}

test.each<Case>([
  { name: 'an approved payment', status: 200 },
  { name: 'a declined payment', payload: form({ 'card.holder': '{800.100.152}' }), status: 400 },
  { name: 'a refused payment', payload: form({ 'card.cvv': '1234' }), status: 400 },
  { name: 'a registration', url: '/v1/registrations', payload: form({ paymentType: undefined }), status: 200 },
  { name: 'a wrong form', payload: form({ amount: 'x', 'card.number': 'x' }), status: 400 },
  { name: 'a payment of an unknown entity', payload: form({ entityId: '0'.repeat(32) }), status: 403 },
  { name: 'a capture of an unknown payment', url: '/v1/payments/x', payload: form({ paymentType: 'CP' }), status: 404 },
])('the card of $name is erased when the answer is sent', async ({ method, url, payload, status }) => {
  const answer = await sendAndCheckBody(method ?? 'POST', url ?? '/v1/payments', payload)
  expect([answer.status, answer.isBodyErased]).toEqual([status, true])
  expect(wipedSecrets()).toEqual({ count: 2, areZero: true })
})

test.each<Case>([
  { name: 'a request to an unknown path', url: '/v1/payment', status: 404 },
  { name: 'a request with a wrong method', method: 'DELETE', url: '/v1/payments', status: 405 },
  { name: 'a DELETE with its parameters in the body', method: 'DELETE', url: '/v1/registrations/x', status: 400 },
])('the body of $name is erased without being decoded', async ({ method, url, status }) => {
  const answer = await sendAndCheckBody(method ?? 'POST', url ?? '/v1/payments')
  expect([answer.status, answer.isBodyErased]).toEqual([status, true])
  expect(wipedSecrets().count).toBe(0)
})

test.each<{ name: string; changes: Parameters; secrets: number }>([
  {
    name: 'a token account',
    changes: {
      'tokenAccount.number': '4895370000000007',
      'tokenAccount.type': 'NETWORK',
      'tokenAccount.cryptogram': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
      'tokenAccount.dtvc': '123',
    },
    secrets: 5,
  },
  {
    name: 'a virtual account',
    changes: { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' },
    secrets: 3,
  },
  {
    name: 'a gift card',
    changes: { paymentBrand: 'HEB_GIFT_CARD', 'giftCard.number': '6006490000000012', 'giftCard.pin': '1234' },
    secrets: 4,
  },
  {
    name: 'a terminal',
    changes: {
      'pos.entryMode': 'ICC',
      'pos.terminalId': '42',
      'pos.encryptedSred.data': 'E5ED',
      'pos.encryptedPin.data': 'D1A1',
      'pos.iccDataRequest': '9F26',
    },
    secrets: 5,
  },
])('all secrets of $name are erased', async ({ changes, secrets }) => {
  expect((await sendAndCheckBody('POST', '/v1/payments', form(changes))).status).toBe(200)
  expect(wipedSecrets()).toEqual({ count: secrets, areZero: true })
})

test('the secrets that are decoded from the query of a GET are erased', async () => {
  expect((await sendAndCheckBody('GET', `/v1/payments/x?${form()}`, '')).status).toBe(400)
  expect(wipedSecrets()).toEqual({ count: 2, areZero: true })
})

test('the body of a request that is refused because of the load is erased without being decoded', async () => {
  storageState.depth = limits.commitDepthMax
  const { status, isBodyErased } = await sendAndCheckBody('POST', '/v1/payments')
  expect([status, isBodyErased, wipedSecrets().count]).toEqual([429, true, 0])
})

const legacyPayload = (login: Parameters) =>
  formOf({ ...cardPayment(), 'authentication.entityId': sandboxIds.legacyChannel, ...login })
const USER = { 'authentication.userId': sandboxIds.user }

test.each([
  { login: 'no login', payload: form(), status: 401, secrets: 0 },
  { login: 'a login without a password', payload: legacyPayload(USER), status: 401, secrets: 0 },
  // The password, and the token that is derived from it.
  {
    login: 'a wrong login',
    payload: legacyPayload({ ...USER, 'authentication.password': 'x' }),
    status: 403,
    secrets: 2,
  },
  {
    login: 'a login',
    payload: legacyPayload({ ...USER, 'authentication.password': 'sandbox' }),
    status: 200,
    secrets: 4,
  },
])(
  'the body of a request without a token and with $login is decoded as far as necessary, and erased',
  async ({ payload, status, secrets }) => {
    const { status: answeredStatus, isBodyErased } = await sendAndCheckBody('POST', '/v1/payments', payload, {})
    expect([answeredStatus, isBodyErased]).toEqual([status, true])
    expect(wipedSecrets()).toEqual({ count: secrets, areZero: true })
  },
)

test('the card of a request that fails with 500 is erased', async () => {
  storageState.isCommitRefused = true
  expect((await sendAndCheckBody('POST', '/v1/payments')).status).toBe(500)
  expect(wipedSecrets()).toEqual({ count: 2, areZero: true })
})

test.each([
  { name: 'that is charged', changes: {}, status: 200 },
  { name: 'with another brand', changes: { paymentBrand: 'MASTER' }, status: 400 },
  { name: 'in another test mode', changes: { testMode: 'EXTERNAL' }, status: 200 },
  { name: 'with an invalid amount', changes: { currency: 'JPY', amount: '1.50' }, status: 400 },
])('a stored card $name is erased after use', async ({ changes, status }) => {
  const { body } = await send('POST', '/v1/registrations', cardWithoutPayment())
  wipeSpy.mockClear()
  const debit = { amount: '92.00', currency: 'EUR', paymentType: 'DB', 'card.cvv': '123', ...changes }
  const answer = await send('POST', `/v1/registrations/${body.id}/payments`, debit)
  expect(answer.status).toBe(status)
  expect(wipedSecrets()).toEqual({ count: 2, areZero: true })
})
