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

/** A POST of a form as text, with its headers. */
export const postText = (path: string, authorization: string, form: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n` +
  'content-type: application/x-www-form-urlencoded; charset=UTF-8\r\n' +
  `content-length: ${Buffer.byteLength(form)}\r\n\r\n${form}`

/** A GET as text, with its headers. @param path with the query */
export const getText = (path: string, authorization: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`

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

  function open(socket: Socket): Connection {
    const connection = openConnection(socket, ({ request, dueMs }, status, body) => {
      inFlight -= 1
      request.onAnswer({ status, body, tookMs: performance.now() - startMs - dueMs })
      idle.push(connection)
    })
    socket.on('close', () => {
      all.delete(connection)
      const place = idle.indexOf(connection)
      if (place >= 0) return void idle.splice(place, 1)
      inFlight -= 1
      unanswered += 1
    })
    all.add(connection)
    return connection
  }
  const newSocket = () => connect(Number(port), hostname)
  await Promise.all(
    Array.from({ length: connections }, () => {
      const socket = newSocket()
      idle.push(open(socket))
      return once(socket, 'connect')
    }),
  )
  startMs = performance.now()

  function sendDue(): void {
    const dueByNow = Math.min(performance.now() - startMs, seconds * 1000) * (perSecond / 1000)
    for (; due < dueByNow; due += 1) {
      // In turn, because the server closes connections without requests. Lost ones are replaced when they are needed.
      const connection = idle.shift() ?? (all.size < connections ? open(newSocket()) : undefined)
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

/** @param onAnswer called with the status and body of each answer */
function openConnection(
  socket: Socket,
  onAnswer: (pending: Pending, status: number, body: Buffer) => void,
): Connection {
  let received = Buffer.alloc(0)
  let current: Pending | undefined
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
    const pending = current
    current = undefined
    if (pending) onAnswer(pending, Number(head.slice(9, 12)), body)
  })
  socket.on('error', () => undefined)
  return {
    send(pending) {
      current = pending
      socket.write(pending.request.text)
    },
    close: () => void socket.destroy(),
  }
}
