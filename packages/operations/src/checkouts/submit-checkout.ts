import { dispatch, isDecline, whyNotOpen } from '@tollgate/domain'
import type { CheckoutRow, JobRow, Swap } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import { decidedTransactions, type PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { safetyTimer } from '../records/timers.ts'
import { beginPayment } from '../payments/begin-payment.ts'
import { instrumentOfForm } from '../accounts/instrument-of-request.ts'
import { storedInstrument } from '../payments/pay-with-registration.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { register } from '../registrations/register.ts'
import { missingAnswer, whyMissing } from './checkout-answers.ts'
import { checkoutCall } from './checkout-request.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'
import type { BeginAttempt } from './shopper-attempt.ts'

/** "POST /checkouts/{id}/payment: submits the payment of a checkout." */
export const payCheckout = (gateway: Context, call: Call, begin: BeginAttempt): Promise<PendingUnit> =>
  submit(gateway, call, 'payment', begin)

/** "/checkouts/{id}/registration: same rules as the payment variant, for registrations." */
export const registerCheckout = (gateway: Context, call: Call, begin: BeginAttempt): Promise<PendingUnit> =>
  submit(gateway, call, 'registration', begin)

async function submit(
  gateway: Context,
  call: Call,
  what: 'payment' | 'registration',
  begin: BeginAttempt,
): Promise<PendingUnit> {
  const mark = { ...call, ndc: call.id }
  const stored = await readCheckout(gateway, call.id)
  if (!stored) return { answer: missingAnswer(gateway, mark, whyMissing(gateway, call.id)) }
  if (call.atMs >= stored.expiresAtMs) return { answer: missingAnswer(gateway, mark, 'expired') }
  const why = whyNotOpen({ checkout: stored, atMs: call.atMs })
  if (why?.code === '800.120.100') return { answer: tooMany(gateway, mark, why.reason, stored.expiresAtMs - call.atMs) }
  if (why) return { answer: refusalAnswer(gateway, mark, why) }
  if (stored.registers !== (what === 'registration')) {
    const reason = `the checkout was created for a ${stored.registers ? 'registration' : 'payment'}: submit it as that`
    return { answer: gateway.render.refusal(400, '200.300.404', mark, { reason }) }
  }
  const whole = checkoutCall(gateway, call, stored)
  if ('wrong' in whole) return { answer: whole.wrong }
  const { narrowed, instrument, registration } = await presented(gateway, whole.call)
  const waitMs = begin(dispatch(narrowed.channels, instrument.brand, narrowed.form.values.get('currency')), instrument)
  if (waitMs > 0) {
    if (instrument.kind === 'usable') instrument.release()
    return { answer: tooMany(gateway, mark, TOO_MANY_DECLINES, waitMs) }
  }
  const made =
    what === 'registration'
      ? await register(gateway, narrowed, instrument)
      : await beginPayment(gateway, narrowed, instrument, registration)
  return kept(gateway, withReturn(stored, whole.call), call.atMs, made)
}

const TOO_MANY_DECLINES = 'too many attempts with this card or from this address were declined: try again later'

const tooMany = ({ render }: Context, mark: RequestMark, reason: string, retryAfterMs: number): Answer => ({
  ...render.refusal(429, '800.120.100', mark, { reason }),
  retryAfterMs,
})

/** The account that the shopper pays with or stores: an offered registration, or the one in the form. */
async function presented(gateway: Context, call: Call) {
  if (call.id !== '') return storedInstrument(gateway, call)
  return { narrowed: call, instrument: instrumentOfForm(call), registration: undefined }
}

interface Submitted {
  readonly row: CheckoutRow
  readonly parameters: string
  /** Before this attempt. */
  readonly declines: number
}

/** Where the form said that the shopper comes back to, if the merchant has not said it before: it is called, too. */
function withReturn({ row, parameters, declines }: StoredCheckout, { form }: Call): Submitted {
  const address = form.values.get('shopperResultUrl')
  const isKnown = address === undefined || parameters['shopperResultUrl'] !== undefined
  const all = isKnown ? row.parameters : JSON.stringify({ ...parameters, shopperResultUrl: address })
  return { row, parameters: all, declines }
}

/** What is made of a checkout is kept with it, in one unit: of two submits at once, one finds that it was changed. */
function kept(gateway: Context, submitted: Submitted, atMs: number, proposal: PendingUnit): PendingUnit {
  const { row: from, parameters, declines } = submitted
  const { unique, attempt, answer } = proposal
  const [first] = decidedTransactions(proposal)
  const transaction = attempt?.row ?? first
  if (!transaction) {
    // A declined registration leaves no transaction by which it could be counted later.
    if (!isDecline(answer?.code)) return proposal
    return { ...proposal, swaps: [{ table: 'checkout', from, to: { ...from, declines: declines + 1 } }] }
  }
  const to = {
    ...from,
    parameters,
    declines,
    transaction_id: transaction.id,
    submitted_at_ms: from.submitted_at_ms ?? atMs,
    // What was read before is not what there is now.
    read_at_ms: null,
  }
  const swap: Swap = { table: 'checkout', from, to }
  const timers: readonly JobRow[] = from.submitted_at_ms === null ? [safetyTimer(gateway, from)] : []
  return {
    ...proposal,
    rows: { ...proposal.rows, job: [...(proposal.rows?.job ?? []), ...timers] },
    swaps: [...(proposal.swaps ?? []), swap],
    unique: unique && {
      keys: unique.keys,
      onConflict: async (taken) => kept(gateway, submitted, atMs, await unique.onConflict(taken)),
    },
  }
}
