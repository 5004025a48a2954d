import type { Clock, Random } from '../http/exchange.ts'
import { limits } from '../limits.ts'
import { type BankState, type MoveName, moveOf } from './moves.ts'
import { isSameOrder, minorOf, type Order } from './order.ts'

/** A payment as its bank knows it. */
export interface BankPayment {
  /** 32 hexadecimal digits that nobody can guess: who has them may pay. */
  readonly id: string
  readonly order: Order
  readonly state: BankState
  readonly reason: string | undefined
  /** What happens by itself, and when; of a pending payment. */
  readonly later: { readonly move: MoveName; readonly atMs: number } | undefined
  /** Hundredths that were given back, by the references of the refunds. */
  readonly refunds: ReadonlyMap<string, number>
}

/** Why something cannot be done to a payment as it stands. */
export type BankRefusal = 'wrongState' | 'tooMuch' | 'tooMany' | 'otherOrder' | 'withdrawn'

/** What banks know, in memory. */
export interface BankPayments {
  /** The payment of a reference; the same order makes none anew. */
  open(order: Order): BankPayment | BankRefusal
  find(id: string): BankPayment | undefined
  /** The payment of a reference; without one, none is opened under it any more. */
  withdraw(reference: string): BankPayment | undefined
  move(payment: BankPayment, name: MoveName, later?: BankPayment['later']): BankPayment | BankRefusal
  /** Gives a part back, once for each reference. */
  refund(payment: BankPayment, reference: string, amountMinor: number): BankPayment | BankRefusal
  /** Does what is due by the clock. */
  settleDue(): void
}

/** What has been given back of a payment, in hundredths. */
export const refundedMinor = ({ refunds }: BankPayment): number =>
  [...refunds.values()].reduce((sum, one) => sum + one, 0)

/** @param changed is told of each payment whose state has become another */
export function createBankPayments(
  clock: Clock,
  random: Random,
  changed: (payment: BankPayment) => void,
): BankPayments {
  const payments = new Map<string, BankPayment>()
  const byReference = new Map<string, string>()
  const withdrawn = new Set<string>()
  const waiting = new Set<string>()

  function keep(payment: BankPayment): BankPayment {
    payments.set(payment.id, payment)
    if (payment.later) waiting.add(payment.id)
    else waiting.delete(payment.id)
    return payment
  }

  function forgetOldest(): void {
    const [oldest] = payments.values()
    if (!oldest || payments.size < limits.bankPaymentsMax) return
    payments.delete(oldest.id)
    byReference.delete(oldest.order.reference)
    waiting.delete(oldest.id)
  }

  const move: BankPayments['move'] = (payment, name, later) => {
    const { from, to, reason } = moveOf(name)
    if (!from.includes(payment.state)) return 'wrongState'
    const moved = keep({ ...payment, state: to, reason, later })
    changed(moved)
    return moved
  }

  return {
    open(order) {
      const known = payments.get(byReference.get(order.reference) ?? '')
      if (known) return isSameOrder(known.order, order) ? known : 'otherOrder'
      if (withdrawn.has(order.reference)) return 'withdrawn'
      forgetOldest()
      const id = Buffer.from(random(16)).toString('hex')
      byReference.set(order.reference, id)
      return keep({ id, order, state: 'open', reason: undefined, later: undefined, refunds: new Map() })
    },
    find: (id) => payments.get(id),
    withdraw(reference) {
      const known = payments.get(byReference.get(reference) ?? '')
      const [oldest] = withdrawn
      if (oldest !== undefined && withdrawn.size >= limits.bankPaymentsMax) withdrawn.delete(oldest)
      if (!known) withdrawn.add(reference)
      return known
    },
    move,
    refund(payment, reference, amountMinor) {
      const before = payment.refunds.get(reference)
      if (before !== undefined) return before === amountMinor ? payment : 'otherOrder'
      if (payment.state !== 'paid') return 'wrongState'
      if (payment.refunds.size >= limits.refundsMax) return 'tooMany'
      const left = minorOf(payment.order.amount) - refundedMinor(payment) - amountMinor
      if (left < 0) return 'tooMuch'
      const refunded = keep({ ...payment, refunds: new Map([...payment.refunds, [reference, amountMinor]]) })
      return left === 0 ? move(refunded, 'giveBack') : refunded
    },
    settleDue() {
      for (const id of waiting) {
        const payment = payments.get(id)
        if (payment?.later && payment.later.atMs <= clock.now()) move(payment, payment.later.move)
      }
    },
  }
}
