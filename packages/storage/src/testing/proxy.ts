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
  readonly close: () => void
}

/** @param server postgres://… */
export async function startProxy(server: string): Promise<Proxy> {
  const target = new URL(server)
  const pairs = new Set<readonly [Socket, Socket]>()
  let [isMute, isHeld] = [false, false]
  const listener = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const socket of pair) socket.on('error', () => {})
    client.on('data', (data) => !isHeld && upstream.write(data))
    upstream.on('data', (data) => !isMute && client.write(data))
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const url = new URL(server)
  url.port = String(typeof address === 'object' && address ? address.port : 0)

  function cut(sides: 'both' | 'client' = 'both'): void {
    ;[isMute, isHeld] = [false, false]
    for (const [client, upstream] of pairs) {
      if (sides === 'client') client.removeAllListeners('close')
      client.destroy()
      if (sides === 'both') upstream.destroy()
    }
    pairs.clear()
  }

  return {
    url: url.href,
    mute: () => (isMute = true),
    hold: () => (isHeld = true),
    cut,
    close: () => {
      cut()
      listener.close()
    },
  }
}
