import { InvariantError } from '@tollgate/contract'
import { registrationAfterPayment, type Go, type Registration, type StandingInstruction } from '@tollgate/domain'
import type { ExpectedVersion, RegistrationRow } from '@tollgate/storage'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { PendingChange } from '../pending-unit.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { OnFile } from './card-on-file.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { newRegistration } from './new-registration.ts'
import { initialTransactionIdOf } from '../records/payment-record.ts'
import { registrationRow } from '../records/registration-record.ts'
import { readRegistrationTree } from '../records/registration-tree.ts'

/** A payment that uses or stores account data on file, with the acquirer's response. */
interface OnFilePayment {
  readonly request: AccountRequest
  readonly channel: Channel
  readonly instrument: UsableInstrument
  /** undefined: the account is in the request. */
  readonly registration: Registration | undefined
  readonly go: Go
  readonly agreed: OnFile | undefined
  readonly response: AcquirerResponse
  /** createRegistration=true, and the payment was approved. */
  readonly createsRegistration: boolean
}

/** The changes that are committed with such a payment. */
export interface OnFileChanges extends Pick<PendingChange, 'registered' | 'expectedVersions' | 'rows'> {
  readonly networkTransactionId: string | undefined
  /** As in `OnFile`. */
  readonly agreementId: string | undefined
}

export async function keepOnFile(context: Context, payment: OnFilePayment): Promise<OnFileChanges> {
  const { request, channel, instrument, registration, go, agreed, response, createsRegistration } = payment
  const instruction = agreed?.instruction
  // A payout is not a payment by the customer, so it permits no later charge.
  const ownId = go.type === 'CD' ? undefined : initialTransactionIdOf(response.details)
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
          instruction?.mode === 'INITIAL' ? ownId : (request.instruction.initialTransactionId ?? ownId),
      })
    : undefined
  const changed =
    registration && isApproved
      ? await changedRegistration(context, request, registration, { instruction, ownId })
      : undefined
  return {
    networkTransactionId: ownId,
    agreementId: agreed?.agreementId,
    registered,
    expectedVersions: changed && [changed.expectedVersion],
    rows: changed && { registration: [changed.registration] },
  }
}

/** The registration of the payment, if it gets the network id of its first payment or of a new agreement. */
async function changedRegistration(
  { storage }: Context,
  { atMs }: AccountRequest,
  registration: Registration,
  { instruction, ownId }: { readonly instruction: StandingInstruction | undefined; readonly ownId: string | undefined },
): Promise<{ readonly expectedVersion: ExpectedVersion; readonly registration: RegistrationRow } | undefined> {
  if (registrationAfterPayment(registration, instruction, ownId, atMs) === registration) return undefined
  const current = await readRegistrationTree(storage, registration.id, atMs)
  if (!current) throw new InvariantError('registration of a payment does not exist', registration.id)
  const after = registrationAfterPayment(current.registration, instruction, ownId, atMs)
  // A concurrent payment has already changed it.
  if (after === current.registration) return undefined
  return { expectedVersion: current.expectedVersion, registration: registrationRow(after, current.merchant) }
}
