import { isCurrency } from '@tollgate/contract'
import { businessDayOf, isPaymentType, settledPostingsOf, type SettledTransaction } from '@tollgate/domain'
import type { PostingRow, SettlementRowRow, TransactionRow, Unit } from '@tollgate/storage'
import { cutOffOf } from '../acquirer/clearing-of.ts'
import type { Context } from '../context.ts'
import { ledgerDays } from '../ledger/daily-sums.ts'
import { settlementEntryId } from '../ledger/entry-ids.ts'
import { narrow } from '../narrow.ts'
import { rowIn } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids'>

/** A change of a stored row; `from` is undefined for a row that is added. */
export interface RowChange {
  readonly from?: SettlementRowRow | undefined
  readonly to: SettlementRowRow
}

/**
 * The entries of the ledger that follow from changes of rows, for the unit that changes the rows: a row counts exactly
 * as often as its compare-and-set succeeds. The entries are the difference between the entries of the rows before and
 * after, so that the entries of a row, over all of its changes, add up to those of its present match. They are sums
 * over all rows, by merchant, acquirer, currency and kind, of the current business day of the acquirer. An entry with a
 * negative amount takes back entries of its kind.
 *
 * @param known transactions that the caller has read
 */
export async function settledEntries(
  dependencies: Dependencies,
  changes: readonly RowChange[],
  known: ReadonlyMap<string, TransactionRow>,
): Promise<Pick<Unit['rows'], 'posting' | 'ledger_day'>> {
  const transactions = await withMissing(dependencies, changes, known)
  const sums = new Map<string, Entry>()
  for (const { from, to } of changes) {
    addEntries(sums, to, 1, transactions)
    if (from) addEntries(sums, from, -1, transactions)
  }
  const entries = [...sums.values()].filter(({ amount_minor }) => amount_minor !== 0)
  const posting = withIds(dependencies, entries)
  return { posting, ledger_day: ledgerDays(posting) }
}

/** A sum of entries before it has an id and a day. A copy for each row would take longer than all else here. */
type Entry = Omit<PostingRow, 'transaction_id' | 'day' | 'amount_minor'> & {
  readonly fileId: string
  amount_minor: number
}

/**
 * Adds the entries of a row to the sums.
 *
 * @param sign -1: the entries that take back those of the row
 */
function addEntries(
  sums: Map<string, Entry>,
  stored: SettlementRowRow,
  sign: 1 | -1,
  transactions: ReadonlyMap<string, TransactionRow>,
): void {
  const { file_id: fileId, merchant, acquirer } = stored
  if (acquirer === null) return
  for (const { kind, currency, amountMinor } of settledPostingsOf(rowIn(stored), transactionOf(stored, transactions))) {
    const key = `${fileId} ${merchant} ${acquirer} ${currency} ${kind}`
    const sum = sums.get(key)
    if (sum) sum.amount_minor += sign * amountMinor
    else {
      const amount_minor = sign * amountMinor
      sums.set(key, { fileId, kind, merchant, acquirer, currency, amount_minor, fee_minor: 0, reference: null })
    }
  }
}

function transactionOf(
  { transaction_id: id }: SettlementRowRow,
  transactions: ReadonlyMap<string, TransactionRow>,
): SettledTransaction | undefined {
  if (id === null) return undefined
  const row = transactions.get(id)
  if (!row) throw new Error(`transaction ${id} of a settlement row is not stored`)
  return {
    type: narrow(isPaymentType, row.type),
    minor: row.amount_minor ?? 0,
    currency: narrow(isCurrency, row.currency ?? ''),
  }
}

async function withMissing(
  { storage }: Dependencies,
  changes: readonly RowChange[],
  known: ReadonlyMap<string, TransactionRow>,
): Promise<ReadonlyMap<string, TransactionRow>> {
  const ids = changes.flatMap(({ from, to }) => [from?.transaction_id ?? [], to.transaction_id ?? []].flat())
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  if (missing.length === 0) return known
  const read = await storage.transactions(missing)
  return new Map([...known, ...read.map((row) => [row.id, row] as const)])
}

const groupOf = ({ fileId, merchant, acquirer, currency }: Entry): string =>
  `${fileId} ${merchant} ${acquirer} ${currency}`

/** Entries of one merchant, acquirer and currency share an id: its kinds tell them apart. */
function withIds({ acquirers, clock, ids }: Dependencies, entries: readonly Entry[]): readonly PostingRow[] {
  const groupIds = new Map<string, string>()
  return entries.map((entry) => {
    const group = groupOf(entry)
    const id = groupIds.get(group) ?? ids.ordered()
    groupIds.set(group, id)
    const { fileId, ...row } = entry
    return {
      ...row,
      transaction_id: settlementEntryId(fileId, id),
      day: businessDayOf(cutOffOf(acquirers, row.acquirer), clock.now()),
    }
  })
}
