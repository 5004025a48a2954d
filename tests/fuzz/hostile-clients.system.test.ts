import type { Socket } from 'node:net'
import { setTimeout as elapsed } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inParallel } from '../support/http.ts'
import { authorization, cardPayment } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type Random, randomOf } from '../support/random.ts'
import { openSocket, portIn, receivedBy, residentBytes } from '../support/raw-client.ts'

// Clients of all kinds against the four listeners of one process with a small heap. No client gets an answer of class
// 5xx, and the process stays within its memory.

const clientCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 20_000 : 150
const seed = Number(process.env['TOLLGATE_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const together = 48
const heapMegabytes = 160
/** The heap and the other memory: the program, buffers, pages of the database. */
const residentBytesMax = 500 * 1024 * 1024
/** The longest that a client waits for the end of its connection: a listener that is late is no failure. */
const patienceMs = 3_000

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ data: temporaryFolder(), execArgv: [`--max-old-space-size=${heapMegabytes}`] })
})
afterAll(cleanUp)

const form = new URLSearchParams(cardPayment()).toString()
const headed = (line: string, ...headers: readonly string[]) => [line, 'Host: localhost', ...headers]

/** A request that each listener serves, as the lines of its head and its body. */
interface Sample {
  readonly port: number
  readonly head: readonly string[]
  readonly body: string
}

function samples(): readonly (() => Sample)[] {
  const [{ port }, stdout] = [new URL(gateway.url), gateway.stdout()]
  const token = `Authorization: ${authorization['authorization']}`
  const key = 'Authorization: Bearer manage-sandbox'
  const ofForm = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`]
  const of = (at: number, head: readonly string[], body = '') => ({ port: at, head, body })
  return [
    () => of(Number(port), headed('POST /v1/payments HTTP/1.1', token, ...ofForm), form),
    () => of(portIn(stdout, 'management API'), headed('GET /manage/v1/entities HTTP/1.1', key)),
    () => of(portIn(stdout, 'sample shop'), headed('GET / HTTP/1.1')),
    () => of(portIn(stdout, 'banks and wallets'), headed('POST /bank/payments HTTP/1.1', ...ofForm), form),
    () => of(Number(port), headed('GET /v1/resultcodes HTTP/1.1')),
  ]
}

const textOf = ({ head, body }: Pick<Sample, 'head' | 'body'>, ...more: readonly string[]) =>
  `${[...head, ...more].join('\r\n')}\r\n\r\n${body}`
const closing = (sample: Sample) => textOf(sample, 'Connection: close')

/** Cuts a text in pieces at random places. */
function pieces(text: string, { below }: Random): readonly string[] {
  const cuts = Array.from({ length: 1 + below(6) }, () => below(text.length)).toSorted((a, b) => a - b)
  return [...cuts, text.length].map((end, index) => text.slice(cuts[index - 1] ?? 0, end))
}

/** Doubles some lines of a head, as they are or with another value. */
function doubled(head: readonly string[], { pick, chance }: Random): readonly string[] {
  const others = ['Host: other', 'Content-Length: 3', 'Transfer-Encoding: chunked', 'Connection: keep-alive', ' folded']
  const lines = head.slice(1).flatMap((line) => (chance(0.3) ? [line, pick([line, ...others])] : [line]))
  return [head[0] ?? '', ...lines, ...(chance(0.5) ? [pick(others)] : [])]
}

/** Actions of a client on its connection; the received bytes are checked afterwards. */
type Act = (socket: Socket, sample: Sample, random: Random) => Promise<unknown>

const kinds: Readonly<Record<string, Act>> = {
  async 'random bytes'(socket, sample, { below }) {
    const bytes = Buffer.from(closing(sample), 'latin1')
    for (let left = 1 + below(40); left > 0; left -= 1) bytes[below(bytes.length)] = below(256)
    socket.end(bytes)
  },
  async slow(socket, sample, random) {
    for (const piece of pieces(closing(sample), random)) {
      socket.write(piece)
      await elapsed(1 + random.below(20))
    }
  },
  async 'half-open'(socket, sample, { below, chance }) {
    const text = textOf(sample)
    socket.write(text.slice(0, below(text.length)))
    if (chance(0.5)) return socket.end()
    await elapsed(below(20))
    return socket.destroy()
  },
  async 'reading nothing'(socket, sample, { below }) {
    socket.pause()
    socket.write(textOf(sample).repeat(1 + below(60)))
    await elapsed(below(40))
    socket.destroy()
  },
  async split(socket, sample, random) {
    for (const piece of pieces(closing(sample), random)) {
      socket.write(piece)
      await elapsed(0)
    }
  },
  async 'with headers twice'(socket, sample, random) {
    socket.end(textOf({ ...sample, head: doubled(sample.head, random) }))
  },
  async pipelining(socket, sample, { below }) {
    socket.write(textOf(sample).repeat(1 + below(20)) + closing(sample))
  },
  async resetting(socket, sample, { below, chance }) {
    const text = textOf(sample).repeat(1 + below(4))
    socket.write(chance(0.5) ? text : text.slice(0, below(text.length)))
    if (chance(0.5)) await elapsed(below(10))
    socket.resetAndDestroy()
  },
}

test.each(Object.entries(kinds))(`${clientCount} clients of a kind: %s`, async (_kind, act) => {
  const all = samples()
  const failures: string[] = []
  const steps = Array.from({ length: clientCount }, (_, step) => step)
  await inParallel(steps, together, async (step) => {
    const sample = all[step % all.length]?.()
    if (!sample) return
    const socket = await openSocket(sample.port)
    const received = receivedBy(socket, patienceMs)
    await act(socket, sample, randomOf(seed, step))
    const [fault] = /^HTTP\/1\.1 5\d\d[^]{0,300}/m.exec(await received) ?? []
    if (fault !== undefined) failures.push(`${step} ${sample.head[0]}: ${fault}`)
  })
  expect(failures.slice(0, 3).join('\n\n'), `replay with TOLLGATE_TEST_SEED=${seed}`).toBe('')
  expect(gateway.stderr()).toBe('')
  expect((await gateway.client.send({ method: 'GET', path: '/healthz' })).status).toBe(200)
  expect((await gateway.pay(cardPayment())).status).toBe(200)
  expect(residentBytes(gateway.pid)).toBeLessThan(residentBytesMax)
})

test('afterwards it stops in order', async () => {
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
})
