import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { EndpointFigures, EndpointBehaviour } from './endpoints.ts'

// Endpoints of merchants in one process, each on its own port. They read only the id of an event, whose first digits
// are the event's creation time.
// Usage: webhook-receiver <number of endpoints>
// GET / returns the figures, POST /reset returns and clears them, POST /<index>/<behaviour> sets the behaviour of an
// endpoint: `up`, `silent` (never answers) or `dead` (closes its port for good).

/** Lags are counted by the millisecond; a lag above a minute is counted as a minute. */
const LAG_MS_MAX = 60_000

interface Endpoint {
  readonly server: Server
  readonly port: number
  behaviour: EndpointBehaviour
  readonly sockets: Set<Socket>
  count: number
  firstAtMs: number
  lastAtMs: number
  readonly lags: Uint32Array
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

/**
 * Opens an endpoint with only the part of HTTP that the gateway uses, because Node's HTTP server would take a fifth of
 * the machine's processor time from the gateway. Each connection has one request at a time, whose head and
 * Content-Length delimit it.
 */
async function openEndpoint(): Promise<Endpoint> {
  const server = createServer((socket) => {
    endpoint.sockets.add(socket)
    socket.once('close', () => endpoint.sockets.delete(socket)).on('error', () => undefined)
    let head = ''
    let missingBytes = 0
    socket.setNoDelay().on('data', (chunk) => {
      if (missingBytes > 0) missingBytes -= chunk.length
      else {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        missingBytes = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - head.length
      }
      if (missingBytes > 0 || endpoint.behaviour === 'silent') return
      record(endpoint, head)
      head = ''
      socket.write(OK)
    })
  })
  const port = await listen(server, 0)
  const lags = new Uint32Array(LAG_MS_MAX + 1)
  const figures = { count: 0, firstAtMs: 0, lastAtMs: 0, lags }
  const endpoint: Endpoint = { server, port, behaviour: 'up', sockets: new Set(), ...figures }
  return endpoint
}

function record(endpoint: Endpoint, head: string): void {
  const createdAtMs = Number.parseInt(/\r\nwebhook-id: ([0-9a-f]{12})/i.exec(head)?.[1] ?? '', 16)
  const lagMs = Math.min(Math.max(Date.now() - createdAtMs, 0), LAG_MS_MAX)
  endpoint.lags[lagMs] = (endpoint.lags[lagMs] ?? 0) + 1
  endpoint.lastAtMs = performance.now()
  if (endpoint.count === 0) endpoint.firstAtMs = endpoint.lastAtMs
  endpoint.count += 1
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo = Object(server.address())
  return address.port
}

function setBehaviour(endpoint: Endpoint, behaviour: EndpointBehaviour): void {
  endpoint.behaviour = behaviour
  if (behaviour !== 'dead') return
  endpoint.server.close()
  for (const socket of endpoint.sockets) socket.destroy()
}

function reset(endpoint: Endpoint): void {
  endpoint.count = 0
  endpoint.lags.fill(0)
}

const figuresOf = ({ port, count, firstAtMs, lastAtMs, lags }: Endpoint): EndpointFigures => ({
  url: `http://127.0.0.1:${port}/`,
  count,
  seconds: (lastAtMs - firstAtMs) / 1000,
  lags: Array.from(lags.entries()).filter(([, times]) => times > 0),
})

const endpoints = await Promise.all(Array.from({ length: Number(process.argv[2] ?? '1') }, openEndpoint))
const control = createHttpServer((request, response) => {
  const [, index = '', behaviour = ''] = /^\/(\d+)\/(up|silent|dead)$/.exec(request.url ?? '') ?? []
  const endpoint = endpoints[Number(index)]
  const figures = endpoints.map(figuresOf)
  if (request.url === '/reset') endpoints.forEach(reset)
  else if (endpoint && (behaviour === 'up' || behaviour === 'silent' || behaviour === 'dead'))
    setBehaviour(endpoint, behaviour)
  response.end(JSON.stringify(figures))
})
process.stdout.write(`Receiver listening on http://127.0.0.1:${await listen(control, 0)}\n`)
process.once('SIGTERM', () => process.exit(0))
