import type { AcquirerRequest, OpenRequest, ReversalAttempt, ReversalOutcome } from '../port.ts'
import { type AnsweredRequest, type AnswerRules, readAnswer } from './answer.ts'
import type { UpstreamClient } from './client.ts'
import type { FormPair } from './encode-form.ts'
import { formOf } from './form.ts'
import { limits } from './limits.ts'
import type { UpstreamPayment } from './payment-json.ts'
import { readReferences } from './references.ts'
import { currencyOf, type UpstreamAccount } from './replaced-parameters.ts'
import { readReply } from './reply.ts'
import { isUncertain, resultOf } from './result-code.ts'

/** The parts of a connector that a reversal uses. */
export interface ReversalParts {
  readonly client: UpstreamClient
  readonly account: UpstreamAccount
  readonly rules: AnswerRules
  readonly now: () => number
  readonly onDuplicate: (transactionId: string) => void
}

/**
 * Ends a request without an answer. First the upstream is queried for the reference of the attempt. A payment that it
 * has made is reversed (RV), or refunded if it was sent for clearing; a follow-up is never repeated: its result is
 * reported as it is there. A request that is absent may still be on its way, so its absence counts only after
 * `limits.absentAfterMs`.
 */
export async function reverseRequest(
  parts: ReversalParts,
  request: OpenRequest,
  { sentAs, reversalSentAs, isRepeat }: ReversalAttempt,
): Promise<ReversalOutcome> {
  const sent = readReferences(sentAs)
  const found = await parts.client.find(sent.reference)
  if (!found) return UNKNOWN
  if (found.length === 0) return parts.now() - sent.atMs >= limits.absentAfterMs ? REVERSED : UNKNOWN
  if (request.original) return followUpOutcome(parts, request, sent.reference, found)
  const { reference } = readReferences(reversalSentAs)
  const earlier = isRepeat ? await parts.client.find(reference) : []
  if (!earlier) return UNKNOWN
  for (const payment of found) {
    const reversals = earlier.filter((reversal) => isReversalOf(reversal, payment))
    if (reversals.some(succeeded)) continue
    if (reversals.some(isOpen) || !(await undo(parts, request, payment, reference))) {
      return UNKNOWN
    }
  }
  return REVERSED
}

const UNKNOWN: ReversalOutcome = { kind: 'unknown' }
const REVERSED: ReversalOutcome = { kind: 'reversed' }

/** Reports what has become of a follow-up. Two that have succeeded are for an operator. */
function followUpOutcome(
  { rules, account, onDuplicate }: ReversalParts,
  request: OpenRequest,
  reference: string,
  found: readonly UpstreamPayment[],
): ReversalOutcome {
  const expected: AnsweredRequest = {
    ...request,
    currency: currencyOf({ request, account }),
    reference,
  }
  const meanings = found.map((payment) => readAnswer(rules, expected, payment))
  const answers = meanings.flatMap((meaning) =>
    meaning.kind === 'answer' || meaning.kind === 'refused' ? [meaning.answer] : [],
  )
  if (answers.length < meanings.length) return UNKNOWN
  const approved = answers.filter(({ status }) => status === 'approved')
  if (approved.length > 1) {
    onDuplicate(request.transactionId)
    return UNKNOWN
  }
  const answer = approved[0] ?? answers[0]
  return answer ? { kind: 'done', answer } : UNKNOWN
}

const isReversalOf = ({ paymentType, referencedId }: UpstreamPayment, { id }: UpstreamPayment): boolean =>
  (paymentType === 'RV' || paymentType === 'RF') && (referencedId === undefined || referencedId === id)

/** Whether the result is not final. */
const isOpen = ({ code }: UpstreamPayment): boolean => isUncertain(code) || resultOf(code).outcome === 'pending'

const succeeded = ({ code }: UpstreamPayment): boolean => {
  const { outcome } = resultOf(code)
  return outcome === 'success' || outcome === 'review'
}

/** Reversals that the upstream refuses because nothing is left to reverse. */
const nothingLeft: ReadonlySet<string> = new Set(['700.300.300', '700.400.300'])

/**
 * Takes a payment back at the upstream: it is reversed, or refunded if it was sent for clearing. A credit is refunded.
 *
 * @returns whether no account is charged any more; false: that is not known yet
 */
export async function undo(
  parts: UndoParts,
  request: OpenRequest,
  payment: UpstreamPayment,
  reference: string,
): Promise<boolean> {
  if (isOpen(payment)) return false
  if (!succeeded(payment)) return true
  const { operation } = request
  if (operation !== 'CD') {
    const outcome = await sendUndoing(parts, request, payment, 'RV', reference)
    // A hold cannot be refunded.
    if (outcome !== 'refused' || operation === 'PA') return outcome === 'done'
  }
  return (await sendUndoing(parts, request, payment, 'RF', reference)) === 'done'
}

type UndoParts = Pick<ReversalParts, 'client' | 'account'>

async function sendUndoing(
  { client, account }: UndoParts,
  request: OpenRequest,
  payment: UpstreamPayment,
  operation: 'RV' | 'RF',
  reference: string,
): Promise<'done' | 'refused' | 'unknown'> {
  const { id } = payment
  if (id === undefined) return 'unknown'
  // Without an `Idempotency-Key`, which would repeat the answer to an earlier failure. The upstream reverses or refunds
  // the full amount once.
  const form = undoingForm(account, request, payment, operation, reference)
  const meaning = readReply(await client.post(`/v1/payments/${id}`, form))
  if (meaning.kind !== 'payment' || isUncertain(meaning.payment.code)) return 'unknown'
  const { code, paymentType, referencedId } = meaning.payment
  if (resultOf(code).outcome === 'rejected') return operation === 'RV' && nothingLeft.has(code) ? 'done' : 'refused'
  const isAbout = paymentType === operation && (referencedId === undefined || referencedId === id)
  return succeeded(meaning.payment) && isAbout ? 'done' : 'unknown'
}

/** The form of a reversal in full, or of a refund of the amount that the upstream names. */
function undoingForm(
  account: UpstreamAccount,
  request: OpenRequest,
  payment: UpstreamPayment,
  operation: 'RV' | 'RF',
  reference: string,
): readonly FormPair[] {
  const undoing: AcquirerRequest = {
    ...request,
    operation,
    parameters: new Map(),
    secrets: new Map(),
    descriptor: '',
    partialApproval: false,
    original: { transactionId: request.transactionId, references: [], amountMinor: request.amountMinor },
  }
  const pairs = formOf({ request: undoing, account, reference })
  const { amount, currency } = payment
  if (operation === 'RV' || amount === undefined || currency === undefined) return pairs
  const money: readonly FormPair[] = [
    ['amount', amount],
    ['currency', currency],
  ]
  return [...pairs.filter(([name]) => name !== 'amount' && name !== 'currency'), ...money]
}
