import type { BrandCode, CurrencyCode } from '@tollgate/contract'
import { type Facts, isPaymentType, type TestMode, type Transaction, type Tree } from '@tollgate/domain'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Outcome } from './outcome.ts'

/**
 * The payment that a stored tree holds, as the rules see it; undefined for the tree of a registration.
 *
 * Codes were checked against their registries before they were written, so that they are only named again here.
 */
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
    status: row.status as Transaction['status'],
    // A rejected payment whose amount never was one.
    amountMinor: row.amount_minor ?? 0,
    currency: row.currency as CurrencyCode,
    brand: row.brand as BrandCode | null,
    method: row.method,
    testMode: row.test_mode as TestMode,
    channel: row.channel,
    facts: JSON.parse(row.facts) as Facts,
    createdAtMs: row.created_at_ms,
  }
}

export function outcomeOfRow(row: TransactionRow): Outcome {
  return JSON.parse(row.outcome) as Outcome
}
