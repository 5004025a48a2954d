import { isBrand, isCurrency, type RequestParameters } from '@tollgate/contract'
import {
  type Facts,
  industryPractices,
  instructionModes,
  instructionSources,
  instructionTypes,
  isPaymentType,
  recurringTypes,
  type StandingInstruction,
  type TestMode,
  type Transaction,
  type TransactionStatus,
  transactionStatuses,
  type Tree,
} from '@tollgate/domain'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import { known } from '../narrow.ts'
import type { Outcome } from './outcome.ts'
import { isText, isTexts, isTrue, isWhole, oneOf, optional, readStored, type Shape, shaped } from './stored-json.ts'

/** The payment that a stored tree holds, as the rules see it; undefined for the tree of a registration. */
export function paymentTree(stored: StoredTree): Tree | undefined {
  const transactions = stored.transactions.map(transactionOf)
  return transactions.every((one) => one !== undefined) ? { version: stored.version, transactions } : undefined
}

function transactionOf(row: TransactionRow): Transaction | undefined {
  if (!isPaymentType(row.type) || row.currency === null) return undefined
  return {
    id: row.id,
    rootId: row.root_id,
    referencedId: row.referenced_id,
    type: row.type,
    status: known(isStatus, row.status),
    // A rejected payment whose amount never was one.
    amountMinor: row.amount_minor ?? 0,
    currency: known(isCurrency, row.currency),
    brand: known(isBrand, row.brand),
    method: row.method,
    testMode: known(isTestMode, row.test_mode),
    channel: row.channel,
    facts: factsOf(row),
    createdAtMs: row.created_at_ms,
  }
}

/**
 * Stored data of a transaction beyond its columns and answers: its facts, the target of its notifications, and
 * parameters for reports alone ("merchantMemo appears in reporting only").
 */
export function storedFacts(facts: object, parameters?: RequestParameters): string {
  const merchantMemo = parameters?.values.get('merchantMemo')
  return JSON.stringify(merchantMemo === undefined ? facts : { ...facts, merchantMemo })
}

/** The facts of a stored transaction. */
export const factsOf = (row: TransactionRow): Facts => readStored(factsShape, row.facts)

/** What the acquirer said of a transaction: its references, above all. */
export function resultDetailsOf(row: TransactionRow): Outcome['resultDetails'] {
  return readStored(outcomeShape, row.outcome).resultDetails
}

/**
 * What a later charge may name a transaction by: the id that its network gave it, "or the processor's own id for some
 * integrations".
 */
export const ownIdOf = (details: Outcome['resultDetails']): string | undefined =>
  details['CardholderInitiatedTransactionID'] ?? details['ConnectorTxID1']

const instructionShape: Shape<StandingInstruction> = {
  type: oneOf(instructionTypes),
  mode: oneOf(instructionModes),
  source: oneOf(instructionSources),
  recurringType: optional(oneOf(recurringTypes)),
  industryPractice: optional(oneOf(industryPractices)),
  expiry: optional(isText),
  frequencyDays: optional(isWhole),
  numberOfInstallments: optional(isWhole),
}

const factsShape: Shape<Facts> = {
  numberOfCaptures: optional(isWhole),
  expiresAtMs: optional(isWhole),
  final: optional(isTrue),
  expiry: optional(isTrue),
  redirected: optional(isTrue),
  sessionId: optional(isText),
  instruction: optional(shaped(instructionShape)),
}

const outcomeShape: Shape<Pick<Outcome, 'resultDetails'>> = { resultDetails: isTexts }

/** Whether a stored text is a status of a transaction. */
export const isStatus = (text: string): text is TransactionStatus => transactionStatuses.some((one) => one === text)

/** Where a test transaction goes: the values of testMode. */
export const isTestMode = (text: string): text is NonNullable<TestMode> => text === 'INTERNAL' || text === 'EXTERNAL'
