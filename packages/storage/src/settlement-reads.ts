import { all, byId, IN_LIST, one, query, setOf } from './declare-read.ts'
import { type MemoryDisk, storedTransactions } from './memory/disk.ts'
import { select } from './memory/select.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import type { SettlementContentRow, SettlementFileRow, SettlementRowRow, TransactionRow } from './schema.ts'

/** The columns of which the record of a row of a known merchant is made, and by which rows are ordered. */
const recordColumns = [
  'file_id',
  'number',
  'channel',
  'status',
  'transaction_id',
  'candidates',
  'settled_on',
  'row',
  'chargeback_id',
] as const

/** What the record of a row is made of: half of the columns of the row. */
export type RecordRow = Pick<SettlementRowRow, (typeof recordColumns)[number]>

const recordRowOf = (row: SettlementRowRow): RecordRow => ({
  file_id: row.file_id,
  number: row.number,
  channel: row.channel,
  status: row.status,
  transaction_id: row.transaction_id,
  candidates: row.candidates,
  settled_on: row.settled_on,
  row: row.row,
  chargeback_id: row.chargeback_id,
})

/** The state of a file, as an expression: so the index of statements is used, not that of all files in a state. */
const STATE = "coalesce(state, '')"

/** Reads the transactions with a reference, of a list of merchants and a period: the oldest. */
const referredBetween = (column: 'network_transaction_id' | 'merchant_transaction_id') =>
  all(
    'payment_transaction',
    `WHERE ${column} = ? AND merchant ${IN_LIST} AND created_at_ms >= ? AND created_at_ms < ?
      ORDER BY created_at_ms, id LIMIT ?`,
    (disk, reference: string, merchants: string, fromMs: number, untilMs: number, max: number) => {
      const isListed = isOfMerchants(merchants, fromMs, untilMs)
      return oldest(disk, max, (row) => row[column] === reference && isListed(row))
    },
  )

