import { outcomeOfAmount } from './amount-outcomes.ts'
import {
  type AnsweredResults,
  answerOf,
  approvalCodeOf,
  availableOf,
  changeBalance,
  charge,
  type Decide,
  decline,
  findRoot,
  type HostContext,
  type HostDecision,
  isPosted,
  nextIdOf,
  post,
  type TransactionDetails,
  transactionOf,
} from './decision.ts'
import type { Change } from './host-state.ts'
import { feeOfKind } from './settlement/fees.ts'
import type { HostTransaction, TransactionKind } from './transaction.ts'
import { yearAndMonthOf } from './utc-texts.ts'
import { resultsOf } from './verification-results.ts'

/** One reason to decline: its response code, or undefined. */
type Check = (context: HostContext) => string | undefined

/** The characters of an authentication value: 20 bytes in base64. */
const CAVV_CHARS = 28

const PARTIAL = '10'

/** Condition code of an account verification, field 25. */
const VERIFICATION = '51'

const wasReversed: Check = ({ state, request }) => (state.earlyReversals.has(request.reference) ? '12' : undefined)
const hasInvalidCard: Check = ({ request }) => (request.card.isValid ? undefined : '14')
const hasNoAmount: Check = ({ request }) => (request.amountMinor === 0 ? '13' : undefined)
const hasAmount: Check = ({ request }) => (request.amountMinor === 0 ? undefined : '13')
const hasInvalidCavv: Check = ({ request: { cavvChars } }) =>
  cavvChars === undefined || cavvChars === CAVV_CHARS ? undefined : '30'
const hasCardOutcome: Check = ({ request: { card } }) =>
  card.outcome?.code === PARTIAL ? undefined : card.outcome?.code
const hasAmountOutcome: Check = ({ request }) => outcomeOfAmount(request.amountMinor)
const isExpired: Check = ({ request: { expiry }, nowMs }) =>
  expiry !== undefined && expiry < yearAndMonthOf(nowMs) ? '54' : undefined

/** The reasons to decline, in the order of decision. Funds are checked last. */
const debitChecks = [
  wasReversed,
  hasInvalidCard,
  hasNoAmount,
  hasInvalidCavv,
  hasCardOutcome,
  hasAmountOutcome,
  isExpired,
] as const

const verificationChecks = [wasReversed, hasInvalidCard, hasAmount, hasInvalidCavv, hasCardOutcome, isExpired] as const

const inquiryChecks = [wasReversed, hasInvalidCard, hasCardOutcome] as const

/** Credits are approved for every valid card, unless their amount selects an outcome. */
export const creditChecks: readonly Check[] = [wasReversed, hasInvalidCard, hasNoAmount, hasAmountOutcome]

/** The first reason to decline. */
export function firstRefusal(checks: readonly Check[], context: HostContext): string | undefined {
  for (const check of checks) {
    const code = check(context)
    if (code !== undefined) return code
  }
  return undefined
}

/** The amount that the issuer approves; 0 if the funds are not sufficient. */
function approvedMinorOf(context: HostContext): number {
  const { request } = context
  const availableMinor = Math.max(0, availableOf(context))
  const coveredMinor = Math.min(request.amountMinor, availableMinor)
  if (request.card.outcome?.code === PARTIAL) return Math.floor(coveredMinor / 2)
  return coveredMinor === request.amountMinor || request.isPartialAllowed ? coveredMinor : 0
}

/** An approval: the answer, and the transaction with its fee and further changes. A posting implies its fee. */
export function approve(
  context: HostContext,
  transaction: HostTransaction,
  changes: readonly Change[],
  results?: AnsweredResults,
): HostDecision {
  const fee = isPosted(transaction) ? undefined : feeOfKind[transaction.kind]
  const added: Change = { kind: 'add', transaction }
  return {
    answer: answerOf(context, transaction.responseCode, transaction, results),
    changes: fee === undefined ? [added, ...changes] : [added, ...changes, charge(context, transaction, fee)],
  }
}

