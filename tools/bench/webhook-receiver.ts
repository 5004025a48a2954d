import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EndpointFigures, Manner } from './endpoints.ts'

// Merchants' endpoints in a process of their own, each on a port of its own. They read nothing but the id of an event,
// whose first digits are the moment at which it was made. Usage: webhook-receiver <number of endpoints>
// GET / tells what came, POST /reset forgets it, POST /<index>/<manner> sets what an endpoint does from now on.

/** Lags are counted by the millisecond up to a minute. */
const LAG_MS_MAX = 60_000

interface Endpoint {
  readonly server: Server
  readonly port: number
  manner: Manner
  readonly held: Set<ServerResponse>
  count: number
  firstAtMs: number
  lastAtMs: number
  readonly lags: Uint32Array
}

async function open(): Promise<Endpoint> {
  const server = createServer((request, response) => {
    request.resume()
    if (endpoint.manner === 'silent') return void endpoint.held.add(response)
    const nowMs = Date.now()
    const madeAtMs = Number.parseInt(String(request.headers['webhook-id']).slice(0, 12), 16)
    const lagMs = Math.min(Math.max(nowMs - madeAtMs, 0), LAG_MS_MAX)
    endpoint.lags[lagMs] = (endpoint.lags[lagMs] ?? 0) + 1
    if (endpoint.count === 0) endpoint.firstAtMs = performance.now()
    endpoint.count += 1
    endpoint.lastAtMs = performance.now()
    response.end()
  })
  server.keepAliveTimeout = 30_000
  const port = await listen(server, 0)
  const lags = new Uint32Array(LAG_MS_MAX + 1)
  const figures = { count: 0, firstAtMs: 0, lastAtMs: 0, lags }
  const endpoint: Endpoint = { server, port, manner: 'up', held: new Set(), ...figures }
  return endpoint
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo = Object(server.address())
  return address.port
}

function behave(endpoint: Endpoint, manner: Manner): void {
  endpoint.manner = manner
  if (manner !== 'dead') return
  endpoint.server.close()
  endpoint.server.closeAllConnections()
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

const endpoints = await Promise.all(Array.from({ length: Number(process.argv[2] ?? '1') }, open))
const control = createServer((request, response) => {
  const [, index = '', manner = ''] = /^\/(\d+)\/(up|silent|dead)$/.exec(request.url ?? '') ?? []
  const endpoint = endpoints[Number(index)]
  if (request.url === '/reset') for (const each of endpoints) reset(each)
  else if (endpoint && (manner === 'up' || manner === 'silent' || manner === 'dead')) behave(endpoint, manner)
  response.end(JSON.stringify(endpoints.map(figuresOf)))
})
process.stdout.write(`Receiver listening on http://127.0.0.1:${await listen(control, 0)}\n`)
process.once('SIGTERM', () => process.exit(0))
