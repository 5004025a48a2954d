import { isPostingKind, postingKinds } from '@tollgate/domain'
import type { BankEntryRow, CompareAndSet, PayoutRow, SettlementFileRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { settlementEntryRange } from '../ledger/entry-ids.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'
import { movePayout } from '../payouts/payout-state.ts'
import { openMinorOf, type StoredExplanation } from './bank-entry-row.ts'

type Dependencies = Pick<Context, 'storage' | 'clock'>

/** Why a bank entry is not explained. */
export type UnmatchedReason = 'noCounterpart' | 'payoutAmount' | 'payoutState' | 'fileAmount' | 'fileState'

/** What a bank entry says about other records, and their changes. */
export interface Verdict {
  readonly reason: UnmatchedReason | ''
  readonly explanation?: StoredExplanation
  /** The payout that the entry names, also if it contradicts it. */
  readonly payoutId?: string
  readonly compareAndSets?: readonly CompareAndSet[]
}

/** The payouts and settlement files that bank entries name, as they are after the changes of a unit. */
export interface Counterparts {
  payout(id: string): Promise<PayoutRow | undefined>
  filesNamed(id: string): Promise<readonly SettlementFileRow[]>
}

export const storedCounterparts = ({ storage }: Pick<Context, 'storage'>): Counterparts => ({
  payout: (id) => storage.payout(id),
  filesNamed: (id) => storage.settlementFilesWithId(id),
})

/**
 * Finds what explains a new or unmatched bank entry: rows of its own file, the payout whose id it has as EndToEndId, or
 * the settlement file of an acquirer whose id it has as EndToEndId or reference. A contradictory amount explains
 * nothing: the entry remains unmatched, and the payout as it is.
 */
export async function explainEntry(
  dependencies: Dependencies,
  counterparts: Counterparts,
  entry: BankEntryRow,
): Promise<Verdict> {
  if (openMinorOf(entry) === 0) return { reason: '' }
  const { end_to_end_id: endToEndId, reference } = entry
  const payout = endToEndId === null ? undefined : await counterparts.payout(endToEndId)
  if (payout) return verdictOfPayout(entry, payout, dependencies.clock.now())
  for (const id of [endToEndId, reference]) {
    const files = id === null ? [] : await counterparts.filesNamed(id)
    const file = files.find((each) => each.id !== entry.file_id && each.state !== 'quarantined')
    if (file) return verdictOfFile(dependencies, entry, file)
  }
  return { reason: 'noCounterpart' }
}

/** A payout that a bank entry confirms, as a debit, or sends back, as a credit. */
export function verdictOfPayout(entry: BankEntryRow, payout: PayoutRow, nowMs: number): Verdict {
  const { id: payoutId, merchant } = payout
  const isWhole = Math.abs(openMinorOf(entry)) === payout.amount_minor && entry.currency === payout.currency
  if (!isWhole) return { reason: 'payoutAmount', payoutId }
  const to = movePayout(payout, entry.direction === 'DEBIT' ? 'confirmed' : 'returned', nowMs)
  if (!to) return { reason: 'payoutState', payoutId }
  const compareAndSets = [{ table: 'payout' as const, from: payout, to }]
  return { reason: '', payoutId, explanation: { kind: 'payout', merchant }, compareAndSets }
}

/** A settlement file whose sum a bank entry pays. */
async function verdictOfFile(dependencies: Dependencies, entry: BankEntryRow, file: SettlementFileRow) {
  const paid = await paymentOfFiles(dependencies, entry, [file])
  if (!paid) return { reason: 'fileState' as const }
  if (paid.explanation.netMinor !== openMinorOf(entry)) return { reason: 'fileAmount' as const }
  return { reason: '' as const, ...paid }
}

/**
 * The explanation of a bank entry by settlement files, of any amount.
 *
 * @returns undefined if a file is not read to its end, or another bank entry pays it
 */
export async function paymentOfFiles(
  { storage, clock }: Dependencies,
  { id, currency }: BankEntryRow,
  files: readonly SettlementFileRow[],
): Promise<(Pick<Verdict, 'compareAndSets'> & { readonly explanation: FileExplanation }) | undefined> {
  if (files.some((file) => file.state !== 'read' || file.bank_entry_id !== null)) return undefined
  const acquirers = new Set<string>()
  let netMinor = 0
  for (const file of files) {
    const sum = await sumOfFile(storage, file.id, currency)
    netMinor += sum.netMinor
    for (const acquirer of sum.acquirers) acquirers.add(acquirer)
  }
  const [acquirer = '', ...others] = acquirers
  const fileIds = files.map((file) => file.id)
  return {
    explanation: { kind: 'settlementFile', fileIds, netMinor, acquirer: others.length === 0 ? acquirer : '' },
    compareAndSets: files.map((from) => ({
      table: 'settlement_file',
      from,
      to: { ...from, bank_entry_id: id, changed_at_ms: clock.now() },
    })),
  }
}

type FileExplanation = Extract<StoredExplanation, { readonly kind: 'settlementFile' }>

/** What the entries of a file add to the account `bank` in a currency, whatever the matches of its rows. */
async function sumOfFile(storage: Dependencies['storage'], fileId: string, currency: string) {
  const max = limits.reportEntriesPerRead
  const acquirers = new Set<string>()
  let netMinor = 0
  for (let { fromId, beforeId } = settlementEntryRange(fileId); ; ) {
    const entries = await storage.postingsFrom(fromId, beforeId, max)
    const last = entries.at(-1)
    // The entries of one id are read together: those of the last id, which may continue, with the next page.
    const isEnd = entries.length < max || !last
    const whole = isEnd ? entries : entries.filter((each) => each.transaction_id !== last.transaction_id)
    for (const { kind, acquirer, currency: of, amount_minor: minor } of whole) {
      if (of !== currency) continue
      netMinor += minor * bankSign(kind)
      if (acquirer !== '') acquirers.add(acquirer)
    }
    if (isEnd) return { netMinor, acquirers: [...acquirers] }
    fromId = last.transaction_id
  }
}

function bankSign(kind: string): number {
  const { movements } = postingKinds[narrow(isPostingKind, kind)]
  return movements.reduce(
    (sum, { debit, credit, of }) =>
      of === 'amount' ? sum + Number(debit === 'bank') - Number(credit === 'bank') : sum,
    0,
  )
}
