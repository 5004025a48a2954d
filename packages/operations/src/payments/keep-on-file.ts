import { InvariantError } from '@tollgate/contract'
import { afterPayment, type Go, type Registration, type StandingInstruction } from '@tollgate/domain'
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
  /** undefined: the request brought the account itself. */
  readonly registration: Registration | undefined
  readonly go: Go
  readonly agreed: OnFile | undefined
  readonly answer: AcquirerResponse
  /** createRegistration=true, and the payment was approved. */
  readonly registers: boolean
}

/** The changes that are committed with such a payment. */
export interface KeptOnFile extends Pick<PendingChange, 'registered' | 'expectedVersions' | 'rows'> {
  readonly networkTransactionId: string | undefined
  /** As in `OnFile`. */
  readonly agreementId: string | undefined
}

export async function keepOnFile(context: Context, payment: OnFilePayment): Promise<KeptOnFile> {
  const { request, channel, instrument, registration, go, agreed, answer, registers } = payment
  const instruction = agreed?.instruction
  // A payout is no payment by the customer, so it permits no later charge.
  const ownId = go.type === 'CD' ? undefined : initialTransactionIdOf(answer.details)
  const isApproved = statusOfResponse(answer, answer.code) === 'ACK'
  const registered = registers
    ? await newRegistration(context, request, {
        id: context.ids.random(),
        channel,
        instrument,
        verified: true,
        instruction,
        // A sent id is ignored at the beginning of an agreement: this payment begins it.
        initialTransactionId:
          instruction?.mode === 'INITIAL' ? ownId : (request.instruction.initialTransactionId ?? ownId),
      })
    : undefined
  const learnt =
    registration && isApproved ? await learn(context, request, registration, { instruction, ownId }) : undefined
  return {
    networkTransactionId: ownId,
    agreementId: agreed?.agreementId,
    registered,
    expectedVersions: learnt && [learnt.expectedVersion],
    rows: learnt && { registration: [learnt.registration] },
  }
}

/** The registration that paid, if it changes: it stores the network's id of its first payment and of each agreement. */
async function learn(
  { storage }: Context,
  { atMs }: AccountRequest,
  registration: Registration,
  { instruction, ownId }: { readonly instruction: StandingInstruction | undefined; readonly ownId: string | undefined },
): Promise<{ readonly expectedVersion: ExpectedVersion; readonly registration: RegistrationRow } | undefined> {
  if (afterPayment(registration, instruction, ownId, atMs) === registration) return undefined
  const current = await readRegistrationTree(storage, registration.id, atMs)
  if (!current) throw new InvariantError('registration of a payment does not exist', registration.id)
  const after = afterPayment(current.registration, instruction, ownId, atMs)
  // Another payment was first: many concurrent ones would only conflict.
  if (after === current.registration) return undefined
  return { expectedVersion: current.expectedVersion, registration: registrationRow(after, current.merchant) }
}
