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

/** How a receiver behaves. up: accepts events. silent: never answers. down: refuses connections. */
export type Manner = 'up' | 'silent' | 'down'

export interface Receiver {
  /** The accepted events: the text of each by its id, and how often it came. */
  readonly taken: ReadonlyMap<string, { readonly text: string; times: number }>
  behave(manner: Manner): Promise<void>
  close(): Promise<void>
}

/** Starts a receiver and registers it as a webhook of the sandbox's channel; it is up, and its webhook active. */
export async function subscribeReceiver(gateway: GatewayProcess): Promise<Receiver> {
  const taken = new Map<string, { readonly text: string; times: number }>()
  let key = Buffer.alloc(0)
  let manner: Manner = 'up'
  function take(headers: IncomingHttpHeaders, body: string): void {
    const opened = decrypt(key, headers, body)
    const id = String(headers['webhook-id'])
    const known = taken.get(id)
    if (known && known.text !== opened) throw new Error(`${id} came with two texts`)
    if (known) known.times += 1
    else if (!opened.startsWith('{"type":"test"')) taken.set(id, { text: opened, times: 1 })
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (manner === 'silent') return
    try {
      take(request.headers, await text(request))
      response.end()
    } catch {
      // An event that cannot be decrypted is refused, and so found missing.
      response.writeHead(500).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  const port = await listen(server, 0)
  const made = await manage<{ readonly id: string; readonly key: string }>(gateway, 'POST', '/webhooks', {
    entityId: sandboxIds.channel,
    url: `http://127.0.0.1:${port}/`,
  })
  key = Buffer.from(made.key, 'hex')
  await manage(gateway, 'POST', `/webhooks/${made.id}/test`)

  async function close(): Promise<void> {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    taken,
    async behave(next) {
      manner = next
      if (next === 'down') await close()
      else if (!server.listening) await listen(server, port)
    },
    close,
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken }: AddressInfo = Object(server.address())
  return taken
}

function decrypt(key: Buffer, headers: IncomingHttpHeaders, body: string): string {
  const vector = Buffer.from(String(headers['x-initialization-vector']), 'hex')
  const decipher = createDecipheriv('aes-256-gcm', key, vector)
  decipher.setAuthTag(Buffer.from(String(headers['x-authentication-tag']), 'hex'))
  return decipher.update(body, 'hex', 'utf8') + decipher.final('utf8')
}
