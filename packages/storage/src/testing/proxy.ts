import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between clients and a server, whose connections a test can disrupt. */
export interface Proxy {
  /** The address of the server, through the proxy. */
  readonly url: string
  /** Drops all data of the server, on every connection. */
  readonly dropAnswers: () => void
  /** Drops all data to the server, on every connection. */
  readonly dropRequests: () => void
  /** Ends every connection on both sides, or only on the client's; later connections work. */
  readonly cut: (sides?: 'both' | 'client') => void
  /**
   * Refuses new connections, and disrupts the connection on which `text` is sent next. cut: the connection ends before
   * the server receives the text. silent: the server receives the text, but the client gets no answer.
   */
  readonly disrupt: (fault: 'cut' | 'silent', text: string) => void
  /** Refuses new connections, and ends the oldest existing connection. */
  readonly cutOldest: () => void
  /** Directs new connections to another server. */
  readonly redirectTo: (server: string) => void
  readonly close: () => void
}

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
  isSilent: boolean
}

/** @param server the address of the server, postgres://… */
export async function startProxy(server: string): Promise<Proxy> {
  let target = new URL(server)
  const pairs = new Set<Pair>()
  let [areAnswersDropped, areRequestsDropped, isRefusing] = [false, false, false]
  let nextFault: { readonly fault: 'cut' | 'silent'; readonly text: string } | undefined
  const listener = createServer((client) => {
    if (isRefusing) {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    const pair: Pair = { client, upstream, isSilent: false }
    pairs.add(pair)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('data', (data) => {
      const fault = nextFault && data.includes(nextFault.text) ? nextFault.fault : undefined
      if (fault) nextFault = undefined
      if (fault === 'cut') client.destroy()
      else if (!areRequestsDropped) upstream.write(data)
      if (fault === 'silent') pair.isSilent = true
    })
    upstream.on('data', (data) => {
      if (!areAnswersDropped && !pair.isSilent) client.write(data)
    })
    client.on('close', () => {
      pairs.delete(pair)
      upstream.end()
    })
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const url = new URL(server)
  url.port = String(typeof address === 'object' && address ? address.port : 0)

  function cut(sides: 'both' | 'client' = 'both'): void {
    ;[areAnswersDropped, areRequestsDropped, isRefusing] = [false, false, false]
    for (const { client, upstream } of pairs) {
      if (sides === 'client') client.removeAllListeners('close')
      client.destroy()
      if (sides === 'both') upstream.destroy()
    }
    pairs.clear()
  }

  function disrupt(fault: 'cut' | 'silent', text: string): void {
    isRefusing = true
    nextFault = { fault, text }
  }

  function cutOldest(): void {
    isRefusing = true
    const [oldest] = pairs
    oldest?.client.destroy()
  }

  return {
    url: url.href,
    dropAnswers: () => (areAnswersDropped = true),
    dropRequests: () => (areRequestsDropped = true),
    cut,
    disrupt,
    cutOldest,
    redirectTo: (newServer) => (target = new URL(newServer)),
    close: () => {
      cut()
      listener.close()
    },
  }
}
