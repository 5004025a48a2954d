import type { BankEntry } from '@tollgate/settlement-files'
import type { BankEntryRow, CompareAndSet, PayoutRow, SettlementFileRow, Unit } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { derivedId } from '../derived-id.ts'
import { bankPostingRows } from './bank-entry-postings.ts'
import { type Counterparts, explainEntry, storedCounterparts, type Verdict } from './explain-entry.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock'>

/** A bank entry with its place in its file. */
export interface NumberedEntry {
  /** From 1. */
  readonly number: number
  /** The number of equal bank entries before it in the file: banks book equal amounts of a day without a reference. */
  readonly occurrence: number
  /** The part that rows of the file state, in minor units; negative: they lower the balance. */
  readonly rowsMinor: number
  readonly entry: BankEntry
}

/** The account, and the file in which its entries were read. */
export interface EntrySource {
  readonly fileId: string
  readonly account: string
}

/** What is equal in entries about one booking, also in several files of the bank. */
export const bookingKeyOf = (entry: BankEntry): string =>
  JSON.stringify([
    entry.bookedOn,
    entry.direction,
    entry.amountMinor,
    entry.currency,
    entry.reference ?? '',
    entry.endToEndId ?? '',
  ])

/**
 * The part of a unit that stores new bank entries of a file, with what they explain, and their entries of the ledger.
 * An entry that another file of the account has stated before is left out.
 */
export async function newBankEntries(
  dependencies: Dependencies,
  source: EntrySource,
  entries: readonly NumberedEntry[],
): Promise<{ readonly rows: Unit['rows']; readonly compareAndSets: readonly CompareAndSet[] }> {
  const { storage, clock } = dependencies
  const candidates = entries.map((entry) => newRow(source, entry, clock.now()))
  const stored = await Promise.all(candidates.map(({ id }) => storage.bankEntry(id)))
  const unit = pendingChanges(storedCounterparts(dependencies))
  const added: BankEntryRow[] = []
  for (const [index, row] of candidates.entries()) {
    if (stored[index]) continue
    const verdict = await explainEntry(dependencies, unit.counterparts, row)
    unit.add(verdict)
    added.push(explained(row, verdict))
  }
  const postings = await bankPostingRows(
    dependencies,
    added.map((to) => ({ to })),
  )
  return { rows: { bank_entry: added, ...postings }, compareAndSets: unit.compareAndSets() }
}

/** A bank entry with a verdict. */
export const explained = (row: BankEntryRow, { reason, explanation, payoutId }: Verdict): BankEntryRow => ({
  ...row,
  state: reason === '' ? 'explained' : 'unmatched',
  reason,
  payout_id: payoutId ?? null,
  explanation: explanation ? JSON.stringify(explanation) : null,
})

/** The id of a bank entry: a booking has the same id in all files of the bank. */
export const bankEntryId = (
  { account }: EntrySource,
  { entry, occurrence }: Pick<NumberedEntry, 'entry' | 'occurrence'>,
): string => derivedId('bank entry', account, bookingKeyOf(entry), occurrence)

const newRow = (source: EntrySource, numbered: NumberedEntry, nowMs: number): BankEntryRow => {
  const { number, rowsMinor, entry } = numbered
  return {
    id: bankEntryId(source, numbered),
    file_id: source.fileId,
    number,
    account: source.account,
    booked_on: entry.bookedOn,
    value_on: entry.valueOn ?? null,
    amount_minor: entry.amountMinor,
    currency: entry.currency,
    direction: entry.direction,
    booking: entry.booking,
    reference: entry.reference ?? null,
    end_to_end_id: entry.endToEndId ?? null,
    rows_minor: rowsMinor,
    state: 'unmatched',
    reason: '',
    payout_id: null,
    explanation: null,
    changes: 0,
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
  }
}

/**
 * The changes of payouts and settlement files by the entries of one unit, each visible to the entries after it: a
 * payout that is confirmed and sent back in one file is changed once, to its last state.
 */
function pendingChanges(stored: Counterparts) {
  const payouts = new Map<string, { from: PayoutRow; to: PayoutRow }>()
  const files = new Map<string, { from: SettlementFileRow; to: SettlementFileRow }>()
  const counterparts: Counterparts = {
    payout: async (id) => payouts.get(id)?.to ?? (await stored.payout(id)),
    filesNamed: async (id) => (await stored.filesNamed(id)).map((file) => files.get(file.id)?.to ?? file),
  }
  return {
    counterparts,
    add({ compareAndSets = [] }: Verdict) {
      for (const { table, from, to } of compareAndSets) {
        if (table === 'payout' && to) payouts.set(to.id, { from: payouts.get(to.id)?.from ?? from, to })
        if (table === 'settlement_file' && to) files.set(to.id, { from: files.get(to.id)?.from ?? from, to })
      }
    },
    compareAndSets: (): readonly CompareAndSet[] => [
      ...[...payouts.values()].map((change) => ({ table: 'payout' as const, ...change })),
      ...[...files.values()].map((change) => ({ table: 'settlement_file' as const, ...change })),
    ],
  }
}
