import type { Random } from '../http/exchange.ts'
import type { PageLanguage } from '../http/page-language.ts'
import { limits } from '../limits.ts'
import { type Cart, emptyCart } from './cart.ts'

/** A card or bank account that the gateway stores for us. We have its id, and what the customer knows it by. */
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

/** Whoever has our cookie. */
export interface Visitor {
  /** 32 hexadecimal digits that nobody can guess. */
  readonly id: string
  /** Chosen on a page; undefined: the browser's. */
  readonly language: PageLanguage | undefined
  readonly cart: Cart
  readonly cards: readonly StoredCard[]
  readonly subscriptions: readonly Subscription[]
}

/** Everybody who has been here, in memory; a real shop has accounts in a database. */
export interface Visitors {
  /** The visitor of a Cookie header, or a new one. */
  of(cookies: string | undefined): Visitor
  find(id: string): Visitor | undefined
  change(id: string, changes: Partial<Omit<Visitor, 'id'>>): void
}

const NAME = 'tollgate-shop'

/** @param url where the shop is: with TLS the cookie is for TLS only */
export const cookieOf = ({ id }: Visitor, url: string): string =>
  `${NAME}=${id}; Path=/; HttpOnly; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

export function createVisitors(random: Random): Visitors {
  const visitors = new Map<string, Visitor>()
  return {
    of(cookies = '') {
      const id = new RegExp(`(?:^|; )${NAME}=([0-9a-f]{32})(?:;|$)`).exec(cookies)?.[1] ?? ''
      const known = visitors.get(id)
      if (known) return known
      const [oldest] = visitors.keys()
      if (oldest !== undefined && visitors.size >= limits.visitorsMax) visitors.delete(oldest)
      const newcomer: Visitor = {
        id: Buffer.from(random(16)).toString('hex'),
        language: undefined,
        cart: emptyCart,
        cards: [],
        subscriptions: [],
      }
      visitors.set(newcomer.id, newcomer)
      return newcomer
    },
    find: (id) => visitors.get(id),
    change(id, changes) {
      const visitor = visitors.get(id)
      if (visitor) visitors.set(id, { ...visitor, ...changes })
    },
  }
}

/** The newest first, as many as are kept. */
export const withCard = (cards: readonly StoredCard[], card: StoredCard): readonly StoredCard[] =>
  [card, ...cards.filter(({ registrationId }) => registrationId !== card.registrationId)].slice(
    0,
    limits.storedCardsMax,
  )
