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
import { isOfNetwork } from '../records/masked-account.ts'
import { factsOf, isStatus } from '../records/payment-record.ts'

/** The accepted standing instruction of a payment. */
export interface OnFile {
  readonly kind: 'go'
  readonly instruction: StandingInstruction
  /** The network transaction id that a charge under an agreement sends to the acquirer. */
  readonly initialTransactionId: string | undefined
  /** The network transaction id of the transaction that began the agreement. */
  readonly agreementId: string | undefined
  /** The expected version of the agreement's tree, if its terms depend on other charges under it. */
  readonly agreement?: ExpectedVersion | undefined
}

/** A request that may have a standing instruction. */
type InstructionRequest = Pick<AccountRequest, 'instruction' | 'isCvvSent' | 'atMs'>

/** Checks a standing instruction without its agreement. @returns undefined without an instruction */
export function checkedInstruction(
  { instruction: sent, isCvvSent, atMs }: InstructionRequest,
  channel: Channel,
  { account, brand }: UsableInstrument,
  initialTransactionId: string | undefined,
): { readonly kind: 'go'; readonly instruction: StandingInstruction } | Refused | undefined {
  const instruction = instructionOf(sent)
  if (!instruction) return undefined
  const why = checkInstruction({
    instruction,
    brand,
    hasCardNetwork: isOfNetwork(account),
    hasCvv: isCvvSent,
    initialTransactionId,
    isLenient: channel.settings.compatibility === 'legacy',
    atMs,
  })
  return why ?? { kind: 'go', instruction }
}

/** Checks the standing instruction of a payment, and its agreement. @returns undefined without an instruction */
export async function onFile(
  context: Context,
  request: InstructionRequest,
  payment: {
    readonly channel: Channel
    readonly instrument: UsableInstrument
    readonly go: Go
    readonly initialTransactionId: string | undefined
    /** The transaction with that id, if the request refers to it. */
    readonly referenced?: StoredTransaction | undefined
  },
): Promise<OnFile | Refused | undefined> {
  const { channel, instrument, go, initialTransactionId, referenced } = payment
  const checked = checkedInstruction(request, channel, instrument, initialTransactionId)
  if (checked?.kind !== 'go') return checked
  const { instruction } = checked
  if (!isCharge(instruction) || go.type === 'CD')
    return { kind: 'go', instruction, initialTransactionId: undefined, agreementId: undefined }
  const { id: agreementId, initial: first } = await findAgreement(context, channel, initialTransactionId, referenced)
  const initial = first && authorisationOf(first.row)
  const history = historyLengthOf(instruction, initial)
  const charges =
    history > 0 && agreementId !== undefined
      ? await context.storage.newestOfAgreement(agreementId, channel.merchant, history)
      : []
  const newest = charges.map(authorisationOf)
  const why = checkCharge({
    instruction,
    amountMinor: go.amountMinor,
    currency: go.currency,
    atMs: request.atMs,
    agreement: { initial, charges: newest },
  })
  if (why) return why
  const agreement = first && history > 0 ? expectedVersionOf(first) : undefined
  return { kind: 'go', instruction, initialTransactionId, agreementId, agreement }
}

/**
 * The network transaction id of a charge: as sent, or that of the registration's agreement of the type, or that of the
 * registration's first payment.
 */
export const initialTransactionOf = (
  { instruction: { type, initialTransactionId } }: InstructionRequest,
  registration: Registration | undefined,
): string | undefined =>
  initialTransactionId ?? (type && registration?.agreements[type]) ?? registration?.initialTransactionId ?? undefined

/**
 * The transaction that began the agreement of a network transaction id, if it is stored. The id may be that of a charge
 * under the agreement, for example if a declined charge is submitted again.
 */
async function findAgreement(
  { storage }: Context,
  { merchant }: Channel,
  networkTransactionId: string | undefined,
  referenced: StoredTransaction | undefined,
): Promise<{ readonly id: string | undefined; readonly initial: StoredTransaction | undefined }> {
  if (networkTransactionId === undefined) return { id: undefined, initial: undefined }
  const found = referenced ?? (await storage.byNetworkId(networkTransactionId, merchant))
  const id = found?.row.initial_transaction_id ?? networkTransactionId
  return { id, initial: id === networkTransactionId ? found : await storage.byNetworkId(id, merchant) }
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
 * The mutex key of payments whose terms depend on each other, to avoid version conflicts within a process: payments
 * that begin an agreement with one registration, and under one agreement instalments or charges with minimum days
 * between charges.
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
