import { isBrand, isCurrency } from '@tollgate/contract'
import {
  type Facts,
  industryPractices,
  instructionModes,
  instructionSources,
  instructionTypes,
  isPaymentType,
  recurringTypes,
  isTestMode,
  type StandingInstruction,
  type Transaction,
  transactionStatuses,
  type Tree,
} from '@tollgate/domain'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import { type TSchema, Type } from 'typebox'
import { isOneOf, narrow } from '../narrow.ts'
import type { Outcome } from './outcome.ts'
import { jsonOf, oneOf, storedReader, texts } from './stored-json.ts'

/**
 * The payment of a stored tree, as the rules take it; undefined if a transaction of the tree has no currency or is
 * not a payment, such as a registration.
 */
export function paymentTree(stored: StoredTree): Tree | undefined {
  const transactions = stored.transactions.map(transactionOf)
  return transactions.every((one) => one !== undefined) ? { version: stored.version, transactions } : undefined
}

/** A stored transaction, as the rules take it; undefined if it has no currency or is not of a payment. */
export function transactionOf(row: TransactionRow): Transaction | undefined {
  if (!isPaymentType(row.type) || row.currency === null) return undefined
  return {
    id: row.id,
    rootId: row.root_id,
    referencedId: row.referenced_id,
    type: row.type,
    status: narrow(isStatus, row.status),
    // A rejected payment has no amount if the sent amount was invalid.
    amountMinor: row.amount_minor ?? 0,
    currency: narrow(isCurrency, row.currency),
    brand: narrow(isBrand, row.brand),
    method: row.method,
    testMode: narrow(isTestMode, row.test_mode),
    channel: row.channel,
    facts: factsOf(row),
    createdAtMs: row.created_at_ms,
  }
}

/**
 * Stored data of a transaction beyond its columns and answers: its facts, the target of its notifications, and
 * parameters for reports alone ("merchantMemo appears in reporting only").
 */
export const storedFacts = (facts: object, merchantMemo: string | undefined): string =>
  jsonOf(merchantMemo === undefined ? facts : { ...facts, merchantMemo })

const instruction = Type.Object({
  type: oneOf(instructionTypes),
  mode: oneOf(instructionModes),
  source: oneOf(instructionSources),
  recurringType: Type.Optional(oneOf(recurringTypes)),
  industryPractice: Type.Optional(oneOf(industryPractices)),
  expiry: Type.Optional(Type.String()),
  frequencyDays: Type.Optional(Type.Integer()),
  numberOfInstallments: Type.Optional(Type.Integer()),
} satisfies Record<keyof StandingInstruction, TSchema>)

const facts = Type.Object({
  numberOfCaptures: Type.Optional(Type.Integer()),
  expiresAtMs: Type.Optional(Type.Integer()),
  final: Type.Optional(Type.Literal(true)),
  expiry: Type.Optional(Type.Literal(true)),
  redirected: Type.Optional(Type.Literal(true)),
  sessionId: Type.Optional(Type.String()),
  instruction: Type.Optional(instruction),
} satisfies Record<keyof Facts, TSchema>)
const readFacts = storedReader(facts)

const readResultDetails = storedReader(Type.Object({ resultDetails: texts }))

/** The facts of a stored transaction. */
export const factsOf = (row: TransactionRow): Facts => readFacts(row.facts)

/** The resultDetails of a transaction, above all the acquirer's references. */
export function resultDetailsOf(row: TransactionRow): Outcome['resultDetails'] {
  return readResultDetails(row.outcome).resultDetails
}

/**
 * One of the resultDetails of a transaction, such as a reference of the acquirer. The others are not parsed: in JSON a
 * quote within a text is escaped, so that the key is found as it is, and a value with an escape is left to the parser.
 */
export function detailOf(row: TransactionRow, name: string): string | undefined {
  const { outcome } = row
  const key = `"${name}":"`
  const at = outcome.indexOf(key)
  if (at === -1) return undefined
  const start = at + key.length
  const value = outcome.slice(start, outcome.indexOf('"', start))
  return value.includes('\\') ? resultDetailsOf(row)[name] : value
}

/**
 * The id by which a later charge may refer to a transaction: the network's, "or the processor's own id for some
 * integrations".
 */
export const initialTransactionIdOf = (details: Outcome['resultDetails']): string | undefined =>
  details['CardholderInitiatedTransactionID'] ?? details['ConnectorTxID1']

/** Whether a stored text is a status of a transaction. */
export const isStatus = isOneOf(transactionStatuses)