/** The transaction of a message, with an approval code of its own. */
export function approvedTransactionOf(
  context: HostContext,
  kind: TransactionKind,
  { code, root, amounts }: Omit<TransactionDetails, 'approvalCode'>,
): HostTransaction {
  const approvalCode = approvalCodeOf(nextIdOf(context.state))
  return transactionOf(context, kind, { code, root, approvalCode, amounts })
}

/** Field 54: account type 00, amount type, currency, sign, and an amount of twelve digits, the largest at most. */
function amountText(type: '02' | '57', currency: string, amountMinor: number): string {
  const digits = String(Math.min(Math.abs(amountMinor), 10 ** 12 - 1)).padStart(12, '0')
  return `00${type}${currency}${amountMinor < 0 ? 'D' : 'C'}${digits}`
}

function decideDebit(context: HostContext, kind: 'authorisation' | 'sale'): HostDecision {
  const { request } = context
  const results = resultsOf(request)
  const refusal = firstRefusal(debitChecks, context)
  if (refusal !== undefined) return decline(context, kind, refusal, { results })
  const approvedMinor = approvedMinorOf(context)
  if (approvedMinor === 0) return decline(context, kind, '51', { results })
  const isPartial = approvedMinor < request.amountMinor
  const transaction = approvedTransactionOf(context, kind, {
    code: isPartial ? PARTIAL : '00',
    amounts: { authorisedMinor: approvedMinor, capturedMinor: kind === 'sale' ? approvedMinor : 0 },
  })
  const held = changeBalance(context, -approvedMinor)
  const changes = kind === 'sale' ? [held, post(context, 'debits', approvedMinor)] : [held]
  return approve(context, transaction, changes, {
    results,
    amountMinor: isPartial ? approvedMinor : undefined,
    amounts: isPartial ? amountText('57', request.currency, request.amountMinor) : undefined,
  })
}

/** A verification of an account without an amount: code 85, "no reason to decline". */
const verify: Decide = (context) => {
  const results = resultsOf(context.request)
  const refusal = firstRefusal(verificationChecks, context)
  if (refusal !== undefined) return decline(context, 'verification', refusal, { results })
  return approve(context, approvedTransactionOf(context, 'verification', { code: '85' }), [], { results })
}

/** Raises an authorisation. The whole amount is approved, or nothing. */
const increase: Decide = (context) => {
  const found = findRoot(context)
  if (found === undefined || 'code' in found) return decline(context, 'increment', found?.code ?? '25')
  const { root } = found
  if (!isOpenHold(root)) return decline(context, 'increment', '12')
  const { amountMinor } = context.request
  const refusal = firstRefusal(debitChecks, context)
  if (refusal !== undefined) return decline(context, 'increment', refusal)
  if (availableOf(context) < amountMinor) return decline(context, 'increment', '51')
  const amounts = { authorisedMinor: amountMinor }
  const transaction = approvedTransactionOf(context, 'increment', { code: '00', root, amounts })
  return approve(context, transaction, [
    { kind: 'update', id: root.id, amounts: { authorisedMinor: root.authorisedMinor + amountMinor } },
    changeBalance(context, -amountMinor),
  ])
}

/** Whether an authorisation can be captured and increased. */
export const isOpenHold = ({ kind, responseCode, authorisedMinor, isReversed, isFinal }: HostTransaction): boolean =>
  kind === 'authorisation' && isDebitApproval(responseCode) && authorisedMinor > 0 && !isReversed && !isFinal

const isDebitApproval = (code: string): boolean => code === '00' || code === PARTIAL

/** An authorisation, an increase of one, or a verification. */
export const authorise: Decide = (context) => {
  if (context.request.condition === VERIFICATION) return verify(context)
  return context.request.isIncrement ? increase(context) : decideDebit(context, 'authorisation')
}

/** A sale, which the host captures at once. */
export const sell: Decide = (context) => decideDebit(context, 'sale')

/** A balance inquiry. */
export const inquire: Decide = (context) => {
  const refusal = firstRefusal(inquiryChecks, context)
  if (refusal !== undefined) return decline(context, 'inquiry', refusal)
  return approve(context, approvedTransactionOf(context, 'inquiry', { code: '00' }), [], {
    amounts: amountText('02', context.request.currency, availableOf(context)),
  })
}
