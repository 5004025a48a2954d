import { InvariantError } from '@tollgate/contract'
import type { Refused, Registration, Unknown } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { acceptanceSubject } from '../payments/acceptance.ts'
import { decidePayment } from '../payments/begin-payment.ts'
import { checkSentInstruction, initialTransactionIdForCharge } from '../payments/card-on-file.ts'
import { instrumentOfRegistration } from '../accounts/stored-instrument.ts'

/**
 * The reason for which every charge of a plan would be refused, as far as it can be determined in advance and without
 * the acquirer: an error at the creation of the plan is better than one a month later.
 *
 * @param request a charge
 * @returns undefined if there is no reason
 */
export async function foreseenRefusal(
  context: Context,
  request: AccountRequest<AccountOnFile>,
  channel: Channel,
  registration: Registration,
): Promise<Refused | Unknown | undefined> {
  const instrument = await instrumentOfRegistration(context, request, registration)
  if (instrument.kind === 'unusable') return instrument.refusal
  try {
    const { type } = request.purpose
    if (type === undefined) throw new InvariantError('charge has no payment type')
    const charge = { request, channel, type }
    const decision = decidePayment(acceptanceSubject(context, charge, instrument), charge, instrument)
    if (decision.kind !== 'go') return decision
    const initialTransactionId = initialTransactionIdForCharge(request, registration)
    const checked = checkSentInstruction(request, channel, instrument, initialTransactionId)
    return checked?.kind === 'refused' ? checked : undefined
  } finally {
    instrument.release?.()
  }
}
