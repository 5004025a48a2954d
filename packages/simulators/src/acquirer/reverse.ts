import {
  answerOf,
  changeBalance,
  charge,
  type Decide,
  type HostContext,
  isApproval,
  isBatchClosed,
  isPosted,
  post,
  refuse,
} from './decision.ts'
import type { Change } from './host-state.ts'
import type { HostTransaction, TransactionAmounts, TransactionKind } from './transaction.ts'

/** A reversal of one transaction. */
interface Reversal {
  readonly context: HostContext
  readonly transaction: HostTransaction
  readonly root: HostTransaction | undefined
  /** The amount that remains; 0 if the transaction is reversed in full. */
  readonly remainingMinor: number
  /** The business day of the batch in which the reversal counts. */
  readonly batchDay: string
}

/** The changes of a reversal; or a response code, if the transaction cannot be reversed. */
type Reverse = (reversal: Reversal) => readonly Change[] | string

const WRONG_AMOUNT = '64'

/**
 * Reverses a transaction in full, or in part with an amount in field 95. A reversal that arrives before its original is
 * remembered: the original will be declined. The reversal of a posted transaction counts in the batch of that
 * transaction while it is open; later, an advice counts in the current business day.
 */
export const reverse: Decide = (context) => {
  const { state, request } = context
  const { originalReference = '', replacementMinor: remainingMinor } = request
  const transaction = state.transactions.get(state.byReference.get(originalReference) ?? 0)
  if (transaction === undefined) {
    const changes: readonly Change[] = [{ kind: 'reverseEarly', reference: originalReference }]
    return { answer: answerOf(context, '25'), changes: remainingMinor === 0 ? changes : [] }
  }
  const refusal = refusalOf(context, transaction)
  if (refusal !== undefined) return refuse(context, refusal)
  const root = transaction.rootId === undefined ? undefined : state.transactions.get(transaction.rootId)
  const batchDay = batchDayOf(context, transaction)
  const changes = reversals[transaction.kind]({ context, transaction, root, remainingMinor, batchDay })
  if (typeof changes === 'string') return refuse(context, changes)
  const { networkId, approvalCode } = transaction
  const fees = context.request.type.isAdvice ? [] : [charge(context, transaction, 'CANCEL_FEE')]
  return {
    answer: answerOf(context, '00', { networkId, approvalCode, businessDay: batchDay }),
    changes: [...changes, ...fees],
  }
}

/** The reasons to refuse a reversal of any kind, in the order of decision. */
function refusalOf({ state, request }: HostContext, transaction: HostTransaction): string | undefined {
  if (transaction.account !== request.account) return '77'
  if (!isApproval(transaction.responseCode)) return '21'
  if (transaction.isReversed) return '79'
  if (!isAmountOf(transaction, request.amountMinor)) return WRONG_AMOUNT
  // An advice reports a reversal that has happened: it takes effect.
  return !request.type.isAdvice && isPosted(transaction) && isBatchClosed(state, transaction) ? '21' : undefined
}

/** Field 4 has the amount of the original request, or the amount that is authorised after increases and reversals. */
const isAmountOf = ({ requestedMinor, authorisedMinor }: HostTransaction, amountMinor: number): boolean =>
  amountMinor === requestedMinor || (amountMinor === authorisedMinor && authorisedMinor > 0)

const batchDayOf = ({ state, businessDay }: HostContext, transaction: HostTransaction): string =>
  isPosted(transaction) && !isBatchClosed(state, transaction) ? transaction.businessDay : businessDay

const update = ({ id }: HostTransaction, amounts: Partial<TransactionAmounts>): Change => ({
  kind: 'update',
  id,
  amounts,
})

