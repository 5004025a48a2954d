import { randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import type { Outcome } from '../outcome.ts'
import { addBounded } from './bounded-map.ts'
import { amountOf, type CartLine, linesOf, totalMinor } from './cart.ts'
import { CURRENCY } from './catalogue.ts'
import type { ShopCustomer } from './customers.ts'

/** The purpose of an order. */
export type Purpose =
  /** A cart is paid. */
  | 'cart'
  /** A card is stored, and nothing is paid. */
  | 'card'
  /** The first month is paid, and the later months are scheduled. */
  | 'subscription'

/** A payment, or a card to store, and its outcome. */
export interface Order {
  /** The `merchantTransactionId` of the payment, which notifications and answers to queries contain. */
  readonly id: string
  readonly customer: ShopCustomer
  readonly purpose: Purpose
  readonly lines: readonly CartLine[]
  /** `92.00`; undefined if a card is stored. */
  readonly amount: string | undefined
  readonly currency: string
  /** The stored card that a subscription charges. */
  readonly registrationId: string | undefined
  /** The checkout for the widget; undefined until the gateway has created it, and for payments without the widget. */
  checkout: { readonly id: string; readonly integrity: string; readonly brands: string } | undefined
  /** Path of the status query, below the gateway's address. */
  resourcePath: string | undefined
  outcome: Outcome
  /** Whether the checkout has no payment yet, because the shopper has not submitted the payment form. */
  isUnpaid: boolean
  /** `result.code` of the last answer. */
  code: string | undefined
  /** Time of the last status query. */
  queriedAtMs: number | undefined
}

/** The orders of all customers, in memory; a real shop has a database. */
export interface Orders {
  create(order: Pick<Order, 'customer' | 'purpose'> & Partial<Order>): Order
  find(id: string): Order | undefined
  findByPath(resourcePath: string): Order | undefined
}

export function createOrders(): Orders {
  const orders = new Map<string, Order>()
  return {
    create: (order) =>
      addBounded(orders, limits.ordersMax, {
        id: `order-${randomBytes(12).toString('hex')}`,
        lines: [],
        amount: undefined,
        currency: CURRENCY,
        registrationId: undefined,
        checkout: undefined,
        resourcePath: undefined,
        outcome: 'pending',
        isUnpaid: false,
        code: undefined,
        queriedAtMs: undefined,
        ...order,
      }),
    find: (id) => orders.get(id),
    findByPath: (resourcePath) => [...orders.values()].find((order) => order.resourcePath === resourcePath),
  }
}

/** Creates an order of all products in the cart; undefined if the cart is empty. */
export function orderCart(orders: Orders, customer: ShopCustomer): Order | undefined {
  const lines = linesOf(customer.cart)
  if (lines.length === 0) return undefined
  return orders.create({ customer, purpose: 'cart', lines, amount: amountOf(totalMinor(lines)) })
}

/**
 * An order that is approved or in review is final. A declined or cancelled order may still be paid by another attempt
 * in the same widget.
 */
export const isFinal = ({ outcome }: Order): boolean => outcome === 'approved' || outcome === 'review'