/** The reads of settlement files and their rows. */
export const settlementReads = {
  settlementFile: byId('settlement_file'),
  /** The files in a state, at most `max`: the first that arrived. */
  settlementFilesIn: all(
    'settlement_file',
    'WHERE state = ? ORDER BY created_at_ms, id LIMIT ?',
    (disk, state: string, max: number) =>
      select(disk.settlement_file, (row) => row.state === state, 'created_at_ms').slice(0, max),
  ),
  /** The files that arrived before a file, by its time (epoch milliseconds) and id, at most `max`: the newest. */
  settlementFilesBefore: all(
    'settlement_file',
    'WHERE (created_at_ms, id) < (?, ?) ORDER BY created_at_ms DESC, id DESC LIMIT ?',
    (disk, createdAtMs: number, id: string, max: number) =>
      select(disk.settlement_file, (row) => isBefore(row, createdAtMs, id), 'created_at_ms')
        .toReversed()
        .slice(0, max),
  ),
  /** The files of an institute with its id of the file. */
  settlementFilesNamed: all(
    'settlement_file',
    'WHERE institute = ? AND file_id = ? ORDER BY id',
    (disk, institute: string, fileId: string) =>
      select(disk.settlement_file, (row) => row.institute === institute && row.file_id === fileId),
  ),
  /** The files of all institutes with an institute's id of the file. */
  settlementFilesWithId: all('settlement_file', 'WHERE file_id = ? ORDER BY id', (disk, fileId: string) =>
    select(disk.settlement_file, (row) => row.file_id === fileId),
  ),
  /** The last accepted bank statement from a value of `statement` up to another one, both inclusive. */
  statementBefore: one(
    'settlement_file',
    `WHERE statement >= ? AND statement <= ? AND ${STATE} IN ('checked', 'read')
      ORDER BY statement DESC, id DESC LIMIT 1`,
    (disk, from: string, to: string) =>
      statementsIn(disk.settlement_file, (key) => key >= from && key <= to).findLast(isAccepted),
  ),
  /** The first accepted bank statement after a value of `statement` and before another one. */
  statementAfter: one(
    'settlement_file',
    `WHERE statement > ? AND statement < ? AND ${STATE} IN ('checked', 'read') ORDER BY statement, id LIMIT 1`,
    (disk, after: string, before: string) =>
      statementsIn(disk.settlement_file, (key) => key > after && key < before).find(isAccepted),
  ),
  /** The quarantined bank statements between two values of `statement`, at most `max`: the first. */
  statementsWaiting: all(
    'settlement_file',
    `WHERE statement > ? AND statement < ? AND ${STATE} = 'quarantined' ORDER BY statement, id LIMIT ?`,
    (disk, after: string, before: string, max: number) =>
      statementsIn(disk.settlement_file, (key) => key > after && key < before)
        .filter(({ state }) => state === 'quarantined')
        .slice(0, max),
  ),
  settlementContent: one(
    'settlement_content',
    'WHERE content_id = ? AND number = ?',
    (disk, contentId: string, number: number) => disk.settlement_content.get(`${contentId} ${number}`),
  ),
  /**
   * The ids of contents after a content, without a file, of those whose ids are below `beforeId`, at most `max`: the
   * first.
   */
  contentsWithoutFile: query(
    `SELECT c.content_id FROM settlement_content AS c WHERE c.number = 1 AND c.content_id > ? AND c.content_id < ?
      AND NOT EXISTS (SELECT 1 FROM settlement_file AS f WHERE f.content_id = c.content_id)
      ORDER BY c.content_id LIMIT ?`,
    (disk, afterId: string, beforeId: string, max: number): readonly Pick<SettlementContentRow, 'content_id'>[] => {
      const known = new Set(select(disk.settlement_file).map((row) => row.content_id))
      return select(
        disk.settlement_content,
        (row) =>
          row.number === 1 && row.content_id > afterId && row.content_id < beforeId && !known.has(row.content_id),
      )
        .map(({ content_id: id }) => ({ content_id: id }))
        .slice(0, max)
    },
  ),
  settlementMatching: byId('settlement_matching'),
  settlementRow: one('settlement_row', 'WHERE file_id = ? AND number = ?', (disk, fileId: string, number: number) =>
    disk.settlement_row.get(`${fileId} ${number}`),
  ),
  /** Rows of a file after a row, at most `max`: the first. */
  settlementRowsAfter: all(
    'settlement_row',
    'WHERE file_id = ? AND number > ? ORDER BY number LIMIT ?',
    (disk, fileId: string, number: number, max: number) =>
      select(disk.settlement_row, (row) => row.file_id === fileId && row.number > number, 'number').slice(0, max),
  ),
  /** The transactions of all merchants with a network transaction id, at most `max`: the oldest. */
  transactionsByNetworkId: all(
    'payment_transaction',
    'WHERE network_transaction_id = ? ORDER BY created_at_ms, id LIMIT ?',
    (disk, networkTransactionId: string, max: number) =>
      oldest(disk, max, (row) => row.network_transaction_id === networkTransactionId),
  ),
  /**
   * The transactions of a list of merchants (`listOf`) with a network transaction id from `fromMs` up to `untilMs`, at
   * most `max`: the oldest.
   */
  transactionsByNetworkIdBetween: referredBetween('network_transaction_id'),
  /** The transactions of all merchants with a merchantTransactionId, at most `max`: the oldest. */
  transactionsNamed: all(
    'payment_transaction',
    'WHERE merchant_transaction_id = ? ORDER BY created_at_ms, id LIMIT ?',
    (disk, merchantTransactionId: string, max: number) =>
      oldest(disk, max, (row) => row.merchant_transaction_id === merchantTransactionId),
  ),
  /** Like `transactionsByNetworkIdBetween`: with a merchantTransactionId. */
  transactionsNamedBetween: referredBetween('merchant_transaction_id'),
  /** The rows that are matched to one of a list of transactions (`listOf`). */
  settlementRowsOf: all(
    'settlement_row',
    `WHERE transaction_id ${IN_LIST} ORDER BY settled_on, file_id, number`,
    (disk, ids: string) => {
      const listed = setOf(ids)
      return inOrder(
        select(disk.settlement_row, (row) => row.transaction_id !== null && listed.has(row.transaction_id)),
      )
    },
  ),
  /** The rows about a booking of a bank. */
  settlementRowsBooked: all(
    'settlement_row',
    'WHERE booking = ? ORDER BY settled_on, file_id, number',
    (disk, booking: string) => inOrder(select(disk.settlement_row, (row) => row.booking === booking)),
  ),
  /**
   * Matched rows of chargebacks and their reversals that are not recorded yet, after a row, at most `max`: the first
   * ones to be settled, of one day the chargebacks before the reversals.
   */
  unrecordedChargebacks: all(
    'settlement_row',
    `WHERE chargeback_id IS NULL AND kind LIKE 'CHARGEBACK%' AND status = 'MATCHED'
      AND (settled_on, kind, file_id, number) > (?, ?, ?, ?) ORDER BY settled_on, kind, file_id, number LIMIT ?`,
    (disk, settledOn: string, kind: string, fileId: string, number: number, max: number) => {
      const after = { settled_on: settledOn, kind, file_id: fileId, number }
      return select(
        disk.settlement_row,
        (row) => row.chargeback_id === null && row.kind.startsWith('CHARGEBACK') && row.status === 'MATCHED',
      )
        .filter((row) => compareDisputes(row, after) > 0)
        .toSorted(compareDisputes)
        .slice(0, max)
    },
  ),
  /** The rows without a match after a row, by its day, file and number, at most `max`: the oldest. */
  openSettlementRowsAfter: all(
    'settlement_row',
    `WHERE status <> 'MATCHED' AND (settled_on, file_id, number) > (?, ?, ?)
      ORDER BY settled_on, file_id, number LIMIT ?`,
    (disk, settledOn: string, fileId: string, number: number, max: number) =>
      inOrder(
        select(disk.settlement_row, (row) => row.status !== 'MATCHED' && isAfter(row, settledOn, fileId, number)),
      ).slice(0, max),
  ),
  /** The fees of which the merchant is unknown, after a row, by its day, file and number, at most `max`: the oldest. */
  unownedFeesAfter: all(
    'settlement_row',
    `WHERE merchant = '' AND kind = 'FEE' AND (settled_on, file_id, number) > (?, ?, ?)
      ORDER BY settled_on, file_id, number LIMIT ?`,
    (disk, settledOn: string, fileId: string, number: number, max: number) =>
      inOrder(
        select(
          disk.settlement_row,
          (row) => row.merchant === '' && row.kind === 'FEE' && isAfter(row, settledOn, fileId, number),
        ),
      ).slice(0, max),
  ),
  /** The rows of a merchant up to a day, after a row, by its day, file and number, at most `max`: the oldest. */
  merchantSettlementRowsAfter: query(
    `SELECT ${recordColumns.join(', ')} FROM settlement_row
      WHERE merchant = ? AND settled_on <= ? AND (settled_on, file_id, number) > (?, ?, ?)
      ORDER BY settled_on, file_id, number LIMIT ?`,
    (
      disk,
      merchant: string,
      toDay: string,
      settledOn: string,
      fileId: string,
      number: number,
      max: number,
    ): readonly RecordRow[] =>
      inOrder(
        select(
          disk.settlement_row,
          (row) => row.merchant === merchant && row.settled_on <= toDay && isAfter(row, settledOn, fileId, number),
        ),
      )
        .slice(0, max)
        .map(recordRowOf),
  ),
  /**
   * The number of a merchant's rows of a day (yyyy-MM-dd), and a checksum of the times of their last changes, which
   * shows each change of a row, also of a process whose clock is behind.
   */
  settlementDay: query(
    `SELECT count(*) AS row_count, CAST(coalesce(sum(changed_at_ms % 1000003), 0) AS bigint) AS checksum
      FROM settlement_row WHERE merchant = ? AND settled_on = ?`,
    (disk, merchant: string, day: string): SettlementDay | undefined => {
      const rows = select(disk.settlement_row, (row) => row.merchant === merchant && row.settled_on === day)
      const checksum = rows.reduce((sum, row) => sum + (row.changed_at_ms % 1_000_003), 0)
      return { row_count: rows.length, checksum }
    },
    'one',
  ),
  /** All keys of the SFTP server, revoked or not, in the order of their ids. */
  sftpKeys: all('sftp_key', 'ORDER BY id', (disk) => select(disk.sftp_key)),
}

