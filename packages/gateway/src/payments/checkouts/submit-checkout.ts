import { whyNotOpen } from '@tollgate/domain'
import type { CheckoutRow, JobRow, Swap } from '@tollgate/storage'
import { decidedIn, type Proposal } from '../../funnel.ts'
import type { Gateway } from '../../gateway.ts'
import type { Call } from '../../http/public/route.ts'
import { safetyTimer } from '../../jobs/safety-call.ts'
import { beginPayment } from '../begin-payment.ts'
import { instrumentOfForm } from '../instruments/of-form.ts'
import { payWithRegistration } from '../pay-with-registration.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { register } from '../registrations/register.ts'
import { missingAnswer, whyMissing } from './checkout-answers.ts'
import { checkoutCall } from './checkout-call.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'

/** "POST /checkouts/{id}/payment: submits the payment of a checkout." */
export const payCheckout = (gateway: Gateway, call: Call): Promise<Proposal> => submit(gateway, call, 'payment')

/** "/checkouts/{id}/registration: same rules as the payment variant, for registrations." */
export const registerCheckout = (gateway: Gateway, call: Call): Promise<Proposal> =>
  submit(gateway, call, 'registration')

async function submit(gateway: Gateway, call: Call, what: 'payment' | 'registration'): Promise<Proposal> {
  const mark = { ...call, ndc: call.id }
  const stored = await readCheckout(gateway, call.id)
  if (!stored) return { answer: missingAnswer(gateway, mark, whyMissing(gateway, call.id)) }
  if (call.atMs >= stored.expiresAtMs) return { answer: missingAnswer(gateway, mark, 'expired') }
  const why = whyNotOpen({ checkout: stored, atMs: call.atMs })
  if (why) return { answer: refusalAnswer(gateway, mark, why) }
  if (stored.registers !== (what === 'registration')) {
    const reason = `the checkout was created for a ${stored.registers ? 'registration' : 'payment'}: submit it as that`
    return { answer: gateway.render.refusal(400, '200.300.404', mark, { reason }) }
  }
  const whole = checkoutCall(gateway, call, stored)
  if ('wrong' in whole) return { answer: whole.wrong }
  return kept(gateway, withReturn(stored, whole.call), call.atMs, await made(gateway, whole.call, what))
}

function made(gateway: Gateway, call: Call, what: 'payment' | 'registration'): Promise<Proposal> {
  if (what === 'registration') return register(gateway, call, instrumentOfForm(call))
  return call.id === '' ? beginPayment(gateway, call, instrumentOfForm(call)) : payWithRegistration(gateway, call)
}

interface Submitted {
  readonly row: CheckoutRow
  readonly parameters: string
}

/** Where the form said that the shopper comes back to, if the merchant has not said it before: it is called, too. */
function withReturn({ row, parameters }: StoredCheckout, { form }: Call): Submitted {
  const address = form.values.get('shopperResultUrl')
  if (address === undefined || parameters['shopperResultUrl'] !== undefined) return { row, parameters: row.parameters }
  return { row, parameters: JSON.stringify({ ...parameters, shopperResultUrl: address }) }
}

/** What is made of a checkout is kept with it, in one unit: of two submits at once, one finds that it was changed. */
function kept(gateway: Gateway, submitted: Submitted, atMs: number, proposal: Proposal): Proposal {
  const { row: from, parameters } = submitted
  const { unique, attempt } = proposal
  const [first] = decidedIn(proposal)
  const transaction = attempt?.row ?? first
  if (!transaction) return proposal
  const to = {
    ...from,
    parameters,
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
      whenTaken: async (taken) => kept(gateway, submitted, atMs, await unique.whenTaken(taken)),
    },
  }
}
