import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { limits } from '../limits.ts'
import { plain } from './answers.ts'
import type { Handle, SimulatorRequest, SimulatorResponse } from './exchange.ts'

/** Something that listens. */
export interface Host {
  /** How it is reached, without a slash at its end. */
  readonly url: string
  /** Takes no new connection, and resolves when what is under way has its answer, after five seconds at the latest. */
  close(): Promise<void>
}

/** Where something listens. */
export interface Address {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** The name by which browsers and the gateway reach it, where `host` is the address of all interfaces. */
  readonly publicHost?: string | undefined
  /** Makes the server, such as one with further bounds on connections; Node's by default. */
  readonly createServer?: ((options: ServerOptions, handler: RequestListener) => Server) | undefined
}

/**
 * Puts a handler behind a socket.
 *
 * @param handlerAt makes the handler, given the address at which it is reached
 * @throws what `listen` reports, such as EADDRINUSE
 */
export async function startHost(
  { host, port, publicHost = host, createServer: create = createServer }: Address,
  handlerAt: (url: string) => Handle,
): Promise<Host> {
  let handle: Handle = async () => plain(503, 'starting\n')
  const server = create(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
    },
    (incoming, outgoing) => {
      void answer(incoming, handle).then(({ status, headers, body }) =>
        outgoing.writeHead(status, headers).end(incoming.method === 'HEAD' ? undefined : body),
      )
    },
  )
  // An issuer that is never heard of again is a test, too; somebody has to end the wait.
  server.timeout = limits.silenceMs
  server.maxConnections = limits.connectionsMax
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const url = `http://${publicHost.includes(':') ? `[${publicHost}]` : publicHost}:${portOf(server)}`
  handle = handlerAt(url)
  return { url, close: () => drain(server) }
}

/** Where a server listens that does. */
export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function answer(incoming: IncomingMessage, handle: Handle): Promise<SimulatorResponse> {
  const close = { connection: 'close' }
  try {
    const { method = '', url = '' } = incoming
    if (url.length > limits.pathCharsMax) return plain(414, 'the address is too long\n', close)
    const body = await bodyOf(incoming)
    if (body === undefined) return plain(413, `a body has ${limits.bodyBytesMax} bytes at most\n`, close)
    const [path = '', query = ''] = url.split('?', 2)
    return await handle({ method, path, query, headers: headersOf(incoming), body })
  } catch (error) {
    // The client has gone in the middle of its body.
    if (incoming.errored) return plain(400, 'the body did not arrive\n', close)
    process.stderr.write(`simulators: ${error instanceof Error ? error.stack : String(error)}\n`)
    return plain(500, 'the simulator failed; its log says why\n', close)
  }
}

/** undefined: too long. */
async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  // What is too long is not read to its end, yet answered: so the stream stays open.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > limits.bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function headersOf({ headers }: IncomingMessage): SimulatorRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.join(', ')]),
  )
}

async function drain(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), limits.drainTimeoutMs)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(late)
}
