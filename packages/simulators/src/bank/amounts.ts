import { minorOf, type Order } from './order.ts'

/** What is done to a payment that the shopper has confirmed. */
export const operationKinds = ['capture', 'increase', 'reversal', 'refund'] as const

export type OperationKind = (typeof operationKinds)[number]

export interface BankOperation {
  readonly kind: OperationKind
  /** Reference of the order, or of the capture, that it is done to. */
  readonly of: string
  /** Hundredths. */
  readonly amountMinor: number
}

/** An order that was confirmed, and what has been done to it since, by the references of the operations. */
export interface Confirmed {
  readonly order: Order
  readonly operations: ReadonlyMap<string, BankOperation>
}

/** Where the money of a confirmed order is, in hundredths. */
export interface BankAmounts {
  /** Reserved on the shopper's account, and not taken. */
  readonly heldMinor: number
  /** Taken: of an order that is paid at once all of it, else what was captured; less what was reversed. */
  readonly capturedMinor: number
  readonly refundedMinor: number
  /** Released without having been taken. */
  readonly cancelledMinor: number
}

export function amountsOf(confirmed: Confirmed): BankAmounts {
  const { order, operations } = confirmed
  const sum = (kind: OperationKind, of?: string): number => sumOf(operations, kind, of)
  const capturedMinor = [...chargesOf(confirmed).values()].reduce((total, one) => total + one, 0)
  const cancelledMinor = sum('reversal', order.reference)
  const heldMinor = isHold(order) ? minorOf(order.amount) + sum('increase') - capturedMinor - cancelledMinor : 0
  return { heldMinor, capturedMinor, refundedMinor: sum('refund'), cancelledMinor }
}

/** What was taken and not reversed, by the reference of the order or capture. */
export function chargesOf({ order, operations }: Confirmed): ReadonlyMap<string, number> {
  const taken: [string, number][] = isHold(order)
    ? [...operations].flatMap(([reference, { kind, amountMinor }]) =>
        kind === 'capture' ? [[reference, amountMinor] satisfies [string, number]] : [],
      )
    : [[order.reference, minorOf(order.amount)]]
  return new Map(taken.filter(([reference]) => sumOf(operations, 'reversal', reference) === 0))
}

/** What of a charge was given back. */
export const refundedOf = ({ operations }: Confirmed, of: string): number => sumOf(operations, 'refund', of)

export const isHold = ({ intent }: Order): boolean => intent === 'hold'

const sumOf = (operations: Confirmed['operations'], wanted: OperationKind, of?: string): number =>
  [...operations.values()]
    .filter((one) => one.kind === wanted && (of === undefined || one.of === of))
    .reduce((total, { amountMinor }) => total + amountMinor, 0)
