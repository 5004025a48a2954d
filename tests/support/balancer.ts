import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A minimal balancer: each request goes to the next server that is ready. */
export interface Balancer {
  readonly url: string
  /** Replaces the servers. */
  readonly setServers: (urls: readonly string[]) => void
  /** The addresses of the servers that were ready at the last check. */
  readonly ready: () => readonly string[]
  readonly close: () => Promise<void>
}

/** The interval between checks of the servers. */
const CHECK_MS = 50

export async function startBalancer(): Promise<Balancer> {
  let servers: readonly string[] = []
  let ready: readonly string[] = []
  let nextServer = 0
  let isClosed = false
  const agent = new Agent({ keepAlive: true })

  async function check(): Promise<void> {
    while (!isClosed) {
      const checks = servers.map(async (url) => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true)
      const answers = await Promise.all(checks)
      ready = servers.filter((_, index) => answers[index])
      await delay(CHECK_MS)
    }
  }

  function forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tries = 0): void {
    const url = ready[(nextServer += 1) % ready.length]
    if (url === undefined) return void outgoing.writeHead(503).end()
    const forwarded = { 'x-forwarded-for': incoming.socket.remoteAddress ?? '', 'x-forwarded-proto': 'https' }
    const { method, headers, url: path } = incoming
    const sent = request(url + (path ?? ''), { agent, method, headers: { ...headers, ...forwarded } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', (error) => {
      // The request was not sent, so another server may process it.
      if ('code' in error && error.code === 'ECONNREFUSED' && tries < 3)
        return forward(incoming, body, outgoing, tries + 1)
      outgoing.destroy()
    })
    sent.end(body)
  }

  const server = createServer((incoming, outgoing) => {
    void incoming.toArray().then((chunks: Buffer[]) => forward(incoming, Buffer.concat(chunks), outgoing))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const checking = check()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    setServers: (urls) => (servers = urls),
    ready: () => ready,
    close: async () => {
      isClosed = true
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await checking
    },
  }
}
