import { randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import type { ShopLanguage } from '../pages/languages.ts'
import { addBounded } from './bounded-map.ts'
import { type Cart, emptyCart } from './cart.ts'

/** A card or bank account that the gateway stores for us: its id, and what the customer recognises it by. */
export interface StoredCard {
  readonly registrationId: string
  readonly brand: string
  readonly last4: string
}

/** Charged by the gateway every month. */
export interface Subscription {
  readonly scheduleId: string
  readonly card: StoredCard
}

/** The owner of a cookie of the shop. */
export interface ShopCustomer {
  /** 32 random hexadecimal digits. */
  readonly id: string
  /** Chosen on a page; undefined: that of the browser. */
  language: ShopLanguage | undefined
  cart: Cart
  cards: readonly StoredCard[]
  subscriptions: readonly Subscription[]
}

/** All customers, in memory; a real shop has accounts in a database. */
export interface ShopCustomers {
  /** The customer of a Cookie header, or a new one. */
  of(cookies: string | undefined): ShopCustomer
}

const NAME = 'tollgate-shop'

/** @param url of the shop: with TLS the cookie is for TLS only */
export const cookieOf = ({ id }: ShopCustomer, url: string): string =>
  `${NAME}=${id}; Path=/; HttpOnly; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

export function createShopCustomers(): ShopCustomers {
  const customers = new Map<string, ShopCustomer>()
  return {
    of(cookies = '') {
      const known = customers.get(new RegExp(`(?:^|; )${NAME}=([0-9a-f]{32})(?:;|$)`).exec(cookies)?.[1] ?? '')
      if (known) return known
      const id = randomBytes(16).toString('hex')
      return addBounded(customers, limits.customersMax, {
        id,
        language: undefined,
        cart: emptyCart,
        cards: [],
        subscriptions: [],
      })
    },
  }
}

/** Keeps a card, the newest first. */
export function storeCard(customer: ShopCustomer, card: StoredCard): void {
  const others = customer.cards.filter(({ registrationId }) => registrationId !== card.registrationId)
  customer.cards = [card, ...others].slice(0, limits.storedCardsMax)
}
