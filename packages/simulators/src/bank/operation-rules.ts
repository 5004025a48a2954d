import {
  amountsOf,
  type BankOperation,
  chargesOf,
  type ConfirmedOrder,
  isHold,
  type OperationKind,
  refundedOf,
} from './amounts.ts'
import type { BankState } from './transitions.ts'

/** Reasons for which an operation on a confirmed order is refused. */
export type OperationRefusal = 'wrongState' | 'tooMuch' | 'unknownReference'

type Check = (confirmed: ConfirmedOrder, operation: BankOperation) => OperationRefusal | undefined

const checkAmount = (amountMinor: number, leftMinor: number): OperationRefusal | undefined =>
  amountMinor <= leftMinor ? undefined : 'tooMuch'

const checks: Readonly<Record<OperationKind, Check>> = {
  capture: (confirmed, { amountMinor }) =>
    isHold(confirmed.order) ? checkAmount(amountMinor, amountsOf(confirmed).heldMinor) : 'wrongState',
  increase: (confirmed) => (amountsOf(confirmed).heldMinor > 0 ? undefined : 'wrongState'),
  reversal(confirmed, { of, amountMinor }) {
    if (isHold(confirmed.order) && of === confirmed.order.reference) {
      return checkAmount(amountMinor, amountsOf(confirmed).heldMinor)
    }
    const chargeMinor = chargesOf(confirmed).get(of)
    if (chargeMinor === undefined) return 'unknownReference'
    return refundedOf(confirmed, of) > 0 || amountMinor !== chargeMinor ? 'wrongState' : undefined
  },
  refund(confirmed, { of, amountMinor }) {
    const chargeMinor = chargesOf(confirmed).get(of)
    return chargeMinor === undefined
      ? 'unknownReference'
      : checkAmount(amountMinor, chargeMinor - refundedOf(confirmed, of))
  },
}

/** The reason for which an operation is refused; undefined if it is possible. */
export const refusalOf: Check = (confirmed, operation) => checks[operation.kind](confirmed, operation)

/** The state of a confirmed order, which follows from its amounts. */
export function stateOf(confirmed: ConfirmedOrder): BankState {
  const { heldMinor, capturedMinor, refundedMinor } = amountsOf(confirmed)
  if (heldMinor > 0) return 'held'
  if (capturedMinor === 0) return 'cancelled'
  return refundedMinor === capturedMinor ? 'refunded' : 'paid'
}
