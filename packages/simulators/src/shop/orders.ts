import type { Clock, Random } from '../http/exchange.ts'
import { limits } from '../limits.ts'
import type { CartLine } from './cart.ts'
import type { Outcome } from './outcome.ts'

/** What is wanted of the gateway. */
export type Purpose =
  /** A cart is paid. */
  | 'cart'
  /** A card is stored, and nothing is paid. */
  | 'card'
  /** The first month is paid, and the others are planned. */
  | 'subscription'

/** Something that is to be paid, or stored, and what became of it. */
export interface Order {
  /** Sent as `merchantTransactionId`: the payment is found again by it, whatever gets lost. */
  readonly id: string
  readonly visitorId: string
  readonly purpose: Purpose
  readonly lines: readonly CartLine[]
  /** `92.00`; of purpose card undefined. */
  readonly amount: string | undefined
  readonly currency: string
  /** The stored card that a subscription charges. */
  readonly registrationId: string | undefined
  /** undefined until the gateway has answered. */
  readonly checkout: { readonly id: string; readonly integrity: string; readonly brands: string } | undefined
  /** Where its status is read, below the gateway's address. */
  readonly resourcePath: string | undefined
  readonly outcome: Outcome
  /** Pending, because the shopper has not pressed the button yet. */
  readonly isUnpaid: boolean
  /** `result.code` of the last answer. */
  readonly code: string | undefined
  /** When the status was read last. */
  readonly readAtMs: number | undefined
}

type NewOrder = Pick<Order, 'visitorId' | 'purpose' | 'lines' | 'amount' | 'currency'> & {
  readonly registrationId?: string
}
type Changes = Partial<Pick<Order, 'checkout' | 'resourcePath' | 'isUnpaid' | 'code' | 'readAtMs'>>

/** The orders of all visitors, in memory; a real shop has a database in its place. */
export interface Orders {
  create(order: NewOrder): Order
  find(id: string): Order | undefined
  at(resourcePath: string): Order | undefined
  change(id: string, changes: Changes): void
  /** @returns whether that is news: what follows from it is done once, however often it is told */
  settle(id: string, outcome: Outcome): boolean
}

export function createOrders(random: Random): Orders {
  const orders = new Map<string, Order>()
  const byPath = new Map<string, string>()

  function forgetOldest(): void {
    const [oldest] = orders.values()
    if (!oldest || orders.size < limits.ordersMax) return
    orders.delete(oldest.id)
    if (oldest.resourcePath !== undefined) byPath.delete(oldest.resourcePath)
  }

  return {
    create(order) {
      forgetOldest()
      const id = `order-${Buffer.from(random(12)).toString('hex')}`
      const open = { checkout: undefined, resourcePath: undefined, code: undefined, readAtMs: undefined }
      const created: Order = { registrationId: undefined, ...order, ...open, id, outcome: 'pending', isUnpaid: false }
      orders.set(id, created)
      return created
    },
    find: (id) => orders.get(id),
    at: (resourcePath) => orders.get(byPath.get(resourcePath) ?? ''),
    change(id, changes) {
      const order = orders.get(id)
      if (!order) return
      orders.set(id, { ...order, ...changes })
      if (changes.resourcePath !== undefined) byPath.set(changes.resourcePath, id)
    },
    settle(id, outcome) {
      const order = orders.get(id)
      if (!order || order.outcome === outcome || isFinal(order)) return false
      orders.set(id, { ...order, outcome })
      return true
    },
  }
}

/** Approved is final. A declined or cancelled order may still be paid, by another try in the same widget. */
const isFinal = ({ outcome }: Order): boolean => outcome === 'approved' || outcome === 'review'

/** Whether the gateway may be asked: twice a minute at most, and not for what is known. */
export const mayRead = (order: Order, clock: Clock): boolean =>
  !isFinal(order) && (order.readAtMs === undefined || clock.now() - order.readAtMs >= limits.statusReadEveryMs)
