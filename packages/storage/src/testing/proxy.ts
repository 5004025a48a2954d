import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between a client and a server, which a test can make fail. */
export interface Proxy {
  /** The address of the server, through the proxy. */
  readonly url: string
  /** From now on nothing comes back from the server, on any connection. */
  readonly mute: () => void
  /** From now on nothing reaches the server. */
  readonly hold: () => void
  /** Ends every connection on both sides, or on the client's alone; later ones work. */
  readonly cut: (sides?: 'both' | 'client') => void
  /**
   * From now on new connections are refused, and one dies. cut: the next on which `text` is sent ends. mute: it gets no
   * answer.
   */
  readonly lose: (way: 'cut' | 'mute', text: string) => void
  /** From now on new connections are refused, and the oldest ends. */
  readonly loseOldest: () => void
  /** Connections that are opened from now on lead to another server. */
  readonly leadTo: (server: string) => void
  readonly close: () => void
}

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
  isMute: boolean
}

/** @param server postgres://… */
export async function startProxy(server: string): Promise<Proxy> {
  let target = new URL(server)
  const pairs = new Set<Pair>()
  let [isMute, isHeld, isRefusing] = [false, false, false]
  let next: { readonly way: 'cut' | 'mute'; readonly text: string } | undefined
  const listener = createServer((client) => {
    if (isRefusing) {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    const pair: Pair = { client, upstream, isMute: false }
    pairs.add(pair)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('data', (data) => {
      const way = next && data.includes(next.text) ? next.way : undefined
      if (way) next = undefined
      if (way === 'cut') client.destroy()
      else if (!isHeld) upstream.write(data)
      if (way === 'mute') pair.isMute = true
    })
    upstream.on('data', (data) => {
      if (!isMute && !pair.isMute) client.write(data)
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
    ;[isMute, isHeld, isRefusing] = [false, false, false]
    for (const { client, upstream } of pairs) {
      if (sides === 'client') client.removeAllListeners('close')
      client.destroy()
      if (sides === 'both') upstream.destroy()
    }
    pairs.clear()
  }

  function lose(way: 'cut' | 'mute', text: string): void {
    isRefusing = true
    next = { way, text }
  }

  function loseOldest(): void {
    isRefusing = true
    const [oldest] = pairs
    oldest?.client.destroy()
  }

  return {
    url: url.href,
    mute: () => (isMute = true),
    hold: () => (isHeld = true),
    cut,
    lose,
    loseOldest,
    leadTo: (other) => (target = new URL(other)),
    close: () => {
      cut()
      listener.close()
    },
  }
}
