import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

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
  /** Holds the answers to posted requests until `loseHeld` or `reset`. They are counted in `held`. */
  readonly hold: () => void
  readonly loseHeld: () => void
  held: number
  /** Restores answers, sends those that are held, and removes faults that have not occurred. */
  readonly reset: () => void
  /** Whether the proxy accepts connections. */
  readonly setListening: (isListening: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

const headerNames = ['accept', 'authorization', 'content-type', 'idempotency-key'] as const

/** @param upstreamUrl the address of the upstream */
export async function startUpstreamProxy(upstreamUrl: string): Promise<UpstreamProxy> {
  const requests: SentRequest[] = []
  let gate: Gate | undefined
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
    if (gate && request.method === 'POST') {
      proxy.held += 1
      if ((await gate.opened) === 'lost') return void response.destroy()
    }
    const { status, body } = proxy.change(received, request)
    if (fault === 'answerLost' || status === 0) return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(body)
  }

  function openGate(fate: Fate): void {
    gate?.open(fate)
    gate = undefined
    proxy.held = 0
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
    hold() {
      gate = createGate()
    },
    loseHeld: () => openGate('lost'),
    held: 0,
    reset() {
      proxy.change = unchanged
      proxy.faults.splice(0)
      openGate('sent')
    },
    setListening: async (isListening) => void (isListening ? await listen(port) : await close()),
    close,
  }
  return proxy
}

/** What becomes of the answers that were held. */
type Fate = 'sent' | 'lost'

interface Gate {
  readonly opened: Promise<Fate>
  readonly open: (fate: Fate) => void
}

function createGate(): Gate {
  let open: Gate['open'] = () => undefined
  const opened = new Promise<Fate>((resolve) => {
    open = resolve
  })
  return { opened, open }
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
