import { limits } from '../limits.ts'
import type { Clock, Random } from '../simulator.ts'
import { amountsOf, type BankAmounts, type BankOperation, isHold } from './amounts.ts'
import { type OperationRefusal, refusalOf, stateOf } from './operation-rules.ts'
import { isSameOrder, type Order } from './order.ts'
import { type BankState, type TransitionName, transitionOf } from './transitions.ts'

/** A payment at a bank. */
export interface BankPayment {
  /** 32 random hexadecimal digits. A browser that sends the id is authorised to pay. */
  readonly id: string
  readonly order: Order
  readonly state: BankState
  readonly reason: string | undefined
  /** The transition that is due later; only of a payment that is not final. */
  readonly later: { readonly transition: TransitionName; readonly atMs: number } | undefined
  /** Operations after the confirmation, by their references. */
  readonly operations: ReadonlyMap<string, BankOperation>
  /** The agreement that the confirmed order created, or under which the payment is a charge. */
  readonly agreementId: string | undefined
}

/** Reasons for which a request about a payment is refused. */
export type BankRefusal = OperationRefusal | 'tooMany' | 'otherOrder' | 'withdrawn' | 'noAgreement'

/** Payments of all banks, in memory. */
export interface BankPayments {
  /**
   * Opens a payment, or returns the existing payment if the order is a repetition. A payment under an agreement is
   * confirmed at once.
   */
  open(order: Order): BankPayment | BankRefusal
  find(id: string): BankPayment | undefined
  /** Returns the payment of a reference. If there is none, a later order with the reference is refused. */
  withdraw(reference: string): BankPayment | undefined
  transition(payment: BankPayment, name: TransitionName, later?: BankPayment['later']): BankPayment | BankRefusal
  /** Captures, increases, reverses or refunds, once for each reference. */
  operate(payment: BankPayment, reference: string, operation: BankOperation): BankPayment | BankRefusal
  /** Makes the transitions that are due by the clock. */
  advance(): void
}

const isSameOperation = (one: BankOperation, other: BankOperation): boolean =>
  one.kind === other.kind && one.of === other.of && one.amountMinor === other.amountMinor

const isConfirmed = ({ state, operations }: BankPayment): boolean =>
  state === 'held' || state === 'paid' || operations.size > 0

/** @param onChange called with a payment after each transition, and after an operation that changed its state */
export function createBankPayments(
  clock: Clock,
  random: Random,
  onChange: (payment: BankPayment) => void,
): BankPayments {
  const payments = new Map<string, BankPayment>()
  const idByReference = new Map<string, string>()
  const withdrawn = new Set<string>()
  const waiting = new Set<string>()
  const agreements = new Map<string, Order['brand']>()
  const newId = (): string => Buffer.from(random(16)).toString('hex')

  function store(payment: BankPayment): BankPayment {
    payments.set(payment.id, payment)
    if (payment.later) waiting.add(payment.id)
    else waiting.delete(payment.id)
    return payment
  }

  function dropOldest(): void {
    const [oldest] = payments.values()
    if (!oldest || payments.size < limits.bankPaymentsMax) return
    payments.delete(oldest.id)
    idByReference.delete(oldest.order.reference)
    waiting.delete(oldest.id)
  }

  function createAgreement({ order, agreementId }: BankPayment): string | undefined {
    if (order.createAgreement === undefined || agreementId !== undefined) return agreementId
    const id = newId()
    const [oldest] = agreements.keys()
    if (oldest !== undefined && agreements.size >= limits.bankPaymentsMax) agreements.delete(oldest)
    agreements.set(id, order.brand)
    return id
  }

  const transition: BankPayments['transition'] = (payment, name, later) => {
    const { from, to, reason } = transitionOf(name)
    if (!from.includes(payment.state)) return 'wrongState'
    const isConfirmation = to === 'paid'
    const state = isConfirmation && isHold(payment.order) ? 'held' : to
    const agreementId = isConfirmation ? createAgreement(payment) : payment.agreementId
    const changed = store({ ...payment, state, reason, later, agreementId })
    onChange(changed)
    return changed
  }

  return {
    open(order) {
      const existing = payments.get(idByReference.get(order.reference) ?? '')
      if (existing) return isSameOrder(existing.order, order) ? existing : 'otherOrder'
      if (withdrawn.has(order.reference)) return 'withdrawn'
      const { agreementId } = order
      const isUnderAgreement = agreementId !== undefined
      if (isUnderAgreement && agreements.get(agreementId) !== order.brand) return 'noAgreement'
      dropOldest()
      const id = newId()
      idByReference.set(order.reference, id)
      const state = !isUnderAgreement ? 'open' : isHold(order) ? 'held' : 'paid'
      return store({ id, order, state, reason: undefined, later: undefined, operations: new Map(), agreementId })
    },
    find: (id) => payments.get(id),
    withdraw(reference) {
      const existing = payments.get(idByReference.get(reference) ?? '')
      const [oldest] = withdrawn
      if (oldest !== undefined && withdrawn.size >= limits.bankPaymentsMax) withdrawn.delete(oldest)
      if (!existing) withdrawn.add(reference)
      return existing
    },
    transition,
    operate(payment, reference, operation) {
      const existing = payment.operations.get(reference)
      if (existing) return isSameOperation(existing, operation) ? payment : 'otherOrder'
      if (!isConfirmed(payment)) return 'wrongState'
      if (payment.operations.size >= limits.operationsMax) return 'tooMany'
      const refusal = refusalOf(payment, operation)
      if (refusal) return refusal
      const operations = new Map([...payment.operations, [reference, operation]])
      const changed = store({ ...payment, operations, state: stateOf({ order: payment.order, operations }) })
      if (changed.state !== payment.state) onChange(changed)
      return changed
    },
    advance() {
      for (const id of waiting) {
        const payment = payments.get(id)
        if (payment?.later && payment.later.atMs <= clock.now()) transition(payment, payment.later.transition)
      }
    },
  }
}

/** The amounts of a payment. Before it is confirmed, all of them are 0. */
export const amountsOfPayment = (payment: BankPayment): BankAmounts =>
  isConfirmed(payment) ? amountsOf(payment) : { heldMinor: 0, capturedMinor: 0, refundedMinor: 0, cancelledMinor: 0 }

/** Whether no amount of a payment is left: it has failed, or was cancelled, or released or refunded in full. */
export function hasNoAmountLeft(payment: BankPayment): boolean {
  if (payment.state === 'open' || payment.state === 'pending') return false
  const { heldMinor, capturedMinor, refundedMinor } = amountsOfPayment(payment)
  return heldMinor === 0 && capturedMinor === refundedMinor
}
