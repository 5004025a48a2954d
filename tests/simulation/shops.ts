import { answerWithoutListener, type Gateway } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import type { Climate } from './climate.ts'
import { drawWish, ignorance, type Wish } from './customers.ts'
import type { Instance } from './instance.ts'
import type { Promises, ShopAnswer } from './promises.ts'
import { type Schedule, world } from './schedule.ts'

/** How long a shop waits for an answer, and how often it sends again. */
const PATIENCE_MS = 4_000
const TRIES_MAX = 12

/** The shops that send requests. */
export interface Shops {
  /** Number of requests drawn so far. */
  readonly drawn: () => number
  /** Number of requests whose answer may still come. */
  readonly open: () => number
}

interface Parts {
  readonly random: Random
  readonly climate: Climate
  readonly schedule: Schedule
  readonly note: (line: string) => void
  readonly defect: (what: string) => void
  readonly promises: Promises
  readonly instances: readonly Instance[]
  /** Runs a check that may find a promise broken. */
  readonly attempt: (check: () => void) => void
}

/** Shops that send one request after the other, and again with the same key where no answer comes. */
export function openShops({ random, climate, schedule, note, defect, promises, instances, attempt }: Parts): Shops {
  const known = ignorance()
  const open = new Set<Wish>()
  let drawn = 0

  function want(): void {
    if (drawn >= climate.wishes) return
    const wish = drawWish(random, known, drawn)
    if (!wish) return schedule.after(random.below(60), world, '', want)
    drawn += 1
    open.add(wish)
    const { sent, name } = wish
    note(`${name} wants ${sent.operation} ${sent.id} ${sent.idempotencyKey ?? ''}`)
    send(wish, 1)
    // Some requests come at the same time, and some are for the same transaction.
    schedule.after(random.chance(0.6) ? 0 : random.below(900), world, '', want)
  }

  function close(wish: Wish): void {
    open.delete(wish)
  }

  const isLost = () => random.chance(climate.loss)

  function send(wish: Wish, tries: number): void {
    const { sent } = wish
    const isKeyed = sent.idempotencyKey !== undefined
    const copies = isKeyed && random.chance(0.1) ? 2 : 1
    for (let left = copies; left > 0; left -= 1) {
      if (!isLost()) schedule.after(random.below(random.pick([1, 1, 30])), world, '', () => arrive(wish))
    }
    schedule.after(PATIENCE_MS, world, '', () => {
      if (!open.has(wish)) return
      // Without a key a shop must not send again, since the outcome is unknown.
      if (!isKeyed || tries >= TRIES_MAX) return close(wish)
      note(`${wish.name} asks again`)
      send(wish, tries + 1)
    })
  }

  function arrive(wish: Wish): void {
    const up = instances.flatMap(({ gateway }) => gateway() ?? [])
    if (up.length === 0) return
    void answer(wish, random.pick(up))
  }

  async function answer(wish: Wish, gateway: Gateway): Promise<void> {
    const back = (deliver: () => void) => {
      if (!isLost()) schedule.after(random.below(30), world, '', () => attempt(deliver))
    }
    try {
      const { status, code, body } = await answerWithoutListener(gateway, wish.sent)
      const received = status < 500 ? answerOf(status, body) : undefined
      note(`${wish.name}: ${status} ${code} ${received?.id}`)
      if (received) back(() => receive(wish, received))
      // "The request was not processed."
      else if (status === 503 && wish.sent.idempotencyKey === undefined) back(() => promises.rejected(wish))
    } catch (error) {
      defect(`${wish.name}: ${String(error)}`)
    }
  }

  function receive(wish: Wish, received: ShopAnswer): void {
    // A version conflict: no row was changed, and the request may be sent again.
    if (received.code === '800.700.100') return
    // The outcome at the acquirer is unknown. It can be read later, and is final then.
    if (received.code === '900.100.300') return close(wish)
    promises.answered(wish, received)
    if (received.status === 200 && open.has(wish)) learn(wish, received)
    close(wish)
  }

  function learn({ channel, sent: { operation } }: Wish, { id, type, registrationId }: ShopAnswer): void {
    if (operation === 'createSchedule') known.plans.push({ id, type, channel })
    if (payments.has(operation)) known.transactions.push({ id, type, channel })
    if (registrationId !== undefined && operation === 'createPayment')
      known.registrations.push({ id: registrationId, type: 'RG', channel })
  }

  for (let shop = 0; shop < climate.shops; shop += 1) schedule.after(random.below(400), world, '', want)
  return { drawn: () => drawn, open: () => open.size }
}

/** Operations whose transactions can be referred to. */
const payments: ReadonlySet<string> = new Set(['createPayment', 'referToPayment', 'payWithRegistration'])

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
