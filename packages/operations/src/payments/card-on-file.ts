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
import { known } from '../narrow.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { isOfNetwork } from '../records/masked-account.ts'
import { factsOf, isStatus } from '../records/payment-record.ts'

/** A payment with a standing instruction that keeps to its agreement. */
export interface OnFile {
  readonly kind: 'go'
  readonly instruction: StandingInstruction
  /** Of a charge under an agreement: the network's id for the acquirer, and that of the first transaction. */
  readonly initialTransactionId: string | undefined
  readonly agreementId: string | undefined
  /** The tree of the agreement, where its terms depend on other charges under it. */
  readonly agreement?: ExpectedVersion | undefined
}

/** A request that may have a standing instruction. */
type Instructing = Pick<AccountRequest, 'instruction' | 'isCvvSent' | 'atMs'>

/** Checks a standing instruction by itself. @returns undefined without one */
export function checkedInstruction(
  { instruction: sent, isCvvSent, atMs }: Instructing,
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
    cvvSent: isCvvSent,
    initialTransactionId,
    lenient: channel.settings.compatibility === 'legacy',
    atMs,
  })
  return why ?? { kind: 'go', instruction }
}

/** Checks the standing instruction of a payment, and its agreement. @returns undefined without one */
export async function onFile(
  context: Context,
  request: Instructing,
  about: {
    readonly channel: Channel
    readonly instrument: UsableInstrument
    readonly go: Go
    readonly initialTransactionId: string | undefined
    /** The payment that bears that id, where the request refers to it by itself. */
    readonly named?: StoredTransaction | undefined
  },
): Promise<OnFile | Refused | undefined> {
  const { channel, instrument, go, initialTransactionId } = about
  const checked = checkedInstruction(request, channel, instrument, initialTransactionId)
  if (checked?.kind !== 'go') return checked
  const { instruction } = checked
  if (!isCharge(instruction) || go.type === 'CD')
    return { kind: 'go', instruction, initialTransactionId: undefined, agreementId: undefined }
  const { id: agreementId, initial: first } = await findAgreement(context, channel, initialTransactionId, about.named)
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

/** As it was sent, or as the registration keeps it: of its agreement of that type, else of its first payment. */
export const initialTransactionOf = (
  { instruction: { type, initialTransactionId } }: Instructing,
  registration: Registration | undefined,
): string | undefined =>
  initialTransactionId ?? (type && registration?.agreements[type]) ?? registration?.initialTransactionId ?? undefined

/**
 * The transaction that began the agreement of a network transaction id, if it was made here. The id may be that of a
 * charge under it, as when a declined charge is submitted again.
 */
async function findAgreement(
  { storage }: Context,
  { merchant }: Channel,
  networkTransactionId: string | undefined,
  referred: StoredTransaction | undefined,
): Promise<{ readonly id: string | undefined; readonly initial: StoredTransaction | undefined }> {
  if (networkTransactionId === undefined) return { id: undefined, initial: undefined }
  const named = referred ?? (await storage.byNetworkId(networkTransactionId, merchant))
  const id = named?.row.initial_transaction_id ?? networkTransactionId
  return { id, initial: id === networkTransactionId ? named : await storage.byNetworkId(id, merchant) }
}

const expectedVersionOf = ({ row, version }: StoredTransaction): ExpectedVersion => ({
  id: row.root_id,
  merchant: row.merchant,
  version,
})

function authorisationOf(row: TransactionRow): Authorisation {
  return {
    instruction: factsOf(row).instruction,
    failed: hasFailed({ status: known(isStatus, row.status) }),
    code: known(isResultCode, row.result_code),
    amountMinor: row.amount_minor ?? 0,
    currency: row.currency === null ? null : known(isCurrency, row.currency),
    atMs: row.created_at_ms,
  }
}

/**
 * The mutex of payments whose terms depend on each other, which saves them version conflicts within a process: those
 * that begin an agreement on one registration, and under one agreement instalments or charges with a minimum of days
 * between them.
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
