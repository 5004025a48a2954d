import { createDecipheriv, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestGateway } from './test-gateway.ts'

/** A notification as received, and its decrypted content. */
export interface ReceivedNotification {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The decrypted body. */
  readonly text: string
  /** The parsed text, for assertions. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
  readonly isSigned: boolean
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** An endpoint of a merchant on 127.0.0.1. It decrypts notifications, and records whether they are signed. */
export interface Receiver {
  readonly url: string
  /** The keys with which the receiver decrypts notifications, 64 hexadecimal digits each. */
  readonly keys: string[]
  /** All notifications that the receiver could decrypt, except test deliveries. */
  readonly received: ReceivedNotification[]
  /** The number of received requests, including test deliveries. */
  requests: number
  /** Chooses the answer to a later request. A request that no key decrypts is always answered with 400. */
  answer: (received: ReceivedNotification) => Reply | Promise<Reply>
  close(): Promise<void>
}

const OK: Reply = { status: 200 }

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const { headers } = request
      receiver.requests += 1
      const received = decrypt(receiver.keys, headers, await text(request))
      if (received?.json.type === 'test') return receiver.answer(received)
      if (!received) return { status: 400, body: 'no key decrypts the body' }
      receiver.received.push(received)
      return receiver.answer(received)
    }
    void answer().then(({ status, headers = {}, body = '' }) => response.writeHead(status, headers).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the listening server has no port')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    keys: [],
    received: [],
    requests: 0,
    answer: () => OK,
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

function decrypt(
  keys: readonly string[],
  headers: IncomingHttpHeaders,
  body: string,
): ReceivedNotification | undefined {
  const hex = headers['content-type'] === 'application/json' ? String(JSON.parse(body).encryptedBody) : body
  for (const keyHex of keys) {
    const key = Buffer.from(keyHex, 'hex')
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(header('x-initialization-vector'), 'hex'))
    decipher.setAuthTag(Buffer.from(header('x-authentication-tag'), 'hex'))
    try {
      const plaintext = decipher.update(hex, 'hex', 'utf8') + decipher.final('utf8')
      const isSigned = isSignedBy(keyHex, headers, body)
      return { headers, body, text: plaintext, json: JSON.parse(plaintext), isSigned }
    } catch {
      // Another key may decrypt the body.
    }
  }
  return undefined

  function header(name: string): string {
    return String(headers[name])
  }
}

/** Whether one of the signatures was made with this key, 64 hexadecimal digits. */
export function isSignedBy(keyHex: string, headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  )
  const mac = createHmac('sha256', Buffer.from(keyHex, 'hex')).update(`${id}.${timestamp}.${body}`).digest('base64')
  return signatures?.split(' ').includes(`v1,${mac}`) ?? false
}

/** A receiver whose webhook is active. */
export interface SubscribedWebhook {
  readonly id: string
  readonly receiver: Receiver
}

/** Starts a receiver and creates an active webhook for it. @param body the webhook's settings except its url */
export async function subscribe({ manage }: TestGateway, body: object): Promise<SubscribedWebhook> {
  const receiver = await startReceiver()
  const { body: created } = await manage('POST', '/webhooks', { url: receiver.url, ...body })
  receiver.keys.push(created.key)
  const { body: testDelivery } = await manage('POST', `/webhooks/${created.id}/test`)
  if (testDelivery.webhook?.state !== 'active')
    throw new Error(`the test delivery failed: ${JSON.stringify(testDelivery)}`)
  return { id: created.id, receiver }
}
