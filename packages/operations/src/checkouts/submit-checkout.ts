import { dispatch, isDecline, checkoutRefusal } from '@tollgate/domain'
import type { CheckoutRow, JobRow, CompareAndSet } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { SubmitRequest } from '../requests.ts'
import { safetyTimer } from '../records/timers.ts'
import { payWithAccount } from '../payments/begin-payment.ts'
import { resolveAccount } from '../accounts/resolve-account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { registerAccount } from '../registrations/register.ts'
import { missingAnswer, missingReason } from './checkout-answers.ts'
import { checkoutRequest } from './checkout-request.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'
import { withDeclineReason } from './decline-reason.ts'
import { type BeginAttempt, runShopperAttempt } from './shopper-attempt.ts'

/** "POST /checkouts/{id}/payment: submits the payment of a checkout." */
export const payCheckout = (context: Context, request: SubmitRequest): Promise<Answer> =>
  submitOnce(context, request, 'payment')

/** "/checkouts/{id}/registration: same rules as the payment variant, for registrations." */
export const registerCheckout = (context: Context, request: SubmitRequest): Promise<Answer> =>
  submitOnce(context, request, 'registration')

type SubmittedKind = 'payment' | 'registration'

/** Submits as one attempt of the shopper, even if the submit is decided again after version conflicts. */
async function submitOnce(context: Context, request: SubmitRequest, kind: SubmittedKind): Promise<Answer> {
  const answer = await runShopperAttempt(context, request, (begin) =>
    context.commands.execute(request, request.claim, () => submit(context, request, kind, begin), {
      mutexKey: request.id,
    }),
  )
  return withDeclineReason(answer)
}

async function submit(
  context: Context,
  request: SubmitRequest,
  kind: SubmittedKind,
  begin: BeginAttempt,
): Promise<PendingUnit> {
  const mark = { ...request, ndc: request.id }
  const stored = await readCheckout(context, request.id)
  if (!stored) return { answer: missingAnswer(context, mark, missingReason(context, request.id)) }
  if (request.atMs >= stored.expiresAtMs) return { answer: missingAnswer(context, mark, 'expired') }
  const refusal = checkoutRefusal({ checkout: stored, atMs: request.atMs })
  if (refusal?.code === '800.120.100')
    return { answer: tooManyAnswer(context, mark, refusal.reason, stored.expiresAtMs - request.atMs) }
  if (refusal) return { answer: refusalAnswer(context, mark, refusal) }
  if (stored.isRegistration !== (kind === 'registration')) {
    const created = stored.isRegistration ? 'registration' : 'payment'
    const reason = `the checkout was created for a ${created}: submit it to the path /${created}`
    return { answer: context.render.refusal(400, '200.300.404', mark, { reason }) }
  }
  const merged = checkoutRequest(context, request, stored)
  if ('refusal' in merged) return { answer: merged.refusal }
  const resolved = await resolveAccount(context, merged.request)
  const { request: accountRequest, instrument } = resolved
  const { channels, money } = accountRequest
  const waitMs = begin(dispatch(channels, instrument.brand, money.currency), instrument)
  if (waitMs > 0) {
    if (instrument.kind === 'usable') instrument.release?.()
    return { answer: tooManyAnswer(context, mark, TOO_MANY_DECLINES, waitMs) }
  }
  const pending = await (kind === 'registration' ? registerAccount : payWithAccount)(context, resolved)
  return withCheckoutChange(context, submittedCheckout(stored, accountRequest), request.atMs, pending)
}

const TOO_MANY_DECLINES = 'too many attempts with this card or from this address were declined: try again later'

const tooManyAnswer = ({ render }: Context, mark: RequestMark, reason: string, retryAfterMs: number): Answer => ({
  ...render.refusal(429, '800.120.100', mark, { reason }),
  retryAfterMs,
})

interface SubmittedCheckout {
  readonly row: CheckoutRow
  readonly parameters: string
  /** The declined attempts before this one. */
  readonly declines: number
}

/**
 * The checkout of a submit. Its parameters include the shopperResultUrl of the shopper's request, for the safety call,
 * unless the merchant prepared one.
 */
function submittedCheckout(
  { row, parameters, prepared, declines }: StoredCheckout,
  { reference }: AccountRequest,
): SubmittedCheckout {
  const address = reference.shopperResultUrl
  const isUnchanged = address === undefined || prepared.shopperResultUrl !== undefined
  const text = isUnchanged ? row.parameters : JSON.stringify({ ...parameters, shopperResultUrl: address })
  return { row, parameters: text, declines }
}

/**
 * Adds the change of the checkout to the unit of its result, so that only one of two concurrent submits is committed.
 */
function withCheckoutChange(
  context: Context,
  submitted: SubmittedCheckout,
  atMs: number,
  pending: PendingUnit,
): PendingUnit {
  const { row: from, parameters, declines } = submitted
  const { unique, transaction, answer } = pending
  if (!transaction) {
    // A declined registration stores no transaction, so the row of the checkout counts it.
    if (!isDecline(answer?.code)) return pending
    return { ...pending, compareAndSets: [{ table: 'checkout', from, to: { ...from, declines: declines + 1 } }] }
  }
  const to = {
    ...from,
    parameters,
    declines,
    transaction_id: transaction.row.id,
    submitted_at_ms: from.submitted_at_ms ?? atMs,
    // The new result has not been read, although an earlier result may have been.
    read_at_ms: null,
  }
  const compareAndSet: CompareAndSet = { table: 'checkout', from, to }
  const timers: readonly JobRow[] = from.submitted_at_ms === null ? [safetyTimer(context, from)] : []
  return {
    ...pending,
    rows: { ...pending.rows, job: [...(pending.rows?.job ?? []), ...timers] },
    compareAndSets: [...(pending.compareAndSets ?? []), compareAndSet],
    unique: unique && {
      keys: unique.keys,
      onConflict: async (owner) => withCheckoutChange(context, submitted, atMs, await unique.onConflict(owner)),
    },
  }
}
