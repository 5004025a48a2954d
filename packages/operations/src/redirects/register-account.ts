import { InvariantError, isBrand, Secret } from '@tollgate/contract'
import { isPaymentType, type PaymentType } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { instrumentOfAccount } from '../accounts/stored-instrument.ts'
import { agreementInstrument } from '../accounts/virtual-account.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'
import { narrow } from '../narrow.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { type OnFileChanges, onFileChangesOf } from '../payments/on-file-changes.ts'
import { factsOf } from '../records/payment-record.ts'
import { currentRegistration } from '../records/registration-record.ts'

/** An approved payment whose shopper confirmed it on a page of the provider. */
interface ConfirmedPayment {
  readonly request: AccountRequest<AccountOnFile>
  readonly channel: Channel
  readonly row: TransactionRow
}

/** The changed row of the payment, and the further changes that are committed with it. */
type RegisteredPayment = Pick<ConfirmedPayment, 'row'> & Pick<OnFileChanges, 'registered' | 'expectedVersions' | 'rows'>

/**
 * The registration of a confirmed payment that was sent with createRegistration=true, or that uses a registration or a
 * standing instruction. A bank or wallet returns an agreement, under which later charges need no page; a card that its
 * provider has authenticated is registered with its number.
 */
export async function registerAccount(
  context: Context,
  { request, channel, row }: ConfirmedPayment,
  response: AcquirerResponse,
): Promise<RegisteredPayment> {
  const instrument = await confirmedInstrument(context, { request, channel, row }, response)
  if (!instrument) return { row }
  try {
    const { instruction } = factsOf(row)
    const { registration_id: registrationId } = row
    const stored = registrationId === null ? undefined : await context.storage.registration(registrationId)
    const isOnFile = request.createRegistration || stored !== undefined || instruction !== undefined
    if (!isOnFile) return { row }
    const agreementId = row.initial_transaction_id ?? undefined
    const changes = await onFileChangesOf(context, {
      request,
      channel,
      instrument,
      registration: stored && (await currentRegistration(context.storage, stored, request.atMs)),
      go: { type: typeOf(row) },
      acceptedInstruction: instruction && { kind: 'go', instruction, initialTransactionId: undefined, agreementId },
      response,
      createsRegistration: request.createRegistration,
    })
    const { networkTransactionId, registered, expectedVersions, rows } = changes
    const changedRow: TransactionRow = {
      ...row,
      registration_id: registered?.registration.id ?? row.registration_id,
      network_transaction_id: networkTransactionId ?? null,
    }
    return { row: changedRow, registered, expectedVersions, rows }
  } finally {
    instrument.release?.()
  }
}

/** The confirmed account: the agreement of the provider, or the stored account; undefined: neither can be stored. */
async function confirmedInstrument(
  context: Context,
  { request, row }: ConfirmedPayment,
  { agreementId }: AcquirerResponse,
): Promise<UsableInstrument | undefined> {
  if (factsOf(row).redirected) {
    const brand = narrow(isBrand, row.brand)
    if (agreementId === undefined || brand === null || !request.createRegistration) return undefined
    const number = new Secret(new TextEncoder().encode(agreementId))
    return { ...agreementInstrument(brand, number), release: () => number.wipe() }
  }
  if (row.account_id === null) return undefined
  const instrument = instrumentOfAccount(context, request, await context.storage.account(row.account_id))
  return instrument.kind === 'usable' ? instrument : undefined
}

function typeOf({ type, id }: TransactionRow): PaymentType {
  if (!isPaymentType(type)) throw new InvariantError('confirmed transaction is not a payment', id)
  return type
}
