import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A load at a fixed rate: a request is sent when it is due, whether or not earlier requests have been answered. */
export interface OpenLoop {
  /** The server's address on 127.0.0.1, without a path. */
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  /**
   * Each connection has at most one request in progress. Requests that are due while all connections are busy are
   * counted instead of sent.
   */
  readonly connections: number
}

/** An answer, and the time since its request was due. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly tookMs: number
}

export interface OpenLoopRequest {
  /** The whole request, with its headers. */
  readonly text: string
  readonly onAnswer: (answer: Answer) => void
}

export interface OpenLoopCounts {
  readonly sent: number
  readonly notSent: number
  readonly unanswered: number
}

const TICK_MS = 1
/** Time for the last answers. */
const GRACE_MS = 5_000
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends requests in an open loop. Resolves after the last answer, or after the grace period if answers are missing.
 * @param next makes the request that is due, counted from 0
 */
export async function runOpenLoop(
  { url, perSecond, seconds, connections }: OpenLoop,
  next: (index: number) => OpenLoopRequest,
): Promise<OpenLoopCounts> {
  const { hostname, port } = new URL(url)
  const idle: Connection[] = []
  const all = new Set<Connection>()
  let due = 0
  let sent = 0
  let inFlight = 0
  let unanswered = 0
  let notSent = 0
  let startMs = 0

  function open(): Socket {
    const socket = connect(Number(port), hostname)
    const connection = openConnection(socket, (pending, status, body) => {
      inFlight -= 1
      if (status === undefined) {
        unanswered += 1
        all.delete(connection)
        return void open()
      }
      pending.request.onAnswer({ status, body, tookMs: performance.now() - startMs - pending.dueMs })
      idle.push(connection)
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
      if (!connection) {
        notSent += 1
        continue
      }
      sent += 1
      inFlight += 1
      connection.send({ request: next(due), dueMs: (due / perSecond) * 1000 })
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
  for (const connection of all) connection.close()
  return { sent, notSent, unanswered: unanswered + inFlight }
}

interface Pending {
  readonly request: OpenLoopRequest
  readonly dueMs: number
}

interface Connection {
  send(pending: Pending): void
  close(): void
}

/**
 * @param onEnd called once for each request, with the status and body of its answer, or with undefined and no bytes if
 *   the connection ended first
 */
function openConnection(
  socket: Socket,
  onEnd: (pending: Pending, status: number | undefined, body: Buffer) => void,
): Connection {
  let received = Buffer.alloc(0)
  let current: Pending | undefined
  const finish = (status: number | undefined, body: Buffer) => {
    const pending = current
    current = undefined
    if (pending) onEnd(pending, status, body)
  }
  socket.setNoDelay(true)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = received.toString('latin1', 0, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (received.length < headEnd + HEAD_END.length + length) return
    const body = received.subarray(headEnd + HEAD_END.length)
    received = Buffer.alloc(0)
    finish(Number(head.slice(9, 12)), body)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => finish(undefined, received))
  return {
    send(pending) {
      current = pending
      if (!socket.writable) return finish(undefined, received)
      socket.write(pending.request.text)
    },
    close: () => void socket.destroy(),
  }
}
