import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Bytes that a side has sent: the client, which dialled, or the server. */
export interface Forwarded {
  readonly from: 'client' | 'server'
  readonly bytes: Uint8Array
}

/** A second address of a port of this machine. */
export interface Forwarder {
  readonly port: number
  /** The bytes of all connections, in the order of their arrival. */
  readonly forwarded: readonly Forwarded[]
  /** Ends all connections, and refuses further ones. */
  readonly close: () => void
}

/** Forwards connections to a port of this machine, and records their bytes. */
export async function forwardTo(target: number): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  const forwarded: Forwarded[] = []
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1')
    const sides = [
      ['client', client, onward],
      ['server', onward, client],
    ] as const
    for (const [from, source, sink] of sides) {
      sockets.add(source)
      source.on('error', () => sink.destroy()).on('close', () => sink.destroy())
      source.on('data', (chunk: Buffer) => void forwarded.push({ from, bytes: Uint8Array.from(chunk) }))
      source.pipe(sink)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(server.address())
  return {
    port,
    forwarded,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
