import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

// A proxy between a gateway and its upstream, which loses requests and answers, and changes answers.

/** What becomes of a request: it is lost, or its answer is. */
export type UpstreamFault = 'requestLost' | 'answerLost'

/** A request of the gateway to its upstream. */
export interface SentRequest {
  readonly method: string
  /** The path with the query. */
  readonly path: string
  /** The headers of the contract. */
  readonly headers: Readonly<Record<string, string>>
  readonly form: string
}

/** An answer of the upstream. The proxy closes the connection of an answer with the status 0. */
export interface ProxiedAnswer {
  readonly status: number
  readonly body: string
}

export interface UpstreamProxy {
  readonly url: string
  readonly requests: readonly SentRequest[]
  /** The faults of the next requests that are posted, in their order. */
  readonly faults: UpstreamFault[]
  /** Replaces answers of the upstream. */
  change: (answer: ProxiedAnswer, request: SentRequest) => ProxiedAnswer
  /** The delay of each answer. */
  delayMs: number
  /** Restores answers, and removes faults that have not occurred. */
  readonly reset: () => void
  /** Whether the proxy accepts connections. */
  readonly setListening: (isListening: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

const headerNames = ['accept', 'authorization', 'content-type', 'idempotency-key'] as const

/** @param upstreamUrl the address of the upstream */
export async function startUpstreamProxy(upstreamUrl: string): Promise<UpstreamProxy> {
  const requests: SentRequest[] = []
  const unchanged: UpstreamProxy['change'] = (answer) => answer

  async function forward({ method, path, headers, form }: SentRequest): Promise<ProxiedAnswer> {
    const response = await fetch(upstreamUrl + path, { method, headers, ...(method === 'POST' && { body: form }) })
    return { status: response.status, body: await response.text() }
  }

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await requestOf(incoming)
    requests.push(request)
    const fault = request.method === 'POST' ? proxy.faults.shift() : undefined
    if (fault === 'requestLost') return void response.destroy()
    const received = await forward(request)
    if (proxy.delayMs > 0) await setTimeout(proxy.delayMs)
    const { status, body } = proxy.change(received, request)
    if (fault === 'answerLost' || status === 0) return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(body)
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy())
  })
  async function listen(port: number): Promise<number> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address: AddressInfo = Object(server.address())
    return address.port
  }
  async function close(): Promise<void> {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const port = await listen(0)
  const proxy: UpstreamProxy = {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults: [],
    change: unchanged,
    delayMs: 0,
    reset() {
      proxy.change = unchanged
      proxy.delayMs = 0
      proxy.faults.splice(0)
    },
    setListening: async (isListening) => void (isListening ? await listen(port) : await close()),
    close,
  }
  return proxy
}

async function requestOf(incoming: IncomingMessage): Promise<SentRequest> {
  const form = (await buffer(incoming)).toString()
  const headers: Record<string, string> = {}
  for (const name of headerNames) {
    const value = incoming.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers, form }
}
