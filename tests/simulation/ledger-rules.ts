import { type MemoryDisk, type PostingRow, type TransactionRow, TRANSACTIONS } from '@tollgate/storage'
import { checkAccounts } from './account-rules.ts'
import { checkReportSums } from './report-rules.ts'
import { checkSettledRows } from './settled-rules.ts'
import { fail } from './violation.ts'

// The invariants of the ledger, written without the rules of the product. They hold after every commit.

const PAYMENTS = new Set(['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RB', 'CB', 'CR', 'RC'])
const DECIDED = new Set(['ACK', 'NOK'])
const CAPTURES = new Set(['charge', 'capture'])
const REVERSALS = new Set(['chargeReversal', 'captureReversal'])

/** The ids of the decided transactions that are not in the ledger yet: in the end, none. */
export const unreadTransactions = (disk: MemoryDisk): readonly string[] =>
  decidedIn(disk)
    .filter((row) => !isRead(disk, row))
    .map(({ id }) => id)

const decidedIn = ({ transactionsOf }: MemoryDisk): readonly TransactionRow[] =>
  [...transactionsOf.values()].flat().filter(({ type, status }) => PAYMENTS.has(type) && DECIDED.has(status))

const isRead = ({ transaction_feed: feed, late_transaction: late }: MemoryDisk, { id, status }: TransactionRow) =>
  id < (feed.get(TRANSACTIONS)?.read_before ?? '') && !late.has(`${id} ${status}`)

/** Each decided transaction that the feed has passed is posted and counted exactly once, or waits as a late one. */
export function checkLedger(disk: MemoryDisk): void {
  const read = decidedIn(disk).filter((row) => isRead(disk, row))

  const entries = new Map<string, string[]>()
  for (const { transaction_id: id, kind, amount_minor: amount } of ofTransactions(disk))
    entries.set(id, [...(entries.get(id) ?? []), `${kind} ${amount}`])
  for (const row of read) checkEntries(row, entries.get(row.id) ?? [], disk)
  const readIds = new Set(read.map(({ id }) => id))
  for (const id of entries.keys()) if (!readIds.has(id)) fail(`the ledger has an entry of ${id}, which was not read`)
  checkSums(disk)
  checkSettledRows(disk)
  checkReportSums(disk)
  checkCaptured(disk, read)
  checkAccounts(disk)
  const counted = [...disk.transaction_day.values()].reduce((sum, day) => sum + day.transactions, 0)
  if (counted !== read.length) fail(`the daily sums count ${counted} transactions, and ${read.length} were read`)
}

/** The entries that follow from transactions; others have a cause before a slash. */
const ofTransactions = ({ posting }: MemoryDisk): PostingRow[] =>
  [...posting.values()].filter(({ transaction_id: id }) => !id.includes('/'))

/** An approved transaction has one entry with its amount; a preauthorisation has another one if its hold is closed. */
function checkEntries(
  { id, root_id: root, type, status, amount_minor: amount }: TransactionRow,
  entries: string[],
  disk: MemoryDisk,
): void {
  const tree = disk.transactionsOf.get(root) ?? []
  const isClosed = tree.some(({ facts }) => facts.includes('"final":true'))
  const own = entries.filter((entry) => !(type === 'PA' && entry.startsWith('expiry ')))
  const isWaiting = type === 'RV' && isClosed && own.length === 0
  if (status === 'NOK' && entries.length > 0)
    fail(`${type} ${id} is declined and has the entries ${entries.join(', ')}`)
  if (status === 'ACK' && !isWaiting && (own.length !== 1 || !own[0]?.endsWith(` ${amount}`)))
    fail(`${type} ${id} is approved with ${amount} and has the entries ${entries.join(', ')}`)
  if (entries.length > own.length + (isClosed ? 1 : 0)) fail(`${type} ${id} has the entries ${entries.join(', ')}`)
}

/** The daily sums of the ledger are those of its entries. */
function checkSums({ posting, ledger_day: days }: MemoryDisk): void {
  const sums = new Map<string, number>()
  for (const row of posting.values()) {
    // Rows of files that are matched with no transaction may belong to no merchant.
    const key = `${row.merchant} ${row.day} ${row.acquirer} ${row.currency} ${row.kind}`.trimStart()
    sums.set(key, (sums.get(key) ?? 0) + row.amount_minor)
  }
  for (const [key, sum] of sums)
    if (days.get(key)?.amount_minor !== sum) fail(`the sum of ${key} is ${days.get(key)?.amount_minor}, not ${sum}`)
  if (days.size !== sums.size) fail(`the ledger has ${days.size} daily sums of ${sums.size}`)
}

/** The captured amounts of the ledger are those of the transactions that were read. */
function checkCaptured({ posting }: MemoryDisk, read: readonly TransactionRow[]): void {
  const types = new Map(read.map((row) => [row.id, row.type]))
  let captured = 0
  for (const row of read) {
    if (row.status !== 'ACK') continue
    if (['DB', 'CP', 'RB', 'RC'].includes(row.type)) captured += row.amount_minor ?? 0
    const referenced = types.get(row.referenced_id ?? '')
    if (row.type === 'RV' && referenced !== 'PA' && referenced !== undefined) captured -= row.amount_minor ?? 0
  }
  let posted = 0
  for (const { kind, amount_minor: amount } of posting.values()) {
    if (CAPTURES.has(kind)) posted += amount
    if (REVERSALS.has(kind)) posted -= amount
  }
  if (captured !== posted) fail(`${captured} was captured, and the ledger has ${posted}`)
}
