import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createLatencies, type LatencyFigures } from './latencies.ts'
import { bodyOf, type PreparedRequest } from './workload.ts'

/** A load at a fixed rate: a request is sent when it is due, whether or not earlier requests have been answered. */
export interface OpenLoopLoad {
  /** The server's address on 127.0.0.1, without a path. */
  readonly url: string
  readonly requests: readonly PreparedRequest[]
  /** The number of the first payment. */
  readonly firstNumber: number
  readonly perSecond: number
  readonly seconds: number
  /**
   * Each connection has at most one request in progress. Requests that are due while all connections are busy are
   * counted instead of sent.
   */
  readonly connections: number
}

export interface OpenLoopFigures {
  readonly sent: number
  readonly notSent: number
  /** Answers 200: the time since their requests were due. */
  readonly accepted: LatencyFigures
  /** Answers 429: the time since their requests were due. */
  readonly refused: LatencyFigures
  /** Answers with another status, and requests without an answer. */
  readonly failures: number
}

const TICK_MS = 1
/** Time for the last answers. */
const GRACE_MS = 5_000
const HEAD_END = Buffer.from('\r\n\r\n')

/** Sends the load. Resolves after the last answer, or after the grace period if answers are missing. */
export async function sendOpenLoop(load: OpenLoopLoad): Promise<OpenLoopFigures> {
  const { url, requests, firstNumber, perSecond, seconds, connections } = load
  const { hostname, port } = new URL(url)
  const accepted = createLatencies()
  const refused = createLatencies()
  const idle: Connection[] = []
  const all = new Set<Connection>()
  let due = 0
  let sent = 0
  let inFlight = 0
  let failures = 0
  let notSent = 0
  let startMs = 0

  function open(): Socket {
    const socket = connect(Number(port), hostname)
    const connection = openConnection(socket, (status, dueMs) => {
      inFlight -= 1
      const tookMs = performance.now() - startMs - dueMs
      if (status === 200) accepted.add(tookMs)
      else if (status === 429) refused.add(tookMs)
      else failures += 1
      if (status !== undefined) return void idle.push(connection)
      all.delete(connection)
      open()
    })
    all.add(connection)
    idle.push(connection)
    return socket
  }
  await Promise.all(Array.from({ length: connections }, () => once(open(), 'connect')))
  startMs = performance.now()

  function sendDue(): void {
    const dueByNow = Math.min(performance.now() - startMs, seconds * 1000) * (perSecond / 1000)
    for (; due < dueByNow; due += 1) {
      const connection = idle.pop()
      const next = requests[due % requests.length]
      if (!connection || !next) {
        notSent += 1
        continue
      }
      sent += 1
      inFlight += 1
      connection.send(textOf(next, firstNumber + due), (due / perSecond) * 1000)
    }
  }
  const ticking = setInterval(sendDue, TICK_MS)
  await new Promise<void>((resolve) => {
    const ending = setInterval(() => {
      const pastMs = performance.now() - startMs - seconds * 1000
      if (pastMs < 0 || (inFlight > 0 && pastMs < GRACE_MS)) return
      clearInterval(ending)
      resolve()
    }, 50)
  })
  clearInterval(ticking)
  failures += inFlight
  for (const connection of all) connection.close()
  return { sent, notSent, accepted: accepted.figures(), refused: refused.figures(), failures }
}

function textOf(prepared: PreparedRequest, number: number): string {
  const form = bodyOf(prepared, number)
  return (
    `POST /v1/payments HTTP/1.1\r\nhost: localhost\r\nauthorization: ${prepared.authorization}\r\n` +
    'content-type: application/x-www-form-urlencoded; charset=UTF-8\r\n' +
    `content-length: ${Buffer.byteLength(form)}\r\n\r\n${form}`
  )
}

interface Connection {
  send(text: string, dueMs: number): void
  close(): void
}

/**
 * @param onAnswer called once for each request, with the status of its answer, or undefined if the connection ended
 *   first, and with the due time of the request
 */
function openConnection(socket: Socket, onAnswer: (status: number | undefined, dueMs: number) => void): Connection {
  let received = Buffer.alloc(0)
  let dueMs: number | undefined
  const finish = (status: number | undefined) => {
    const requestDueMs = dueMs
    dueMs = undefined
    if (requestDueMs !== undefined) onAnswer(status, requestDueMs)
  }
  socket.setNoDelay(true)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = received.toString('latin1', 0, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (received.length < headEnd + HEAD_END.length + length) return
    received = Buffer.alloc(0)
    finish(Number(head.slice(9, 12)))
  })
  socket.on('error', () => undefined)
  socket.on('close', () => finish(undefined))
  return {
    send(text, requestDueMs) {
      dueMs = requestDueMs
      if (!socket.writable) return finish(undefined)
      socket.write(text)
    },
    close: () => void socket.destroy(),
  }
}
