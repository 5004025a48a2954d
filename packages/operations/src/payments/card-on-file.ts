import { isCurrency, isResultCode, type RequestParameters } from '@tollgate/contract'
import {
  type Authorisation,
  checkCharge,
  checkInstruction,
  hasFailed,
  type Go,
  historyOf,
  industryPractices,
  instructionModes,
  instructionSources,
  instructionTypes,
  isCharge,
  recurringTypes,
  type Refused,
  type Registration,
  type StandingInstruction,
} from '@tollgate/domain'
import type { ExpectedVersion, StoredTransaction, TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { isOneOf, known } from '../narrow.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { isOfNetwork } from '../records/masked-account.ts'
import { factsOf, isStatus } from '../records/payment-record.ts'

/** A payment with a standing instruction that keeps to its agreement. */
export interface OnFile {
  readonly kind: 'go'
  readonly instruction: StandingInstruction
  /** For a charge under an agreement: the network's id that the acquirer is told, and that of what began it. */
  readonly initialTransactionId: string | undefined
  readonly agreementId: string | undefined
  /** The tree of the agreement, where its terms look at what else was charged under it. */
  readonly agreement?: ExpectedVersion | undefined
}

/** What stands against a standing instruction by itself. */
export function checkedInstruction(
  { parameters: { values, secrets }, atMs }: Call,
  channel: Channel,
  { account, brand }: UsableInstrument,
  initialTransactionId: string | undefined,
): { readonly kind: 'go'; readonly instruction: StandingInstruction } | Refused | undefined {
  const instruction = readInstruction(values)
  if (!instruction) return undefined
  const why = checkInstruction({
    instruction,
    brand,
    ofNetwork: isOfNetwork(account),
    cvvSent: secrets.has('card.cvv') || secrets.has('tokenAccount.dtvc'),
    initialTransactionId,
    lenient: channel.settings.compatibility === 'legacy',
    atMs,
  })
  return why ?? { kind: 'go', instruction }
}

/** Older clients may leave parts of it out: what they say then is nothing that a payment could be held against. */
function readInstruction(values: RequestParameters['values']): StandingInstruction | undefined {
  const type = known(isOneOf(instructionTypes), values.get('standingInstruction.type'))
  const mode = known(isOneOf(instructionModes), values.get('standingInstruction.mode'))
  const source = known(isOneOf(instructionSources), values.get('standingInstruction.source'))
  if (!type || !mode || !source) return undefined
  return {
    type,
    mode,
    source,
    recurringType: known(isOneOf(recurringTypes), values.get('standingInstruction.recurringType')),
    industryPractice: known(isOneOf(industryPractices), values.get('standingInstruction.industryPractice')),
    expiry: values.get('standingInstruction.expiry'),
    frequencyDays: wholeOf(values.get('standingInstruction.frequency')),
    numberOfInstallments: wholeOf(values.get('standingInstruction.numberOfInstallments')),
  }
}

const wholeOf = (digits: string | undefined): number | undefined => (digits === undefined ? undefined : Number(digits))

/** What a payment with a standing instruction comes to; undefined without one. */
export async function onFile(
  context: Context,
  call: Call,
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
  const checked = checkedInstruction(call, channel, instrument, initialTransactionId)
  if (checked?.kind !== 'go') return checked
  const { instruction } = checked
  if (!isCharge(instruction) || go.type === 'CD')
    return { kind: 'go', instruction, initialTransactionId: undefined, agreementId: undefined }
  const { id: agreementId, began: first } = await findAgreement(context, channel, initialTransactionId, about.named)
  const began = first && authorisationOf(first.row)
  const history = historyOf(instruction, began)
  const charges =
    history > 0 && agreementId !== undefined
      ? await context.storage.newestUnder(agreementId, channel.merchant, history)
      : []
  const newest = charges.map(authorisationOf)
  const why = checkCharge({
    instruction,
    amountMinor: go.amountMinor,
    currency: go.currency,
    atMs: call.atMs,
    agreement: { began, charges: newest },
  })
  if (why) return why
  const agreement = first && history > 0 ? expectedVersionOf(first) : undefined
  return { kind: 'go', instruction, initialTransactionId, agreementId, agreement }
}

export const INITIAL_ID = 'standingInstruction.initialTransactionId'

/** As it was sent, or as the registration keeps it: of its agreement of that type, else of its first payment. */
export function initialTransactionOf(
  { parameters: { values } }: Call,
  registration: Registration | undefined,
): string | undefined {
  const type = known(isOneOf(instructionTypes), values.get('standingInstruction.type'))
  return (
    values.get(INITIAL_ID) ??
    (type && registration?.agreements[type]) ??
    registration?.initialTransactionId ??
    undefined
  )
}

/**
 * What began the agreement that a network's id stands for, where that was done here. The id may be that of a charge
 * under it, as when a charge that was declined is submitted again.
 */
async function findAgreement(
  { storage }: Context,
  { merchant }: Channel,
  networkTransactionId: string | undefined,
  referred: StoredTransaction | undefined,
): Promise<{ readonly id: string | undefined; readonly began: StoredTransaction | undefined }> {
  if (networkTransactionId === undefined) return { id: undefined, began: undefined }
  const named = referred ?? (await storage.byNetworkId(networkTransactionId, merchant))
  const id = named?.row.initial_transaction_id ?? networkTransactionId
  return { id, began: id === networkTransactionId ? named : await storage.byNetworkId(id, merchant) }
}

const expectedVersionOf = ({ row, version }: StoredTransaction): ExpectedVersion => ({
  id: row.root_id,
  merchant: row.merchant,
  version,
})

function authorisationOf(row: TransactionRow): Authorisation {
  return {
    instruction: factsOf(row).instruction,
    stands: !hasFailed({ status: known(isStatus, row.status) }),
    code: known(isResultCode, row.result_code),
    amountMinor: row.amount_minor ?? 0,
    currency: row.currency === null ? null : known(isCurrency, row.currency),
    atMs: row.created_at_ms,
  }
}

/**
 * What payments share whose terms look at each other, so that within this process they take turns rather than lose
 * races for it: those that begin an agreement on one registration, and instalments, or charges with days to lie between
 * them, under one agreement.
 */
export function mutexKeyOf({ id, channels, parameters: { values } }: Call): string | undefined {
  const mode = values.get('standingInstruction.mode')
  if (mode === undefined) return undefined
  if (mode === 'INITIAL') return id === '' ? undefined : id
  const counts = values.get('standingInstruction.type') === 'INSTALLMENT' || values.has('standingInstruction.frequency')
  if (!counts) return undefined
  const initialTransactionId = values.get(INITIAL_ID)
  return initialTransactionId === undefined ? id : `${channels[0]?.merchant}|${initialTransactionId}`
}
