import { createDecipheriv } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sandboxIds } from '@tollgate/gateway'
import { manage } from './manage.ts'
import type { GatewayProcess } from './process.ts'

// A merchant's endpoint on 127.0.0.1 that receives the events of the sandbox's payments.

/** The state of a receiver. up: accepts events. silent: never answers. down: refuses connections. */
export type ReceiverState = 'up' | 'silent' | 'down'

export interface Receiver {
  /** The accepted events by id, without test events: the text, and the number of deliveries. */
  readonly received: ReadonlyMap<string, { readonly text: string; times: number }>
  setState(state: ReceiverState): Promise<void>
  close(): Promise<void>
}

/** Starts a receiver in the state `up`, and registers it as an active webhook of the sandbox's channel. */
export async function subscribeReceiver(gateway: GatewayProcess): Promise<Receiver> {
  const received = new Map<string, { readonly text: string; times: number }>()
  let key = Buffer.alloc(0)
  let state: ReceiverState = 'up'
  function accept(headers: IncomingHttpHeaders, body: string): void {
    const event = decrypt(key, headers, body)
    const id = String(headers['webhook-id'])
    const earlier = received.get(id)
    if (earlier && earlier.text !== event) throw new Error(`event ${id} was delivered with two texts`)
    if (earlier) earlier.times += 1
    else if (!event.startsWith('{"type":"test"')) received.set(id, { text: event, times: 1 })
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state === 'silent') return
    try {
      accept(request.headers, await text(request))
      response.end()
    } catch {
      // The event cannot be decrypted, or was delivered before with another text.
      response.writeHead(500).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  const port = await listen(server, 0)
  const webhook = await manage<{ readonly id: string; readonly key: string }>(gateway, 'POST', '/webhooks', {
    entityId: sandboxIds.channel,
    url: `http://127.0.0.1:${port}/`,
  })
  key = Buffer.from(webhook.key, 'hex')
  await manage(gateway, 'POST', `/webhooks/${webhook.id}/test`)

  async function close(): Promise<void> {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    received,
    async setState(newState) {
      state = newState
      if (newState === 'down') await close()
      else if (!server.listening) await listen(server, port)
    },
    close,
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: boundPort }: AddressInfo = Object(server.address())
  return boundPort
}

function decrypt(key: Buffer, headers: IncomingHttpHeaders, body: string): string {
  const vector = Buffer.from(String(headers['x-initialization-vector']), 'hex')
  const decipher = createDecipheriv('aes-256-gcm', key, vector)
  decipher.setAuthTag(Buffer.from(String(headers['x-authentication-tag']), 'hex'))
  return decipher.update(body, 'hex', 'utf8') + decipher.final('utf8')
}
