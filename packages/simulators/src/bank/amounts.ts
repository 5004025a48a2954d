import { minorOf, type Order } from './order.ts'

/** Operations on a confirmed payment. */
export const operationKinds = ['capture', 'increase', 'reversal', 'refund'] as const

export type OperationKind = (typeof operationKinds)[number]

export interface BankOperation {
  readonly kind: OperationKind
  /** Reference of the order or capture that the operation changes. */
  readonly of: string
  /** In hundredths. */
  readonly amountMinor: number
}

/** A confirmed order, and the operations on it by their references. */
export interface ConfirmedOrder {
  readonly order: Order
  readonly operations: ReadonlyMap<string, BankOperation>
}

/** Amounts of a confirmed order, in hundredths. */
export interface BankAmounts {
  /** Reserved on the shopper's account, and not taken. */
  readonly heldMinor: number
  /** Taken and not reversed: the whole amount of a sale, or the captures of a hold. */
  readonly capturedMinor: number
  readonly refundedMinor: number
  /** Reversals of the order itself: the released part of a hold, or a whole sale. */
  readonly cancelledMinor: number
}

export function amountsOf(confirmed: ConfirmedOrder): BankAmounts {
  const { order, operations } = confirmed
  const sum = (kind: OperationKind, of?: string): number => sumOf(operations, kind, of)
  const capturedMinor = [...chargesOf(confirmed).values()].reduce((total, amountMinor) => total + amountMinor, 0)
  const cancelledMinor = sum('reversal', order.reference)
  const heldMinor = isHold(order) ? minorOf(order.amount) + sum('increase') - capturedMinor - cancelledMinor : 0
  return { heldMinor, capturedMinor, refundedMinor: sum('refund'), cancelledMinor }
}

/** Amounts that were taken and not reversed, by the reference of the order or capture. */
export function chargesOf({ order, operations }: ConfirmedOrder): ReadonlyMap<string, number> {
  const charges: [string, number][] = isHold(order)
    ? [...operations].flatMap(([reference, { kind, amountMinor }]) =>
        kind === 'capture' ? [[reference, amountMinor] satisfies [string, number]] : [],
      )
    : [[order.reference, minorOf(order.amount)]]
  return new Map(charges.filter(([reference]) => sumOf(operations, 'reversal', reference) === 0))
}

/** The refunded amount of a charge, in hundredths. */
export const refundedOf = ({ operations }: ConfirmedOrder, of: string): number => sumOf(operations, 'refund', of)

export const isHold = ({ intent }: Order): boolean => intent === 'hold'

const sumOf = (operations: ConfirmedOrder['operations'], wanted: OperationKind, of?: string): number =>
  [...operations.values()]
    .filter((operation) => operation.kind === wanted && (of === undefined || operation.of === of))
    .reduce((total, { amountMinor }) => total + amountMinor, 0)
