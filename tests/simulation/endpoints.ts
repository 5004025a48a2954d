import type { Outgoing, OutgoingReply } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import { type Owner, type Schedule, world } from './schedule.ts'

/** How a merchant's endpoint behaves. */
export type Mood = 'well' | 'slow' | 'failing' | 'overloaded' | 'forgetful' | 'dead' | 'gone'

/** A merchant's endpoint and the events that it received. */
export interface Endpoint {
  readonly webhookId: string
  mood: Mood
  /** Whether its circuit breaker is closed: it never failed, or long ago. */
  isSteady: boolean
  /** The ids of the events that it received. */
  readonly accepted: Set<string>
  /** Requests that it has not answered, each with a function that ends its connection. */
  readonly hanging: Set<() => void>
}

/** Makes it answer from now on, and ends its unanswered requests. */
export function heal(endpoint: Endpoint): void {
  endpoint.mood = 'well'
  for (const end of endpoint.hanging) end()
  endpoint.hanging.clear()
}

/** How long the gateway waits for an answer. */
const PATIENCE_MS = 30_000

type Reply = 'no answer' | { readonly status: number; readonly delayMs: number; readonly retryAfterMs?: number }

const replies: Readonly<Record<Mood, (random: Random) => Reply>> = {
  well: ({ below }) => ({ status: 200, delayMs: below(50) }),
  slow: ({ below }) => ({ status: 204, delayMs: below(8_000) }),
  failing: ({ below, chance }) => ({ status: chance(0.6) ? 500 : 200, delayMs: below(200) }),
  overloaded: ({ below, chance }) =>
    chance(0.5) ? { status: 503, delayMs: below(50), retryAfterMs: 20_000 } : { status: 200, delayMs: below(500) },
  // It receives the event without an answer, and so gets it twice.
  forgetful: ({ below, chance }) => (chance(0.4) ? 'no answer' : { status: 200, delayMs: below(100) }),
  dead: () => 'no answer',
  gone: ({ below }) => ({ status: 410, delayMs: below(50) }),
}

/** The outgoing requests of an instance to the endpoints. */
export function wayOut(
  endpoints: ReadonlyMap<string, Endpoint>,
  owner: Owner,
  { schedule, random }: { readonly schedule: Schedule; readonly random: Random },
): Outgoing {
  return {
    send: ({ url, headers }) =>
      new Promise<OutgoingReply>((resolve) => {
        const endpoint = endpoints.get(url)
        const eventId = headers?.['webhook-id'] ?? ''
        if (!endpoint) throw new Error(`no endpoint at ${url}`)
        const fail = (durationMs: number) => resolve({ kind: 'failed', reason: 'no answer', durationMs })
        schedule.after(random.below(20), world, `event ${eventId} reaches ${endpoint.webhookId}`, () => {
          const reply = replies[endpoint.mood](random)
          const accepts = reply === 'no answer' ? endpoint.mood === 'forgetful' : reply.status < 300
          if (accepts) endpoint.accepted.add(eventId)
          if (reply === 'no answer') {
            endpoint.hanging.add(() => schedule.after(0, owner, '', () => fail(1)))
            return schedule.after(PATIENCE_MS, owner, '', () => fail(PATIENCE_MS))
          }
          const { status, delayMs, retryAfterMs } = reply
          return schedule.after(delayMs, owner, `${endpoint.webhookId} answers ${status}`, () =>
            resolve({ kind: 'answered', status, body: '', retryAfterMs, durationMs: delayMs }),
          )
        })
      }),
    objection: () => undefined,
    close: async () => undefined,
  }
}
