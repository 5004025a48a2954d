import type { CardDeclines, IssuerDecline } from '@tollgate/domain'

/** The ids of a card's declines at a merchant: one for each fingerprint key, that of the current key first. */
export type DeclinedCardIds = readonly string[]

/** The declines of cards that limit further attempts. Cards without declines cost no read. */
export interface DeclinedCards {
  /** The stored declines of a card; undefined if there are none. Those of other processes follow within seconds. */
  find(ids: DeclinedCardIds): Promise<CardDeclines | undefined>
  /** Stores a decline. Resolves when it is durable, or after a failure, which is logged and changes no payment. */
  add(ids: DeclinedCardIds, merchant: string, decline: IssuerDecline): Promise<void>
}