/** Releases a hold down to the remaining amount, which must cover the captures. */
const releaseHold: Reverse = ({ context, transaction, remainingMinor }) => {
  const { authorisedMinor, capturedMinor, reversedMinor, isFinal } = transaction
  if (isFinal) return '21'
  if (remainingMinor < capturedMinor || remainingMinor > authorisedMinor) return WRONG_AMOUNT
  const releasedMinor = authorisedMinor - remainingMinor
  const amounts = {
    authorisedMinor: remainingMinor,
    reversedMinor: reversedMinor + releasedMinor,
    isReversed: remainingMinor === 0,
  }
  return [update(transaction, amounts), changeBalance(context, releasedMinor)]
}

/** Takes a sale back down to the remaining amount, which must cover the refunds. */
const reverseSale: Reverse = ({ context, transaction, remainingMinor, batchDay }) => {
  const { capturedMinor, refundedMinor, reversedMinor } = transaction
  if (remainingMinor < refundedMinor || remainingMinor > capturedMinor) return WRONG_AMOUNT
  const returnedMinor = capturedMinor - remainingMinor
  const amounts = {
    authorisedMinor: remainingMinor,
    capturedMinor: remainingMinor,
    reversedMinor: reversedMinor + returnedMinor,
    isReversed: remainingMinor === 0,
  }
  return [
    update(transaction, amounts),
    post(context, 'debitReversals', returnedMinor, { id: transaction.id, batchDay }),
    changeBalance(context, returnedMinor),
  ]
}

/** Takes a capture back in full. Its amount is held again, unless a final capture has ended the hold. */
const reverseCapture: Reverse = ({ context, transaction, root, remainingMinor, batchDay }) => {
  const { capturedMinor } = transaction
  if (root === undefined) return '25'
  if (remainingMinor > 0 || root.capturedMinor - capturedMinor < root.refundedMinor) return WRONG_AMOUNT
  return [
    update(transaction, { capturedMinor: 0, reversedMinor: capturedMinor, isReversed: true }),
    update(root, { capturedMinor: root.capturedMinor - capturedMinor }),
    post(context, 'debitReversals', capturedMinor, { id: transaction.id, batchDay }),
    ...(root.isFinal ? [changeBalance(context, capturedMinor)] : []),
  ]
}

/** Takes a refund or payout back in full. */
const reverseCredit: Reverse = ({ context, transaction, root, remainingMinor, batchDay }) => {
  const { refundedMinor } = transaction
  if (remainingMinor > 0) return WRONG_AMOUNT
  return [
    update(transaction, { refundedMinor: 0, reversedMinor: refundedMinor, isReversed: true }),
    ...(root === undefined ? [] : [update(root, { refundedMinor: root.refundedMinor - refundedMinor })]),
    post(context, 'creditReversals', refundedMinor, { id: transaction.id, batchDay }),
    changeBalance(context, -refundedMinor),
  ]
}

/** Takes an increase back in full. */
const reverseIncrement: Reverse = ({ context, transaction, root, remainingMinor }) => {
  const { authorisedMinor } = transaction
  if (root === undefined) return '25'
  if (root.isFinal || root.isReversed) return '21'
  if (remainingMinor > 0 || root.authorisedMinor - authorisedMinor < root.capturedMinor) return WRONG_AMOUNT
  return [
    update(transaction, { authorisedMinor: 0, reversedMinor: authorisedMinor, isReversed: true }),
    update(root, {
      authorisedMinor: root.authorisedMinor - authorisedMinor,
      reversedMinor: root.reversedMinor + authorisedMinor,
    }),
    changeBalance(context, authorisedMinor),
  ]
}

/** A transaction without an amount is only marked. */
const mark: Reverse = ({ transaction }) => [update(transaction, { isReversed: true })]

const reversals: Readonly<Record<TransactionKind, Reverse>> = {
  authorisation: releaseHold,
  increment: reverseIncrement,
  capture: reverseCapture,
  sale: reverseSale,
  refund: reverseCredit,
  payout: reverseCredit,
  verification: mark,
  inquiry: mark,
}
