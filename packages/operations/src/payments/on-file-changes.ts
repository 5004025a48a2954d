import { InvariantError } from '@tollgate/contract'
import { registrationAfterPayment, type Go, type Registration, type StandingInstruction } from '@tollgate/domain'
import type { ExpectedVersion, RegistrationRow } from '@tollgate/storage'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { PendingChange } from '../pending-unit.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { AcceptedInstruction } from './card-on-file.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { newRegistration } from './new-registration.ts'
import { initialTransactionIdOf } from '../records/payment-record.ts'
import { registrationRow } from '../records/registration-record.ts'
import { readRegistrationTree } from '../records/registration-tree.ts'

/** A payment that uses or creates a registration or has a standing instruction, with the acquirer's response. */
interface OnFilePayment {
  readonly request: AccountRequest
  readonly channel: Channel
  readonly instrument: UsableInstrument
  /** undefined: the account is in the request. */
  readonly registration: Registration | undefined
  readonly go: Pick<Go, 'type'>
  readonly acceptedInstruction: AcceptedInstruction | undefined
  readonly response: AcquirerResponse
  /** Whether createRegistration=true was sent and the payment was approved. */
  readonly createsRegistration: boolean
}

/** The changes that are committed with an on-file payment. */
export interface OnFileChanges extends Pick<PendingChange, 'registered' | 'expectedVersions' | 'rows'> {
  readonly networkTransactionId: string | undefined
  /** The network transaction id of the transaction that began the agreement. */
  readonly agreementId: string | undefined
}

export async function onFileChangesOf(context: Context, payment: OnFilePayment): Promise<OnFileChanges> {
  const { request, channel, instrument, registration, go, response, createsRegistration } = payment
  const { instruction, agreementId } = payment.acceptedInstruction ?? {}
  // A payout is not a payment by the customer, so it permits no later charge.
  const networkTransactionId = go.type === 'CD' ? undefined : initialTransactionIdOf(response.details)
  const isApproved = statusOfResponse(response, response.code) === 'ACK'
  const registered = createsRegistration
    ? await newRegistration(context, request, {
        id: context.ids.random(),
        channel,
        instrument,
        verified: true,
        instruction,
        // A sent id is ignored if this payment begins an agreement.
        initialTransactionId:
          instruction?.mode === 'INITIAL'
            ? networkTransactionId
            : (request.instruction.initialTransactionId ?? networkTransactionId),
      })
    : undefined
  const changed =
    registration && isApproved
      ? await changedRegistration(context, request, registration, { instruction, networkTransactionId })
      : undefined
  return {
    networkTransactionId,
    agreementId,
    registered,
    expectedVersions: changed && [changed.expectedVersion],
    rows: changed && { registration: [changed.registration] },
  }
}

/**
 * The new row of a registration that stores the payment's network transaction id, because the payment is its first or
 * begins an agreement; and the expected version of the registration's tree.
 *
 * @returns undefined if the registration does not change
 */
async function changedRegistration(
  { storage }: Context,
  { atMs }: AccountRequest,
  registration: Registration,
  {
    instruction,
    networkTransactionId,
  }: { readonly instruction: StandingInstruction | undefined; readonly networkTransactionId: string | undefined },
): Promise<{ readonly expectedVersion: ExpectedVersion; readonly registration: RegistrationRow } | undefined> {
  if (registrationAfterPayment(registration, instruction, networkTransactionId, atMs) === registration) return undefined
  const current = await readRegistrationTree(storage, registration.id, atMs)
  if (!current) throw new InvariantError('registration of a payment does not exist', registration.id)
  const after = registrationAfterPayment(current.registration, instruction, networkTransactionId, atMs)
  // A concurrent payment has already changed the registration.
  if (after === current.registration) return undefined
  return { expectedVersion: current.expectedVersion, registration: registrationRow(after, current.merchant) }
}
