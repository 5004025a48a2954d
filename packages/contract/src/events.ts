/** The types of notifications (contract, Events: type). */
export const eventTypes = ['PAYMENT', 'REGISTRATION'] as const
export type EventType = (typeof eventTypes)[number]

/**
 * The change that an event reports (contract, Events: action). The event of a registration always contains it. The
 * event of a payment contains it, as UPDATED, only if the result changed after the payment had expired.
 */
export const eventActions = ['CREATED', 'UPDATED', 'DELETED'] as const
export type EventAction = (typeof eventActions)[number]

/** An event without its payload. */
export interface EventKind {
  readonly type: EventType
  readonly action?: EventAction
}

const payment: EventKind = { type: 'PAYMENT' }
const updated: EventKind = { type: 'REGISTRATION', action: 'UPDATED' }

/** Events by transaction type; other types have none. */
const byTransaction: Readonly<Record<string, EventKind>> = {
  PA: payment,
  DB: payment,
  CD: payment,
  CP: payment,
  RV: payment,
  RF: payment,
  RB: payment,
  RC: payment,
  CB: payment,
  CR: payment,
  '3D': payment,
  RG: { type: 'REGISTRATION', action: 'CREATED' },
  RR: updated,
  TE: updated,
  AU: updated,
  DR: { type: 'REGISTRATION', action: 'DELETED' },
}

/** The event of a transaction; undefined for types without events. */
export const eventOf = (transactionType: string): EventKind | undefined => byTransaction[transactionType]
