import { randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import type { ShopLanguage } from '../pages/languages.ts'
import { addBounded } from './bounded-map.ts'
import { type Cart, emptyCart } from './cart.ts'

/**
 * A card or bank account that the gateway stores for the shop: its id, and the details that the customer recognises.
 */
export interface StoredCard {
  readonly registrationId: string
  readonly brand: string
  readonly last4: string
}

/** A subscription that the gateway charges every month. */
export interface Subscription {
  readonly scheduleId: string
  readonly card: StoredCard
}

/** The owner of a cookie of the shop. */
export interface ShopCustomer {
  /** 32 random hexadecimal digits. */
  readonly id: string
  /** The language that the customer chose; undefined for the language of the browser. */
  language: ShopLanguage | undefined
  cart: Cart
  cards: readonly StoredCard[]
  subscriptions: readonly Subscription[]
}

/** All customers, in memory; a real shop has accounts in a database. */
export interface ShopCustomers {
  /** Finds the customer of a Cookie header, or creates a customer. */
  findOrCreate(cookies: string | undefined): ShopCustomer
}

const COOKIE_NAME = 'tollgate-shop'

/** @param url the shop's URL. If it is HTTPS, browsers send the cookie only by HTTPS */
export const cookieOf = ({ id }: ShopCustomer, url: string): string =>
  `${COOKIE_NAME}=${id}; Path=/; HttpOnly; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

export function createShopCustomers(): ShopCustomers {
  const customers = new Map<string, ShopCustomer>()
  return {
    findOrCreate(cookies = '') {
      const existing = customers.get(
        new RegExp(`(?:^|; )${COOKIE_NAME}=([0-9a-f]{32})(?:;|$)`).exec(cookies)?.[1] ?? '',
      )
      if (existing) return existing
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

/** Adds a card to the stored cards of a customer, newest first. Beyond `storedCardsMax` the oldest is dropped. */
export function storeCard(customer: ShopCustomer, card: StoredCard): void {
  const otherCards = customer.cards.filter(({ registrationId }) => registrationId !== card.registrationId)
  customer.cards = [card, ...otherCards].slice(0, limits.storedCardsMax)
}
