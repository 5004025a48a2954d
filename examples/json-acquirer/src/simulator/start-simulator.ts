import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLedger, type FollowUp, type Ledger, type LedgerRequest, type PaymentType } from './ledger.ts'
import { limits } from './limits.ts'

/** A simulator that listens. */
export interface RunningSimulator {
  /** The base URL, without a slash at its end. */
  readonly url: string
  /** Sums of all payments, in minor units. */
  readonly totals: Ledger['totals']
  readonly close: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: object
}

const refusal = (status: number): Answer => ({ status, body: {} })

const PAYMENT_TYPES: ReadonlySet<unknown> = new Set<PaymentType>(['hold', 'charge', 'credit'])
const FOLLOW_UP = /^\/transactions\/([!-~]{1,100})\/(capture|release|refund|increase)$/

const isPaymentType = (value: unknown): value is PaymentType => PAYMENT_TYPES.has(value)
const isFollowUp = (value: string | undefined): value is FollowUp => value !== undefined

/** Starts a simulator of the acquirer on a free port of this machine. @param apiKey the key that it accepts */
export async function startSimulator(apiKey: string): Promise<RunningSimulator> {
  const ledger = createLedger()

  function answer(path: string, body: Readonly<Record<string, unknown>>): Answer {
    const { id, type, card, partialApproval } = body
    if (ledger.isFull()) return refusal(503)
    if (path === '/cancellations' && typeof id === 'string') {
      ledger.cancel(id)
      return { status: 200, body: { id, status: 'cancelled' } }
    }
    if (!isLedgerRequest(body)) return refusal(400)
    if (path === '/payments' && isPaymentType(type)) {
      const number: unknown = Object(card).number
      return { status: 200, body: ledger.begin(type, body, String(number), partialApproval === true) }
    }
    const [, reference = '', operation] = FOLLOW_UP.exec(path) ?? []
    return isFollowUp(operation) ? { status: 200, body: ledger.follow(operation, reference, body) } : refusal(404)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isAllowed = request.headers.authorization === `Bearer ${apiKey}`
    const body = await bodyOf(request)
    const { status, body: sent } = isAllowed && body ? answer(request.url ?? '', body) : refusal(isAllowed ? 400 : 401)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    totals: ledger.totals,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const isLedgerRequest = (body: object): body is LedgerRequest =>
  typeof Reflect.get(body, 'id') === 'string' &&
  Number.isSafeInteger(Reflect.get(body, 'amountMinor')) &&
  typeof Reflect.get(body, 'currency') === 'string'

/** The JSON object of a request; undefined if it is too long or another text. */
async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of request) {
      bytes += part.length
      if (bytes > limits.bodyBytesMax) return undefined
      parts.push(Buffer.from(part))
    }
    const value: unknown = JSON.parse(Buffer.concat(parts).toString())
    return typeof value === 'object' && value !== null ? Object(value) : undefined
  } catch {
    return undefined
  }
}
