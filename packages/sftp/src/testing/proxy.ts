import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy on TCP that breaks connections off. */
export interface BreakingProxy {
  readonly port: number
  /** Destroys the next connection after so many bytes from its client. */
  readonly breakAfter: (bytes: number) => void
  readonly close: () => Promise<void>
}

/** Starts a proxy to a port of this machine. */
export async function startProxy(target: number): Promise<BreakingProxy> {
  const sockets = new Set<Socket>()
  let bytesOfNext: number | undefined
  const server = createServer((client) => {
    const onward = connect({ port: target, host: '127.0.0.1', noDelay: true })
    client.setNoDelay()
    let left = bytesOfNext ?? Number.POSITIVE_INFINITY
    bytesOfNext = undefined
    for (const socket of [client, onward]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        onward.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) client.destroy()
    })
    client.pipe(onward).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    breakAfter(bytes) {
      bytesOfNext = bytes
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
