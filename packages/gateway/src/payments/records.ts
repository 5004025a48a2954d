import { isBrand, isCurrency } from '@tollgate/contract'
import {
  type Facts,
  isPaymentType,
  type TestMode,
  type Transaction,
  type TransactionStatus,
  type Tree,
} from '@tollgate/domain'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Outcome } from './outcome.ts'

/** The payment that a stored tree holds, as the rules see it; undefined for the tree of a registration. */
export function paymentTree(stored: StoredTree): Tree | undefined {
  const transactions = stored.transactions.map(transactionOf)
  return transactions.every((one) => one !== undefined) ? { version: stored.version, transactions } : undefined
}

function transactionOf(row: TransactionRow): Transaction | undefined {
  if (!isPaymentType(row.type) || row.currency === null) return undefined
  const facts: Facts = JSON.parse(row.facts)
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
    facts,
    createdAtMs: row.created_at_ms,
  }
}

export function outcomeOfRow(row: TransactionRow): Outcome {
  const outcome: Outcome = JSON.parse(row.outcome)
  return outcome
}

/**
 * A code, if there is one, that was checked against its registry before: what is not in it is a defect of ours.
 *
 * @throws Error
 */
export function known<Code extends string>(isCode: (text: string) => text is Code, text: string): Code
export function known<Code extends string, Missing extends null | undefined>(
  isCode: (text: string) => text is Code,
  text: string | Missing,
): Code | Missing
export function known<Code extends string>(isCode: (text: string) => text is Code, text: string | null | undefined) {
  if (typeof text !== 'string' || isCode(text)) return text
  throw new Error('a code that was checked before is in no registry')
}

const isStatus = (text: string): text is TransactionStatus => text === 'ACK' || text === 'NOK' || text === 'PENDING'

/** Where a test transaction goes: the values of testMode. */
export const isTestMode = (text: string): text is NonNullable<TestMode> => text === 'INTERNAL' || text === 'EXTERNAL'
