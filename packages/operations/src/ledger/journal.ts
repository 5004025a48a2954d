import { financeCategoryOf, isPostingKind, type Movement, postingKinds } from '@tollgate/domain'
import type { PostingRow, Storage } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'
import { completeTo } from './complete-to.ts'
import { type DayRange, dayText } from './days.ts'
import { causeOf } from './entry-ids.ts'
import { amountCell, type Columns, type Report, reportOf } from './report.ts'
import { scopeOf } from './scope.ts'

/** A movement of an entry between two accounts. */
interface JournalLine {
  readonly entry: PostingRow
  readonly movement: Movement
  readonly minor: number
}

const columns: Columns<JournalLine> = {
  day: ({ entry }) => dayText(entry.day),
  merchantId: ({ entry }) => entry.merchant || null,
  transactionId: ({ entry }) => causeOf(entry).transactionId,
  settlementFile: ({ entry }) => causeOf(entry).settlementFile,
  payoutId: ({ entry }) => causeOf(entry).payoutId,
  bankEntryId: ({ entry }) => causeOf(entry).bankEntryId,
  kind: ({ entry }) => entry.kind,
  category: ({ entry, movement }) => financeCategoryOf(narrow(isPostingKind, entry.kind), movement),
  debit: ({ movement }) => movement.debit,
  credit: ({ movement }) => movement.credit,
  amount: ({ entry, minor }) => amountCell(minor, entry.currency),
  currency: ({ entry }) => entry.currency,
  acquirer: ({ entry }) => entry.acquirer || null,
  reference: ({ entry }) => entry.reference,
}

/**
 * The journal: a row for each movement of each entry, except movements of nothing, by merchant, day and transaction.
 *
 * @param entityId a psp, division or merchant; undefined: all merchants
 */
export async function journalReport(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  { entityId, ...range }: DayRange & { readonly entityId: string | undefined },
): Promise<Report> {
  const { merchants } = scopeOf(directory, entityId)
  const head = { completeTo: await completeTo(storage) }
  return reportOf(head, 'entries', columns, journalPages(storage, merchants, range))
}

async function* journalPages(
  storage: Pick<Storage, 'postingsAfter'>,
  merchants: readonly string[],
  { fromDay, toDay }: DayRange,
): AsyncGenerator<readonly JournalLine[]> {
  const max = limits.reportEntriesPerRead
  for (const merchant of merchants) {
    for (let [day, id, kind] = [fromDay, '', '']; ; ) {
      const entries = await storage.postingsAfter(merchant, day, id, kind, toDay, max)
      yield entries.flatMap(linesOf)
      const last = entries.at(-1)
      if (entries.length < max || !last) break
      ;[day, id, kind] = [last.day, last.transaction_id, last.kind]
    }
  }
}

function linesOf(entry: PostingRow): JournalLine[] {
  const { movements } = postingKinds[narrow(isPostingKind, entry.kind)]
  return movements
    .map((movement) => ({ entry, movement, minor: movement.of === 'amount' ? entry.amount_minor : entry.fee_minor }))
    .filter(({ minor }) => minor !== 0)
    .map(withPositiveAmount)
}

/** A negative amount takes a movement back: it is shown in the opposite direction. */
function withPositiveAmount(line: JournalLine): JournalLine {
  const { movement, minor } = line
  if (minor > 0) return line
  return { ...line, movement: { ...movement, debit: movement.credit, credit: movement.debit }, minor: -minor }
}
