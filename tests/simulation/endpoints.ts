import type { OutgoingClient, OutgoingReply } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import { type Owner, permanentOwner, type Schedule } from './schedule.ts'

/** The state of a merchant's endpoint. unacknowledging: accepts some events without an answer. gone: answers 410. */
export type EndpointState = 'healthy' | 'slow' | 'failing' | 'overloaded' | 'unacknowledging' | 'unresponsive' | 'gone'

/** A merchant's endpoint and the events that it received. */
export interface Endpoint {
  readonly webhookId: string
  state: EndpointState
  /**
   * Whether no earlier failure can still keep the gateway's circuit breaker open: the endpoint has never failed, or the
   * clocks have jumped by hours since.
   */
  isCircuitClosed: boolean
  /** The ids of the events that the endpoint accepted, with an answer of status 2xx or, if unacknowledging, without. */
  readonly accepted: Set<string>
  /** Functions that end the connections of its unanswered requests. */
  readonly unanswered: Set<() => void>
}

/** Makes an endpoint healthy, and ends its unanswered requests. */
export function recover(endpoint: Endpoint): void {
  endpoint.state = 'healthy'
  for (const end of endpoint.unanswered) end()
  endpoint.unanswered.clear()
}

/** The gateway's timeout for an answer. */
const TIMEOUT_MS = 30_000

type Reply = 'no answer' | { readonly status: number; readonly delayMs: number; readonly retryAfterMs?: number }

const replies: Readonly<Record<EndpointState, (random: Random) => Reply>> = {
  healthy: ({ below }) => ({ status: 200, delayMs: below(50) }),
  slow: ({ below }) => ({ status: 204, delayMs: below(8_000) }),
  failing: ({ below, chance }) => ({ status: chance(0.6) ? 500 : 200, delayMs: below(200) }),
  overloaded: ({ below, chance }) =>
    chance(0.5) ? { status: 503, delayMs: below(50), retryAfterMs: 20_000 } : { status: 200, delayMs: below(500) },
  // An event that is received without an answer is delivered again.
  unacknowledging: ({ below, chance }) => (chance(0.4) ? 'no answer' : { status: 200, delayMs: below(100) }),
  unresponsive: () => 'no answer',
  gone: ({ below }) => ({ status: 410, delayMs: below(50) }),
}

/** The client by which an instance sends requests to the endpoints. */
export function outgoingClientOf(
  endpoints: ReadonlyMap<string, Endpoint>,
  owner: Owner,
  { schedule, random }: { readonly schedule: Schedule; readonly random: Random },
): OutgoingClient {
  return {
    send: ({ url, headers }) =>
      new Promise<OutgoingReply>((resolve) => {
        const endpoint = endpoints.get(url)
        const eventId = headers?.['webhook-id'] ?? ''
        if (!endpoint) throw new Error(`no endpoint at ${url}`)
        const fail = (durationMs: number) => resolve({ kind: 'failed', reason: 'no answer', sent: true, durationMs })
        schedule.after(random.below(20), permanentOwner, `event ${eventId} reaches ${endpoint.webhookId}`, () => {
          const reply = replies[endpoint.state](random)
          const accepts = reply === 'no answer' ? endpoint.state === 'unacknowledging' : reply.status < 300
          if (accepts) endpoint.accepted.add(eventId)
          if (reply === 'no answer') {
            endpoint.unanswered.add(() => schedule.after(0, owner, '', () => fail(1)))
            return schedule.after(TIMEOUT_MS, owner, '', () => fail(TIMEOUT_MS))
          }
          const { status, delayMs, retryAfterMs } = reply
          return schedule.after(delayMs, owner, `${endpoint.webhookId} answers ${status}`, () =>
            resolve({ kind: 'answered', status, body: '', retryAfterMs, durationMs: delayMs }),
          )
        })
      }),
    refusalReason: () => undefined,
    close: async () => undefined,
  }
}
