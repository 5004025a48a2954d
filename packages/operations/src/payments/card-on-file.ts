import { isCurrency, isResultCode } from '@tollgate/contract'
import {
  type Authorisation,
  checkCharge,
  checkInstruction,
  hasFailed,
  type Go,
  historyLengthOf,
  isCharge,
  type Refused,
  type Registration,
  type StandingInstruction,
} from '@tollgate/domain'
import type { ExpectedVersion, StoredTransaction, TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { instructionOf } from '../parameters/instruction.ts'
import { narrow } from '../narrow.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { hasCardNetwork } from '../records/masked-account.ts'
import { factsOf, isStatus } from '../records/payment-record.ts'

/** The accepted standing instruction of a payment. */
export interface AcceptedInstruction {
  readonly kind: 'go'
  readonly instruction: StandingInstruction
  /** The network transaction id in the authorisation request of a charge under an agreement. */
  readonly initialTransactionId: string | undefined
  /** The network transaction id of the transaction that began the agreement. */
  readonly agreementId: string | undefined
  /** The expected version of the agreement's tree, if the terms of the agreement depend on its earlier charges. */
  readonly agreement?: ExpectedVersion | undefined
}

/** A request that may have a standing instruction. */
type InstructionRequest = Pick<AccountRequest, 'instruction' | 'isCvvSent' | 'atMs'>

/** Checks a standing instruction without its agreement. @returns undefined: the request has no complete instruction */
export function checkSentInstruction(
  { instruction: sent, isCvvSent, atMs }: InstructionRequest,
  channel: Channel,
  { account, brand }: UsableInstrument,
  initialTransactionId: string | undefined,
): { readonly kind: 'go'; readonly instruction: StandingInstruction } | Refused | undefined {
  const instruction = instructionOf(sent)
  if (!instruction) return undefined
  const refusal = checkInstruction({
    instruction,
    brand,
    hasCardNetwork: hasCardNetwork(account),
    hasCvv: isCvvSent,
    initialTransactionId,
    isLenient: channel.settings.compatibility === 'legacy',
    atMs,
  })
  return refusal ?? { kind: 'go', instruction }
}

/** Checks a payment's instruction and agreement. @returns undefined: the request has no complete instruction */
export async function acceptInstruction(
  context: Context,
  request: InstructionRequest,
  payment: {
    readonly channel: Channel
    readonly instrument: UsableInstrument
    readonly go: Go
    readonly initialTransactionId: string | undefined
    /** The transaction with the id `initialTransactionId`, if it is already read: the root of a rebilled payment. */
    readonly referenced?: StoredTransaction | undefined
  },
): Promise<AcceptedInstruction | Refused | undefined> {
  const { channel, instrument, go, initialTransactionId, referenced } = payment
  const checked = checkSentInstruction(request, channel, instrument, initialTransactionId)
  if (checked?.kind !== 'go') return checked
  const { instruction } = checked
  if (!isCharge(instruction) || go.type === 'CD')
    return { kind: 'go', instruction, initialTransactionId: undefined, agreementId: undefined }
  const { agreementId, initialTransaction } = await findAgreement(context, channel, initialTransactionId, referenced)
  const initial = initialTransaction && authorisationOf(initialTransaction.row)
  const history = historyLengthOf(instruction, initial)
  const chargeRows =
    history > 0 && agreementId !== undefined
      ? await context.storage.newestOfAgreement(agreementId, channel.merchant, history)
      : []
  const refusal = checkCharge({
    instruction,
    amountMinor: go.amountMinor,
    currency: go.currency,
    atMs: request.atMs,
    agreement: { initial, charges: chargeRows.map(authorisationOf) },
  })
  if (refusal) return refusal
  const agreement = initialTransaction && history > 0 ? expectedVersionOf(initialTransaction) : undefined
  return { kind: 'go', instruction, initialTransactionId, agreementId, agreement }
}

/**
 * The network transaction id for a charge: the sent id, else the id of the registration's agreement of this type, else
 * the id of the registration's first payment.
 */
export const initialTransactionIdForCharge = (
  { instruction: { type, initialTransactionId } }: InstructionRequest,
  registration: Registration | undefined,
): string | undefined =>
  initialTransactionId ?? (type && registration?.agreements[type]) ?? registration?.initialTransactionId ?? undefined

/**
 * The transaction that began the agreement of a network transaction id, if it is stored. The id may also be
 * that of a charge under the agreement, for example if a declined charge is submitted again.
 */
async function findAgreement(
  { storage }: Context,
  { merchant }: Channel,
  networkTransactionId: string | undefined,
  referenced: StoredTransaction | undefined,
): Promise<{ readonly agreementId: string | undefined; readonly initialTransaction: StoredTransaction | undefined }> {
  if (networkTransactionId === undefined) return { agreementId: undefined, initialTransaction: undefined }
  const transaction = referenced ?? (await storage.byNetworkId(networkTransactionId, merchant))
  const agreementId = transaction?.row.initial_transaction_id ?? networkTransactionId
  const isInitial = agreementId === networkTransactionId
  return { agreementId, initialTransaction: isInitial ? transaction : await storage.byNetworkId(agreementId, merchant) }
}

const expectedVersionOf = ({ row, version }: StoredTransaction): ExpectedVersion => ({
  id: row.root_id,
  merchant: row.merchant,
  version,
})

function authorisationOf(row: TransactionRow): Authorisation {
  return {
    instruction: factsOf(row).instruction,
    failed: hasFailed({ status: narrow(isStatus, row.status) }),
    code: narrow(isResultCode, row.result_code),
    amountMinor: row.amount_minor ?? 0,
    currency: row.currency === null ? null : narrow(isCurrency, row.currency),
    atMs: row.created_at_ms,
  }
}

/**
 * The mutex key of payments that depend on each other, to avoid version conflicts within a process: payments that begin
 * an agreement with the same registration; and instalments and charges with `standingInstruction.frequency` under the
 * same agreement, or with the same registration if they name no agreement. undefined: the payment needs no mutex.
 */
export function mutexKeyOf({ account, channels, instruction }: AccountRequest): string | undefined {
  const { mode, type, frequencyDays, initialTransactionId } = instruction
  const registrationId = account.structure === 'onFile' ? account.registrationId : undefined
  if (mode === undefined) return undefined
  if (mode === 'INITIAL') return registrationId
  if (type !== 'INSTALLMENT' && frequencyDays === undefined) return undefined
  return initialTransactionId === undefined
    ? (registrationId ?? '')
    : `${channels[0]?.merchant}|${initialTransactionId}`
}