/** The version of the rows of a merchant on one day. */
export interface SettlementDay {
  readonly row_count: number
  readonly checksum: number
}

const oldest = (disk: MemoryDisk, max: number, matches: (row: TransactionRow) => boolean): readonly TransactionRow[] =>
  storedTransactions(disk)
    .filter(matches)
    .toSorted((a, b) => a.created_at_ms - b.created_at_ms || compareCodeUnits(a.id, b.id))
    .slice(0, max)

/** Whether a transaction is of a list of merchants (`listOf`) and of a period, `untilMs` excluded. */
function isOfMerchants(merchants: string, fromMs: number, untilMs: number): (row: TransactionRow) => boolean {
  const listed = setOf(merchants)
  return ({ merchant, created_at_ms: atMs }) => listed.has(merchant) && atMs >= fromMs && atMs < untilMs
}

const isBefore = (row: SettlementFileRow, createdAtMs: number, id: string): boolean =>
  row.created_at_ms < createdAtMs || (row.created_at_ms === createdAtMs && row.id < id)

const statementsIn = (
  files: ReadonlyMap<string, SettlementFileRow>,
  matches: (statement: string) => boolean,
): SettlementFileRow[] =>
  select(files, ({ statement }) => statement !== null && matches(statement)).toSorted(
    (a, b) => compareCodeUnits(a.statement ?? '', b.statement ?? '') || compareCodeUnits(a.id, b.id),
  )

const isAccepted = ({ state }: SettlementFileRow): boolean => state === 'checked' || state === 'read'

type DisputePosition = Pick<SettlementRowRow, 'settled_on' | 'kind' | 'file_id' | 'number'>

const compareDisputes = (a: DisputePosition, b: DisputePosition): number =>
  compareCodeUnits(a.settled_on, b.settled_on) ||
  compareCodeUnits(a.kind, b.kind) ||
  compareCodeUnits(a.file_id, b.file_id) ||
  a.number - b.number

const inOrder = (rows: readonly SettlementRowRow[]): SettlementRowRow[] =>
  rows.toSorted(
    (a, b) =>
      compareCodeUnits(a.settled_on, b.settled_on) || compareCodeUnits(a.file_id, b.file_id) || a.number - b.number,
  )

const isAfter = (row: SettlementRowRow, settledOn: string, fileId: string, number: number): boolean =>
  row.settled_on > settledOn ||
  (row.settled_on === settledOn && (row.file_id > fileId || (row.file_id === fileId && row.number > number)))
