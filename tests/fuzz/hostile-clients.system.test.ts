import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inParallel } from '../support/http.ts'
import { authorization, cardPayment } from '../support/payments.ts'
import { residentBytes } from '../support/process-memory.ts'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { type Random, randomOf } from '../support/random.ts'
import { openSocket, receivedBy } from '../support/raw-client.ts'

// The tests connect hostile clients of several kinds to the four HTTP listeners of one process with a small heap. No
// client receives an answer of class 5xx, and the process stays within its memory bound.

const clientCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 20_000 : 150
const seed = Number(process.env['TOLLGATE_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const concurrentClients = 48
const heapMegabytes = 160
/** The bound of all memory: the heap, the program, buffers and pages of the database. */
const residentBytesMax = 500 * 1024 * 1024
/** The longest wait for the end of a connection. A connection that ends later is not a failure. */
const waitMsMax = 3_000

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ data: temporaryFolder(), execArgv: [`--max-old-space-size=${heapMegabytes}`] })
  // Clients that pipeline payments would use up the default rate of the merchant, whose payment ends each test.
  const manage = `http://127.0.0.1:${portIn(gateway.stdout(), 'management API')}/manage/v1`
  const changed = await fetch(`${manage}/entities/${sandboxIds.channel}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer manage-sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ settings: { throttle: { createPayment: 1_000_000 } } }),
  })
  expect(changed.status).toBe(200)
})
afterAll(cleanUp)

const form = new URLSearchParams(cardPayment()).toString()
const headOf = (line: string, ...headers: readonly string[]) => [line, 'Host: localhost', ...headers]

/** A valid request to a listener: the lines of its head, and its body. */
interface Sample {
  readonly port: number
  readonly head: readonly string[]
  readonly body: string
}

function samples(): readonly (() => Sample)[] {
  const [{ port }, stdout] = [new URL(gateway.url), gateway.stdout()]
  const token = `Authorization: ${authorization['authorization']}`
  const key = 'Authorization: Bearer manage-sandbox'
  const formHeaders = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`]
  const sampleOf = (listener: number, head: readonly string[], body = '') => ({ port: listener, head, body })
  return [
    () => sampleOf(Number(port), headOf('POST /v1/payments HTTP/1.1', token, ...formHeaders), form),
    () => sampleOf(portIn(stdout, 'management API'), headOf('GET /manage/v1/entities HTTP/1.1', key)),
    () => sampleOf(portIn(stdout, 'sample shop'), headOf('GET / HTTP/1.1')),
    () => sampleOf(portIn(stdout, 'banks and wallets'), headOf('POST /bank/payments HTTP/1.1', ...formHeaders), form),
    () => sampleOf(Number(port), headOf('GET /v1/resultcodes HTTP/1.1')),
  ]
}

const textOf = ({ head, body }: Pick<Sample, 'head' | 'body'>, ...headers: readonly string[]) =>
  `${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`
const closingTextOf = (sample: Sample) => textOf(sample, 'Connection: close')

/** Cuts a text into pieces at random positions. */
function cut(text: string, { below }: Random): readonly string[] {
  const cuts = Array.from({ length: 1 + below(6) }, () => below(text.length)).toSorted((a, b) => a - b)
  return [...cuts, text.length].map((end, index) => text.slice(cuts[index - 1] ?? 0, end))
}

/** Adds lines to a head: repetitions of its lines, and headers that may contradict it. */
function withRepeatedLines(head: readonly string[], { pick, chance }: Random): readonly string[] {
  const otherLines = [
    'Host: other',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    'Connection: keep-alive',
    ' folded',
  ]
  const lines = head.slice(1).flatMap((line) => (chance(0.3) ? [line, pick([line, ...otherLines])] : [line]))
  return [head[0] ?? '', ...lines, ...(chance(0.5) ? [pick(otherLines)] : [])]
}

/** The actions of a client on its connection. The received bytes are checked afterwards. */
type ClientBehaviour = (socket: Socket, sample: Sample, random: Random) => Promise<unknown>

const behaviours: Readonly<Record<string, ClientBehaviour>> = {
  async 'corrupting random bytes'(socket, sample, { below }) {
    const bytes = Buffer.from(closingTextOf(sample), 'latin1')
    for (let remaining = 1 + below(40); remaining > 0; remaining -= 1) bytes[below(bytes.length)] = below(256)
    socket.end(bytes)
  },
  async 'sending slowly'(socket, sample, random) {
    for (const piece of cut(closingTextOf(sample), random)) {
      socket.write(piece)
      await delay(1 + random.below(20))
    }
  },
  async 'leaving half a request'(socket, sample, { below, chance }) {
    const text = textOf(sample)
    socket.write(text.slice(0, below(text.length)))
    if (chance(0.5)) return socket.end()
    await delay(below(20))
    return socket.destroy()
  },
  async 'not reading'(socket, sample, { below }) {
    socket.pause()
    socket.write(textOf(sample).repeat(1 + below(60)))
    await delay(below(40))
    socket.destroy()
  },
  async 'sending in pieces'(socket, sample, random) {
    for (const piece of cut(closingTextOf(sample), random)) {
      socket.write(piece)
      await delay(0)
    }
  },
  async 'repeating headers'(socket, sample, random) {
    socket.end(textOf({ ...sample, head: withRepeatedLines(sample.head, random) }))
  },
  async pipelining(socket, sample, { below }) {
    socket.write(textOf(sample).repeat(1 + below(20)) + closingTextOf(sample))
  },
  async resetting(socket, sample, { below, chance }) {
    const text = textOf(sample).repeat(1 + below(4))
    socket.write(chance(0.5) ? text : text.slice(0, below(text.length)))
    if (chance(0.5)) await delay(below(10))
    socket.resetAndDestroy()
  },
}

test.each(Object.entries(behaviours))(
  `${clientCount} hostile clients receive no server error: %s`,
  async (_name, behave) => {
    const listenerSamples = samples()
    const failures: string[] = []
    const steps = Array.from({ length: clientCount }, (_, step) => step)
    await inParallel(steps, concurrentClients, async (step) => {
      const sample = listenerSamples[step % listenerSamples.length]?.()
      if (!sample) return
      const socket = await openSocket(sample.port)
      const received = receivedBy(socket, waitMsMax)
      await behave(socket, sample, randomOf(seed, step))
      const [serverError] = /^HTTP\/1\.1 5\d\d[^]{0,300}/m.exec(await received) ?? []
      if (serverError !== undefined) failures.push(`${step} ${sample.head[0]}: ${serverError}`)
    })
    expect(failures.slice(0, 3).join('\n\n'), `replay with TOLLGATE_TEST_SEED=${seed}`).toBe('')
    expect(gateway.stderr()).toBe('')
    expect((await gateway.client.send({ method: 'GET', path: '/healthz' })).status).toBe(200)
    expect((await gateway.pay(cardPayment())).status).toBe(200)
    expect(residentBytes(gateway.pid)).toBeLessThan(residentBytesMax)
  },
)

test('the gateway stops with exit code 0 after the hostile clients', async () => {
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
})
