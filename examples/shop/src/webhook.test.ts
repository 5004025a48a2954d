import { createCipheriv, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { codes, PAYMENT, result, testShop, WEBHOOK_KEY } from './testing/test-shop.ts'

const shop = testShop()

/** Sends a notification as the gateway does. */
async function notify(notification: object, { key = WEBHOOK_KEY, ageSeconds = 0 } = {}): Promise<number> {
  const bytes = Buffer.from(key, 'hex')
  const iv = Buffer.alloc(12, 7)
  const cipher = createCipheriv('aes-256-gcm', bytes, iv)
  const body = cipher.update(JSON.stringify(notification), 'utf8', 'hex') + cipher.final('hex')
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const signature = createHmac('sha256', bytes).update(`event-1.${timestamp}.${body}`).digest('base64')
  const response = await shop().server.inject({
    method: 'POST',
    url: '/webhook',
    headers: {
      'content-type': 'text/plain',
      'webhook-id': 'event-1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,AAAA v1,${signature}`,
      'x-initialization-vector': iv.toString('hex'),
      'x-authentication-tag': cipher.getAuthTag().toString('hex'),
    },
    payload: body,
  })
  expect(response.headers['set-cookie']).toBeUndefined()
  return response.statusCode
}

/** The payload of a notification for the last order. */
const payload = (code: string) => {
  const { merchantTransactionId, amount, currency } = shop().lastForm
  return { id: PAYMENT, merchantTransactionId, amount, currency, ...result(code) }
}

test('an order is completed exactly once, even if the shopper does not return', async () => {
  await shop().startCheckout()
  const notification = { type: 'PAYMENT', payload: payload(codes.approved) }
  expect(await notify(notification)).toBe(204)
  expect((await shop().get('/cart')).body).toContain('nothing in it')
  await shop().fillCart()
  expect(await notify(notification)).toBe(204)
  expect((await shop().get('/cart')).body).toContain('€25.00')
})

test('a declined payment does not empty the cart', async () => {
  await shop().startCheckout()
  expect(await notify({ type: 'PAYMENT', payload: payload(codes.declined) })).toBe(204)
  expect((await shop().get('/cart')).body).toContain('€25.00')
})

test.each([
  { type: 'test', action: 'webhook activation', payload: {} },
  { type: 'PAYMENT', payload: { merchantTransactionId: 'of another shop', ...result(codes.approved) } },
])('a notification for no order of the shop is accepted: $type', async (notification) => {
  expect(await notify(notification)).toBe(204)
})

test.each([
  ['with another key', { key: 'f0'.repeat(32) }],
  ['ten minutes ago', { ageSeconds: 600 }],
])('a notification that was signed %s is refused', async (_, options) => {
  await shop().startCheckout()
  expect(await notify({ type: 'PAYMENT', payload: payload(codes.approved) }, options)).toBe(401)
  expect((await shop().get('/cart')).body).toContain('€25.00')
})

test('an unsigned notification is refused', async () => {
  const response = await shop().server.inject({ method: 'POST', url: '/webhook', payload: { type: 'PAYMENT' } })
  expect(response.statusCode).toBe(401)
})
