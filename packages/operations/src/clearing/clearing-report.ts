import { type BatchTotals, type ItemTotal, netMinorOf, type TotalItem } from '@tollgate/domain'
import type { ClearingBatchRow, Storage } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { type DayRange, dayText } from '../ledger/days.ts'
import { amountCell, type Columns, type Report, reportOf } from '../ledger/report.ts'
import { limits } from '../limits.ts'
import { readClearingFileOf } from './stored-file.ts'
import { type CurrencyTotals, readTotals } from './stored-totals.ts'

/** A batch in one currency. A batch without transactions has one line without a currency. */
interface BatchLine extends Partial<CurrencyTotals> {
  readonly batch: ClearingBatchRow
  readonly currency: string
}

/** The items in the order of columns and rows. */
const items: readonly TotalItem[] = ['debits', 'debitReversals', 'credits', 'creditReversals']

/** The items whose totals differ from those of the acquirer. */
const breaksIn = ({ own, acquirer }: Partial<CurrencyTotals>): readonly TotalItem[] =>
  own && acquirer ? items.filter((item) => !isSame(own[item], acquirer[item])) : []

const isSame = (a: ItemTotal, b: ItemTotal): boolean => a.count === b.count && a.amountMinor === b.amountMinor

/** The last answer of the acquirer about the totals of a currency; null before the first one. */
const answerOf = ({ agreed, acquirer }: Partial<CurrencyTotals>): 'agreed' | 'differs' | null =>
  agreed ? 'agreed' : acquirer ? 'differs' : null

const netCell = ({ currency }: BatchLine, totals: BatchTotals | undefined) =>
  totals ? amountCell(netMinorOf(totals), currency) : null

const batchColumns: Columns<BatchLine> = {
  acquirer: ({ batch }) => batch.acquirer,
  day: ({ batch }) => dayText(batch.day),
  state: ({ batch }) => batch.state,
  comparisons: ({ batch }) => batch.attempts,
  changedAt: ({ batch }) => new Date(batch.changed_at_ms).toISOString(),
  currency: ({ currency }) => currency || null,
  debitsCount: ({ own }) => own?.debits.count ?? 0,
  debitReversalsCount: ({ own }) => own?.debitReversals.count ?? 0,
  creditsCount: ({ own }) => own?.credits.count ?? 0,
  creditReversalsCount: ({ own }) => own?.creditReversals.count ?? 0,
  netAmount: (line) => netCell(line, line.own),
  acquirerAnswer: answerOf,
  acquirerNetAmount: (line) => netCell(line, line.agreed ? line.own : line.acquirer),
  breaks: (line) => breaksIn(line).join(' ') || null,
  file: ({ batch }) => readClearingFileOf(batch)?.written?.name ?? null,
}

interface BatchFilter extends DayRange {
  /** The name of a connector; undefined: all. */
  readonly acquirer: string | undefined
  /** `open`, `agreed` or `differs`; undefined: all. */
  readonly state: string | undefined
}

/** The clearing batches of business days: a row for each acquirer, day and currency. */
export function clearingBatchesReport({ storage }: Pick<Context, 'storage'>, filter: BatchFilter): Report {
  return reportOf({}, 'batches', batchColumns, batchPages(storage, filter))
}

async function* batchPages(
  storage: Pick<Storage, 'clearingBatchesAfter'>,
  { fromDay, toDay, acquirer, state }: BatchFilter,
): AsyncGenerator<readonly BatchLine[]> {
  const max = limits.reportEntriesPerRead
  for (let after = ''; ; ) {
    const batches = await storage.clearingBatchesAfter(after, fromDay, toDay, max)
    yield batches
      .filter((batch) => (acquirer ?? batch.acquirer) === batch.acquirer && (state ?? batch.state) === batch.state)
      .flatMap(linesOf)
    after = batches.at(-1)?.id ?? ''
    if (batches.length < max) return
  }
}

function linesOf(batch: ClearingBatchRow): readonly BatchLine[] {
  const totals = readTotals(batch.totals)
  return totals.length === 0
    ? [{ batch, currency: '' }]
    : totals.map(([currency, each]) => ({ batch, currency, ...each }))
}

/** An item of a batch in one currency. */
interface ItemLine extends CurrencyTotals {
  readonly currency: string
  readonly item: TotalItem
}

const acquirerTotal = ({ own, agreed, acquirer, item }: ItemLine): ItemTotal | undefined =>
  (agreed ? own : acquirer)?.[item]

const itemColumns: Columns<ItemLine> = {
  currency: ({ currency }) => currency,
  item: ({ item }) => item,
  count: ({ own, item }) => own[item].count,
  amount: ({ own, item, currency }) => amountCell(own[item].amountMinor, currency),
  acquirerAnswer: answerOf,
  acquirerCount: (line) => acquirerTotal(line)?.count ?? null,
  acquirerAmount: (line) => {
    const total = acquirerTotal(line)
    return total ? amountCell(total.amountMinor, line.currency) : null
  },
  countDifference: (line) => {
    const total = acquirerTotal(line)
    return total ? total.count - line.own[line.item].count : null
  },
  amountDifference: (line) => {
    const total = acquirerTotal(line)
    return total ? amountCell(total.amountMinor - line.own[line.item].amountMinor, line.currency) : null
  },
}

/** One clearing batch: a row for each currency and item of its totals, with those of the acquirer. */
export function clearingBatchReport(batch: ClearingBatchRow): Report {
  const { acquirer, day, state, attempts, changed_at_ms: changedAtMs } = batch
  const head = {
    acquirer,
    day: dayText(day),
    state,
    comparisons: attempts,
    changedAt: new Date(changedAtMs).toISOString(),
    file: fileView(batch),
  }
  const lines = readTotals(batch.totals).flatMap(([currency, totals]) =>
    items.map((item) => ({ ...totals, currency, item })),
  )
  return reportOf(head, 'totals', itemColumns, pagesOf(lines))
}

/** The clearing file of a batch; null if its captures were presented by their messages. */
function fileView(batch: ClearingBatchRow) {
  const file = readClearingFileOf(batch)
  if (!file) return null
  const { sequence, written } = file
  if (!written) return { sequence, name: null }
  const { name, presentments, sha256, writtenAtMs } = written
  return { sequence, name, presentments, sha256, writtenAt: new Date(writtenAtMs).toISOString() }
}

async function* pagesOf<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}
