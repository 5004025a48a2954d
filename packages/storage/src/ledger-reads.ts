import { all, byId, IN_LIST, query, setOf, value } from './declare-read.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { type MemoryDisk, storedTransactions } from './memory/disk.ts'
import { select } from './memory/select.ts'
import type { AcquirerAttemptRow, LedgerDayRow, PostingRow, TransactionRow } from './schema.ts'

/** The connector to which a message about a transaction was sent, and the business day that the acquirer stated. */
export type SentMessage = Pick<AcquirerAttemptRow, 'transaction_id' | 'kind' | 'connector' | 'settlement_day'>

/** The sums of a merchant's entries of one acquirer, currency and kind. */
export type LedgerSums = Omit<LedgerDayRow, 'merchant' | 'day'>

/** What a search by a reference reads of an entry. */
export type ReferredPosting = Pick<PostingRow, 'transaction_id' | 'acquirer' | 'reference'>

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
  /** The destinations of the messages about transactions with ids from `fromId` to `toId`, at most `max`: the first. */
  sentMessagesFrom: query(
    `SELECT transaction_id, kind, connector, settlement_day FROM acquirer_attempt
      WHERE transaction_id >= ? AND transaction_id <= ? ORDER BY transaction_id, id LIMIT ?`,
    (disk, fromId: string, toId: string, max: number): readonly SentMessage[] =>
      select(disk.acquirer_attempt, (row) => row.transaction_id >= fromId && row.transaction_id <= toId)
        .map(({ transaction_id, kind, connector, settlement_day }) => ({
          transaction_id,
          kind,
          connector,
          settlement_day,
        }))
        .slice(0, max),
  ),
  /** The entries of the ledger for a transaction. */
  postingsOf: all('posting', 'WHERE transaction_id = ? ORDER BY kind', (disk, transactionId: string) =>
    select(disk.posting, (row) => row.transaction_id === transactionId),
  ),
  /** The entries of the ledger for a list of transactions (`listOf`). */
  postingsOfAll: all(
    'posting',
    `WHERE transaction_id ${IN_LIST} ORDER BY transaction_id, kind`,
    (disk, ids: string) => {
      const listed = setOf(ids)
      return select(disk.posting, (row) => listed.has(row.transaction_id))
    },
  ),
  /** The entries with one of a list of references of acquirers (`listOf`). */
  postingsByReferences: query(
    `SELECT transaction_id, acquirer, reference FROM posting WHERE reference ${IN_LIST} ORDER BY transaction_id, kind`,
    (disk, references: string): readonly ReferredPosting[] => {
      const listed = setOf(references)
      return select(disk.posting, (row) => row.reference !== null && listed.has(row.reference)).map(
        ({ transaction_id, acquirer, reference }) => ({ transaction_id, acquirer, reference }),
      )
    },
  ),
  /** Like `postingsFrom`: entries of a list of acquirers (`listOf`). */
  acquirerPostingsFrom: all(
    'posting',
    `WHERE transaction_id >= ? AND transaction_id < ? AND acquirer ${IN_LIST} ORDER BY transaction_id, kind LIMIT ?`,
    (disk, fromId: string, beforeId: string, acquirers: string, max: number) => {
      const listed = setOf(acquirers)
      return select(
        disk.posting,
        (row) => row.transaction_id >= fromId && row.transaction_id < beforeId && listed.has(row.acquirer),
      ).slice(0, max)
    },
  ),
  /** The entries of transactions with ids from `fromId` up to `beforeId`, at most `max`: the first. */
  postingsFrom: all(
    'posting',
    'WHERE transaction_id >= ? AND transaction_id < ? ORDER BY transaction_id, kind LIMIT ?',
    (disk, fromId: string, beforeId: string, max: number) =>
      select(disk.posting, (row) => row.transaction_id >= fromId && row.transaction_id < beforeId).slice(0, max),
  ),
  /**
   * A merchant's entries in the order of day, transaction and kind, from the first day up to `toDay` inclusive, at most
   * `max`: those after an entry, or after all entries before `day` if its transaction and kind are ''.
   */
  postingsAfter: all(
    'posting',
    `WHERE merchant = ? AND (day, transaction_id, kind) > (?, ?, ?) AND day <= ?
      ORDER BY day, transaction_id, kind LIMIT ?`,
    (disk, merchant: string, day: number, transactionId: string, kind: string, toDay: number, max: number) => {
      const isAfter = (row: PostingRow) =>
        row.day > day ||
        (row.day === day &&
          (row.transaction_id > transactionId || (row.transaction_id === transactionId && row.kind > kind)))
      return select(disk.posting, (row) => row.merchant === merchant && row.day <= toDay && isAfter(row), 'day').slice(
        0,
        max,
      )
    },
  ),
  /** The sums of a merchant's ledger up to `toDay` inclusive, in no order. */
  ledgerSums: query(
    `SELECT acquirer, currency, kind, CAST(sum(postings) AS bigint) AS postings,
        CAST(sum(amount_minor) AS bigint) AS amount_minor, CAST(sum(fee_minor) AS bigint) AS fee_minor
      FROM ledger_day WHERE merchant = ? AND day <= ? GROUP BY acquirer, currency, kind`,
    (disk, merchant: string, toDay: number): readonly LedgerSums[] => {
      const sums = new Map<string, LedgerSums>()
      for (const row of select(disk.ledger_day, (each) => each.merchant === merchant && each.day <= toDay)) {
        const { acquirer, currency, kind } = row
        const key = JSON.stringify([acquirer, currency, kind])
        const sum = sums.get(key)
        sums.set(key, {
          acquirer,
          currency,
          kind,
          postings: (sum?.postings ?? 0) + row.postings,
          amount_minor: (sum?.amount_minor ?? 0) + row.amount_minor,
          fee_minor: (sum?.fee_minor ?? 0) + row.fee_minor,
        })
      }
      return [...sums.values()]
    },
  ),
  /** The sums of a merchant's ledger on the days from `fromDay` to `toDay` inclusive. */
  ledgerDays: all(
    'ledger_day',
    'WHERE merchant = ? AND day >= ? AND day <= ? ORDER BY day, acquirer, currency, kind',
    (disk, merchant: string, fromDay: number, toDay: number) =>
      select(disk.ledger_day, (row) => row.merchant === merchant && row.day >= fromDay && row.day <= toDay, 'day'),
  ),
  /** The sums of all merchants at an acquirer on a day. */
  ledgerDaysOfAcquirer: all(
    'ledger_day',
    'WHERE acquirer = ? AND day = ? ORDER BY merchant, currency, kind',
    (disk, acquirer: string, day: number) =>
      select(disk.ledger_day, (row) => row.acquirer === acquirer && row.day === day).toSorted(
        (a, b) =>
          compareCodeUnits(a.merchant, b.merchant) ||
          compareCodeUnits(a.currency, b.currency) ||
          compareCodeUnits(a.kind, b.kind),
      ),
  ),
  /** The first day after `day` on which an acquirer has entries. */
  nextLedgerDay: value(
    'SELECT min(day) AS value FROM ledger_day WHERE acquirer = ? AND day > ?',
    (disk, acquirer: string, day: number): number | undefined =>
      select(disk.ledger_day, (row) => row.acquirer === acquirer && row.day > day, 'day')[0]?.day,
  ),
  clearingBatch: byId('clearing_batch'),
  /** The batches of an acquirer of days before `day`, at most `max`: the newest. */
  clearingBatchesBefore: all(
    'clearing_batch',
    'WHERE acquirer = ? AND day < ? ORDER BY day DESC LIMIT ?',
    (disk, acquirer: string, day: number, max: number) =>
      select(disk.clearing_batch, (row) => row.acquirer === acquirer && row.day < day, 'day')
        .toReversed()
        .slice(0, max),
  ),
  /**
   * The batches of an acquirer that has not answered, or has other totals after fewer than `attemptsMax` comparisons,
   * at most `max`: those that were compared the longest time ago.
   */
  clearingBatchesToCompare: all(
    'clearing_batch',
    `WHERE acquirer = ? AND (state = 'open' OR (state = 'differs' AND attempts < ?))
      ORDER BY changed_at_ms, day LIMIT ?`,
    (disk, acquirer: string, attemptsMax: number, max: number) =>
      select(
        disk.clearing_batch,
        (row) =>
          row.acquirer === acquirer &&
          (row.state === 'open' || (row.state === 'differs' && row.attempts < attemptsMax)),
      )
        .toSorted((a, b) => a.changed_at_ms - b.changed_at_ms || a.day - b.day)
        .slice(0, max),
  ),
  /** The batches of the days from `fromDay` to `toDay` inclusive with ids after `afterId`, at most `max`: the first. */
  clearingBatchesAfter: all(
    'clearing_batch',
    'WHERE id > ? AND day >= ? AND day <= ? ORDER BY id LIMIT ?',
    (disk, afterId: string, fromDay: number, toDay: number, max: number) =>
      select(disk.clearing_batch, (row) => row.id > afterId && row.day >= fromDay && row.day <= toDay).slice(0, max),
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
