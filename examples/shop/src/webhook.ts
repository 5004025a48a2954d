import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { completeOrder } from './complete-order.ts'
import { type GatewayAnswer, isAnswer } from './gateway.ts'
import { limits } from './limits.ts'
import type { Shop } from './context.ts'

/**
 * Adds step 4: the gateway reports every payment to `/webhook`, even if the shopper has closed the browser. Register
 * this address with `tollgate webhook create`, and start the shop with the key that the command prints.
 */
export function addWebhook(server: FastifyInstance, shop: Shop): void {
  server.post<{ Body: string }>('/webhook', async ({ headers, body }, reply) => {
    const key = Buffer.from(shop.webhookKey ?? '', 'hex')
    if (shop.webhookKey === undefined || !isGenuine(key, headers, body)) return reply.code(401).send()
    const { type, payload } = decrypt(key, headers, body)
    const order = shop.orders.find(payload?.merchantTransactionId ?? '')
    // A notification may be repeated, and the shopper may have returned already, but an order is completed only once.
    if (type === 'PAYMENT' && payload && order) await completeOrder(shop, order, payload)
    return reply.code(204).send()
  })
}

/**
 * Whether the timestamp is recent and one of the signatures is valid. A signature is the base64 of an HMAC-SHA256 of
 * `<webhook-id>.<webhook-timestamp>.<body>`.
 */
function isGenuine(key: Buffer, headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > limits.notificationAgeSecondsMax) return false
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest()
  return String(signatures)
    .split(' ')
    .some((signature) => {
      const received = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
      return received.length === expected.length && timingSafeEqual(received, expected)
    })
}

interface Notification {
  readonly type: string
  readonly payload: GatewayAnswer | undefined
}

/** Decrypts a notification. The hexadecimal digits of its body are the AES-256-GCM ciphertext under the key. */
function decrypt(key: Buffer, headers: IncomingHttpHeaders, body: string): Notification {
  const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex')
  const decipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'), { authTagLength: 16 })
  decipher.setAuthTag(bytesOf('x-authentication-tag'))
  const { type, payload }: { type: string; payload: unknown } = JSON.parse(
    decipher.update(body, 'hex', 'utf8') + decipher.final('utf8'),
  )
  return { type, payload: isAnswer(payload) ? payload : undefined }
}
