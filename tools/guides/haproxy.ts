import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer, request as httpsRequest, type RequestOptions } from 'node:https'
import { connect, createServer as createTcpServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

// Takes the place of HAProxy in tests, on machines without it: `node haproxy.js -q -f <file>`. It reads the addresses,
// certificates and the check of the configurations in guides, forwards by the same rules, and ignores the rest.

const config = readFileSync(process.argv.at(-1) ?? '', 'utf8')

/** The value after a keyword of the configuration. */
const valueOf = (pattern: RegExp): string => {
  const [, value] = pattern.exec(config) ?? []
  if (value === undefined) throw new Error(`the configuration has no ${pattern.source}`)
  return value
}
const portsOf = (pattern: RegExp) => Array.from(config.matchAll(pattern), ([, port]) => Number(port))
const servers = portsOf(/^ *server \w+ 127\.0\.0\.1:(\d+)/gm)
const listening = Number(valueOf(/^ *bind 127\.0\.0\.1:(\d+)/m))

if (config.includes('mode tcp')) forwardConnections()
else await forwardRequests()

function forwardConnections(): void {
  const [port = 0] = servers
  createTcpServer((client) => {
    const onward = connect(port, '127.0.0.1')
    client.on('error', () => onward.destroy()).pipe(onward)
    onward.on('error', () => client.destroy()).pipe(client)
  }).listen(listening, '127.0.0.1')
}

async function forwardRequests(): Promise<void> {
  const pem = readFileSync(valueOf(/ ssl crt (\S+)/))
  const tls = { ca: readFileSync(valueOf(/ ca-file (\S+)/)), servername: valueOf(/ verifyhost (\S+)/) }
  const checkedPath = valueOf(/option httpchk GET (\S+)/)
  const readyCode = Number(valueOf(/http-check expect status (\d+)/))
  const failuresMax = Number(valueOf(/ fall (\d+)/))
  const optionsTo = (port: number): RequestOptions => ({ ...tls, host: '127.0.0.1', port })
  const inProgress = new Map(servers.map((port) => [port, 0]))
  const ready = new Set<number>()

  async function statusOf(port: number): Promise<number | undefined> {
    const sent = httpsRequest({ ...optionsTo(port), path: checkedPath, agent: false, timeout: 2_000 }).end()
    sent.on('timeout', () => sent.destroy())
    try {
      const [answer]: IncomingMessage[] = await once(sent, 'response')
      answer?.resume()
      return answer?.statusCode
    } catch {
      return undefined
    }
  }

  async function check(port: number): Promise<never> {
    for (let failures = 0; ; await delay(1_000)) {
      failures = (await statusOf(port)) === readyCode ? 0 : failures + 1
      if (failures === 0) ready.add(port)
      if (failures >= failuresMax) ready.delete(port)
    }
  }

  /**
   * Sends a request to the ready server with the fewest requests; to another one only if the connection or its TLS
   * handshake failed, so that no part of the request was sent (`retry-on conn-failure`).
   */
  function forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tried: readonly number[]): void {
    const candidates = [...ready].filter((server) => !tried.includes(server))
    const [port] = candidates.toSorted((a, b) => (inProgress.get(a) ?? 0) - (inProgress.get(b) ?? 0))
    if (port === undefined) return void outgoing.writeHead(503).end()
    const count = (change: number) => inProgress.set(port, (inProgress.get(port) ?? 0) + change)
    const { method, url, headers, socket: client } = incoming
    const forwarded = { 'x-forwarded-for': client.remoteAddress ?? '', 'x-forwarded-proto': 'https' }
    const options = { ...optionsTo(port), method, path: url, headers: { ...headers, ...forwarded }, agent: false }
    count(1)
    const sent = httpsRequest(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    let isConnected = false
    sent.on('socket', (socket) => void socket.once('secureConnect', () => (isConnected = true)))
    sent.on('close', () => count(-1))
    sent.on('error', () => {
      if (!isConnected) return forward(incoming, body, outgoing, [...tried, port])
      return outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()
    })
    sent.end(body)
  }

  for (const port of servers) void check(port)
  createHttpsServer({ cert: pem, key: pem }, (incoming, outgoing) => {
    void incoming.toArray().then((chunks: Buffer[]) => forward(incoming, Buffer.concat(chunks), outgoing, []))
  }).listen(listening, '127.0.0.1')
}
