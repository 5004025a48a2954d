import { InvariantError } from '@tollgate/contract'
import type { Refused, Registration, Unknown } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { decideOn } from '../payments/begin-payment.ts'
import { checkedInstruction, initialTransactionOf } from '../payments/card-on-file.ts'
import { openingType } from '../records/payment-type.ts'
import { instrumentOfRegistration } from '../accounts/stored-instrument.ts'

/**
 * Why every charge of a plan would be refused: what can be known without its time having come and without the acquirer.
 * Better said to whoever makes the plan than found in a month.
 *
 * @param call a charge
 * @returns undefined where nothing stands against it
 */
export async function foreseenRefusal(
  context: Context,
  call: Call,
  channel: Channel,
  registration: Registration,
): Promise<Refused | Unknown | undefined> {
  const instrument = await instrumentOfRegistration(context, call, registration)
  if (instrument.kind === 'unusable') return instrument.why
  try {
    const type = openingType(call.parameters.values.get('paymentType'))
    if (type === undefined) throw new InvariantError('charge has no payment type')
    const decision = decideOn(context, { call, channel, type }, instrument)
    if (decision.kind !== 'go') return decision
    const checked = checkedInstruction(call, channel, instrument, initialTransactionOf(call, registration))
    return checked?.kind === 'refused' ? checked : undefined
  } finally {
    instrument.release()
  }
}
