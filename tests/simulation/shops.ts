import { answerWithoutListener, type Gateway } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import type { SimulationConfig } from './config.ts'
import { drawRequest, noRecords, type ShopRequest } from './shop-requests.ts'
import type { Instance } from './instance.ts'
import type { Invariants, ShopAnswer } from './invariants.ts'
import { permanentOwner, type Schedule } from './schedule.ts'

/** A shop's timeout for an answer. */
const TIMEOUT_MS = 4_000
/** The maximum number of times that a shop sends a request. */
const TRIES_MAX = 12

/** The shops that send requests. */
export interface Shops {
  /** The number of requests sent so far. */
  readonly sentCount: () => number
  /** The number of requests without an answer that may still get one. */
  readonly openCount: () => number
}

interface Parts {
  readonly random: Random
  readonly config: SimulationConfig
  readonly schedule: Schedule
  readonly note: (line: string) => void
  readonly reportDefect: (description: string) => void
  readonly invariants: Invariants
  readonly instances: readonly Instance[]
  /** Runs a check that may throw a violation, and reports it. */
  readonly runCheck: (check: () => void) => void
}

/** Starts shops that send requests, and repeat unanswered requests that have an Idempotency-Key. */
export function startShops({
  random,
  config,
  schedule,
  note,
  reportDefect,
  invariants,
  instances,
  runCheck,
}: Parts): Shops {
  const records = noRecords()
  const open = new Set<ShopRequest>()
  let sentCount = 0

  function sendNext(): void {
    if (sentCount >= config.requests) return
    const request = drawRequest(random, records, sentCount, config.hosts !== undefined)
    if (!request) return schedule.after(random.below(60), permanentOwner, '', sendNext)
    sentCount += 1
    open.add(request)
    const { sent, name } = request
    note(`${name} is sent: ${sent.operation} ${sent.id} ${sent.idempotencyKey ?? ''}`)
    send(request, 1)
    // Some requests are concurrent, and some of these refer to the same transaction.
    schedule.after(random.chance(0.6) ? 0 : random.below(config.pauseMs), permanentOwner, '', sendNext)
  }

  function close(request: ShopRequest): void {
    open.delete(request)
  }

  const isLost = () => random.chance(config.loss)

  function send(request: ShopRequest, tries: number): void {
    const { sent } = request
    const isKeyed = sent.idempotencyKey !== undefined
    const copies = isKeyed && random.chance(0.1) ? 2 : 1
    for (let left = copies; left > 0; left -= 1) {
      if (!isLost()) schedule.after(random.below(random.pick([1, 1, 30])), permanentOwner, '', () => arrive(request))
    }
    schedule.after(TIMEOUT_MS, permanentOwner, '', () => {
      if (!open.has(request)) return
      // A request without a key must not be repeated, since its outcome is unknown.
      if (!isKeyed || tries >= TRIES_MAX) return close(request)
      note(`${request.name} is repeated`)
      send(request, tries + 1)
    })
  }

  function arrive(request: ShopRequest): void {
    const running = instances.flatMap(({ gateway }) => gateway() ?? [])
    if (running.length === 0) return
    void answer(request, random.pick(running))
  }

  async function answer(request: ShopRequest, gateway: Gateway): Promise<void> {
    const returnAnswer = (deliver: () => void) => {
      if (!isLost()) schedule.after(random.below(30), permanentOwner, '', () => runCheck(deliver))
    }
    try {
      const { status, code, body } = await answerWithoutListener(gateway, request.sent)
      const received = status < 500 ? answerOf(status, body) : undefined
      note(`${request.name}: ${status} ${code} ${received?.id}`)
      if (received) returnAnswer(() => receive(request, received))
      // Status 503 promises that the request was not processed. The invariant holds only for a request without a key,
      // because another copy of a request with a key may be processed.
      else if (status === 503 && request.sent.idempotencyKey === undefined)
        returnAnswer(() => invariants.onRejected(request))
    } catch (error) {
      reportDefect(`${request.name}: ${String(error)}`)
    }
  }

  function receive(request: ShopRequest, received: ShopAnswer): void {
    // After a version conflict no row was changed, and the request may be sent again.
    if (received.code === '800.700.100') return
    // The outcome at the acquirer is unknown. The shop could read it later, when it is final.
    if (received.code === '900.100.300') return close(request)
    invariants.onAnswered(request, received)
    if (received.status === 200 && open.has(request)) addRecords(request, received)
    close(request)
  }

  function addRecords({ channel, sent: { operation } }: ShopRequest, { id, type, registrationId }: ShopAnswer): void {
    if (operation === 'createSchedule') records.plans.push({ id, type, channel })
    if (referableOperations.has(operation)) records.transactions.push({ id, type, channel })
    if (registrationId !== undefined && operation === 'createPayment')
      records.registrations.push({ id: registrationId, type: 'RG', channel })
  }

  for (let shop = 0; shop < config.shops; shop += 1) schedule.after(random.below(400), permanentOwner, '', sendNext)
  return { sentCount: () => sentCount, openCount: () => open.size }
}

/** Operations that create transactions to which follow-ups can refer. */
const referableOperations: ReadonlySet<string> = new Set(['createPayment', 'referToPayment', 'payWithRegistration'])

function answerOf(status: number, text: string): ShopAnswer {
  const body: {
    readonly id?: string
    readonly paymentType?: string
    readonly amount?: string
    readonly registrationId?: string
    readonly result: { readonly code: string }
  } = JSON.parse(text)
  const { id = '', paymentType: type = '', amount, registrationId, result } = body
  return { status, code: result.code, text, id, type, amount, registrationId }
}
