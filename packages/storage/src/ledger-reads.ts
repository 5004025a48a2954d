import { all, byId } from './declare-read.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { type MemoryDisk, storedTransactions } from './memory/disk.ts'
import { select } from './memory/select.ts'
import type { TransactionRow } from './schema.ts'

/** The reads of the feed of transactions, of the ledger and of the daily sums. */
export const ledgerReads = {
  transactionFeed: byId('transaction_feed'),
  /**
   * The first roots of all merchants, except registrations, with ids from `fromId` up to `beforeId`, at most `max`.
   */
  rootsFrom: all(
    'payment_transaction',
    `WHERE root_id >= ? AND root_id < ? AND id = root_id AND type <> 'RG' ORDER BY root_id LIMIT ?`,
    (disk, fromId: string, beforeId: string, max: number) =>
      inOrderOfIds(disk, fromId, beforeId, (row) => row.id === row.root_id && row.type !== 'RG').slice(0, max),
  ),
  /** Like `rootsFrom`: transactions that refer to a root. */
  childrenFrom: all(
    'payment_transaction',
    'WHERE id >= ? AND id < ? AND id <> root_id ORDER BY id LIMIT ?',
    (disk, fromId: string, beforeId: string, max: number) =>
      inOrderOfIds(disk, fromId, beforeId, (row) => row.id !== row.root_id).slice(0, max),
  ),
  /** Late transactions of all merchants with ids from `fromId` up to `beforeId`, at most `max`: the first. */
  lateTransactions: all(
    'late_transaction',
    'WHERE id >= ? AND id < ? ORDER BY id, status LIMIT ?',
    (disk, fromId: string, beforeId: string, max: number) =>
      select(disk.late_transaction, (row) => row.id >= fromId && row.id < beforeId).slice(0, max),
  ),
  /** The messages to acquirers about transactions with ids from `fromId` to `toId`, at most `max`: the first. */
  acquirerAttemptsFrom: all(
    'acquirer_attempt',
    'WHERE transaction_id >= ? AND transaction_id <= ? ORDER BY transaction_id, id LIMIT ?',
    (disk, fromId: string, toId: string, max: number) =>
      select(disk.acquirer_attempt, (row) => row.transaction_id >= fromId && row.transaction_id <= toId).slice(0, max),
  ),
  /** The entries of the ledger for a transaction. */
  postingsOf: all('posting', 'WHERE transaction_id = ? ORDER BY kind', (disk, transactionId: string) =>
    select(disk.posting, (row) => row.transaction_id === transactionId),
  ),
  /** The entries of transactions with ids from `fromId` up to `beforeId`, at most `max`: the first. */
  postingsFrom: all(
    'posting',
    'WHERE transaction_id >= ? AND transaction_id < ? ORDER BY transaction_id, kind LIMIT ?',
    (disk, fromId: string, beforeId: string, max: number) =>
      select(disk.posting, (row) => row.transaction_id >= fromId && row.transaction_id < beforeId).slice(0, max),
  ),
  /** The sums of a merchant's ledger on the days from `fromDay` to `toDay` inclusive. */
  ledgerDays: all(
    'ledger_day',
    'WHERE merchant = ? AND day >= ? AND day <= ? ORDER BY day, acquirer, currency, kind',
    (disk, merchant: string, fromDay: number, toDay: number) =>
      select(disk.ledger_day, (row) => row.merchant === merchant && row.day >= fromDay && row.day <= toDay, 'day'),
  ),
  /** The sums of a merchant's transactions on the days from `fromDay` to `toDay` inclusive, in no order. */
  transactionDays: all(
    'transaction_day',
    'WHERE merchant = ? AND day >= ? AND day <= ?',
    (disk, merchant: string, fromDay: number, toDay: number) =>
      select(disk.transaction_day, (row) => row.merchant === merchant && row.day >= fromDay && row.day <= toDay),
  ),
  /** The fee plans of all entities: those of each entity in the order of their beginning. */
  feePlans: all('fee_plan', 'ORDER BY entity_id, starts_at_ms', (disk) =>
    select(disk.fee_plan).toSorted(
      (a, b) => compareCodeUnits(a.entity_id, b.entity_id) || a.starts_at_ms - b.starts_at_ms,
    ),
  ),
}

/** The transactions with ids from `fromId` up to `beforeId` that satisfy a condition, in the order of their ids. */
const inOrderOfIds = (
  disk: MemoryDisk,
  fromId: string,
  beforeId: string,
  matches: (row: TransactionRow) => boolean,
): readonly TransactionRow[] =>
  storedTransactions(disk)
    .filter((row) => row.id >= fromId && row.id < beforeId && matches(row))
    .toSorted((a, b) => compareCodeUnits(a.id, b.id))
