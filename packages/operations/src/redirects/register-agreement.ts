import { isBrand, Secret } from '@tollgate/contract'
import type { TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { narrow } from '../narrow.ts'
import type { Channel } from '../directory/channel.ts'
import { agreementInstrument } from '../accounts/virtual-account.ts'
import { factsOf, initialTransactionIdOf } from '../records/payment-record.ts'
import type { NewRegistration } from '../pending-unit.ts'
import { newRegistration } from '../payments/new-registration.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'

/** The row of the payment, with the id of the registration if there is one, and the rows of the registration. */
interface RegisteredAgreement {
  readonly row: TransactionRow
  readonly registered?: NewRegistration
}

/**
 * Creates the rows of a registration for the shopper's agreement with the provider, so that later charges can refer to
 * the agreement. There is no registration if the provider returned no agreement, if the payment has no known brand, or
 * if it was sent without createRegistration=true.
 *
 * @param row the approved payment
 */
export async function registerAgreement(
  context: Context,
  {
    request,
    channel,
    row,
  }: { readonly request: AccountRequest; readonly channel: Channel; readonly row: TransactionRow },
  response: AcquirerResponse,
): Promise<RegisteredAgreement> {
  const brand = narrow(isBrand, row.brand)
  if (response.agreementId === undefined || brand === null || !request.createRegistration) return { row }
  const number = new Secret(new TextEncoder().encode(response.agreementId))
  try {
    const initialTransactionId = initialTransactionIdOf(response.details)
    const registered = await newRegistration(context, request, {
      id: context.ids.random(),
      channel,
      instrument: agreementInstrument(brand, number),
      verified: true,
      instruction: factsOf(row).instruction,
      initialTransactionId,
    })
    const { id } = registered.registration
    const paymentRow = { ...row, registration_id: id, network_transaction_id: initialTransactionId ?? null }
    return { row: paymentRow, registered }
  } finally {
    number.wipe()
  }
}
