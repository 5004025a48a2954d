import type { BankEntryRow, CompareAndSet } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { clearedConnectors } from '../acquirer/clearing-of.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { movePayoutBack } from '../payouts/payout-state.ts'
import { bankPostingRows } from './bank-entry-postings.ts'
import { explanationOf, openMinorOf, type StoredExplanation } from './bank-entry-row.ts'
import { paymentOfFiles, verdictOfPayout } from './explain-entry.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'directory' | 'clock' | 'ids' | 'log'>

/** To what an operator can assign a bank entry. */
export const assignmentTargets = ['merchant', 'payout', 'acquirer', 'settlementFile', 'charges'] as const

/** The decision of an operator about a bank entry. */
export interface Assignment {
  readonly to: (typeof assignmentTargets)[number]
  /**
   * The id of the merchant or payout, the name of the acquirer, or the ids of the settlement files, which differ;
   * charges have none.
   */
  readonly ids: readonly string[]
  /** What the operator knows, for the audit log and the record. */
  readonly reason: string
}

/**
 * changed: the entry as it is stored now. stale: another process changed it or the record. noTarget: the record does
 * not exist. mismatch: amount, currency or state of the payout or file contradicts the entry. Nothing else was changed.
 */
export type AssignmentResult =
  | { readonly kind: 'changed'; readonly entry: BankEntryRow }
  | { readonly kind: 'stale' | 'isExplained' | 'noTarget' | 'mismatch' | 'notByHand' }

/** What an assignment changes. */
interface Assigned {
  readonly explanation: StoredExplanation
  readonly payoutId?: string | undefined
  readonly compareAndSets?: readonly CompareAndSet[] | undefined
}

type Resolve = (
  dependencies: Dependencies,
  entry: BankEntryRow,
  ids: readonly string[],
) => Promise<Assigned | 'noTarget' | 'mismatch'>

const resolvers: Readonly<Record<Assignment['to'], Resolve>> = {
  merchant: async ({ directory }, _entry, [merchant = '']) =>
    directory.entity(merchant)?.kind === 'merchant' ? { explanation: { kind: 'merchant', merchant } } : 'noTarget',
  acquirer: async ({ acquirers }, _entry, [acquirer = '']) =>
    clearedConnectors(acquirers).includes(acquirer) ? { explanation: { kind: 'acquirer', acquirer } } : 'noTarget',
  charges: async () => ({ explanation: { kind: 'charges' } }),
  payout: async ({ storage, clock }, entry, [id = '']) => {
    const payout = await storage.payout(id)
    if (!payout) return 'noTarget'
    const { explanation, payoutId, compareAndSets } = verdictOfPayout(entry, payout, clock.now())
    return explanation ? { explanation, payoutId, compareAndSets } : 'mismatch'
  },
  settlementFile: async (dependencies, entry, ids) => {
    const stored = await Promise.all(ids.map((id) => dependencies.storage.settlementFile(id)))
    const files = stored.flatMap((file) => (file && file.id !== entry.file_id ? [file] : []))
    if (files.length === 0 || files.length < ids.length) return 'noTarget'
    const paid = await paymentOfFiles(dependencies, entry, files)
    // What is missing of one file remains owed; of several, it would not show which of them lacks it.
    const isPart = files.length > 1 && paid?.explanation.netMinor !== openMinorOf(entry)
    return paid && !isPart ? paid : 'mismatch'
  },
}

/**
 * Assigns an unmatched bank entry. The amount leaves the account of unmatched amounts in the unit that changes the
 * entry, so that it is assigned once.
 */
export async function assignBankEntry(
  dependencies: Dependencies,
  from: BankEntryRow,
  { to, ids, reason }: Assignment,
): Promise<AssignmentResult> {
  if (from.state !== 'unmatched') return { kind: 'isExplained' }
  const assigned = await resolvers[to](dependencies, from, ids)
  if (typeof assigned === 'string') return { kind: assigned }
  const { explanation, payoutId = null, compareAndSets } = assigned
  const changes = { state: 'assigned', reason, payout_id: payoutId, explanation: JSON.stringify(explanation) }
  return change(dependencies, 'bank entry assigned', { from, changes, compareAndSets })
}

/** Undoes an assignment by an operator: the entry is unmatched again, and its payout as it was before. */
export async function undoAssignment(dependencies: Dependencies, from: BankEntryRow): Promise<AssignmentResult> {
  if (from.state !== 'assigned') return { kind: 'notByHand' }
  const compareAndSets = await changesBack(dependencies, from)
  if (compareAndSets === 'mismatch') return { kind: 'mismatch' }
  const changes = { state: 'unmatched', reason: 'undone', payout_id: null, explanation: null }
  return change(dependencies, 'bank entry unassigned', { from, changes, compareAndSets })
}

async function changesBack(
  { storage, clock }: Dependencies,
  entry: BankEntryRow,
): Promise<readonly CompareAndSet[] | 'mismatch'> {
  const nowMs = clock.now()
  const explanation = explanationOf(entry)
  if (explanation?.kind === 'settlementFile') {
    const stored = await Promise.all(explanation.fileIds.map((id) => storage.settlementFile(id)))
    const files = stored.flatMap((file) => (file?.bank_entry_id === entry.id ? [file] : []))
    if (files.length < stored.length) return 'mismatch'
    return files.map((from) => ({
      table: 'settlement_file',
      from,
      to: { ...from, bank_entry_id: null, changed_at_ms: nowMs },
    }))
  }
  if (entry.payout_id === null) return []
  const from = await storage.payout(entry.payout_id)
  const expected = entry.direction === 'DEBIT' ? 'confirmed' : 'returned'
  const to = from?.state === expected ? movePayoutBack(from, nowMs) : undefined
  return from && to ? [{ table: 'payout', from, to }] : 'mismatch'
}

interface EntryChange {
  readonly from: BankEntryRow
  readonly changes: Partial<BankEntryRow>
  readonly compareAndSets?: readonly CompareAndSet[] | undefined
}

async function change(
  dependencies: Dependencies,
  event: 'bank entry assigned' | 'bank entry unassigned',
  { from, changes, compareAndSets = [] }: EntryChange,
): Promise<AssignmentResult> {
  const entry = await commitEntry(dependencies, { from, changes, compareAndSets })
  if (!entry) return { kind: 'stale' }
  audit(dependencies.log, event, { bankEntry: entry.id, reason: entry.reason })
  return { kind: 'changed', entry }
}

/** Writes a change of a bank entry with its entries of the ledger. @returns undefined after a concurrent change */
export async function commitEntry(
  dependencies: Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids'>,
  { from, changes, compareAndSets = [] }: EntryChange,
): Promise<BankEntryRow | undefined> {
  const to = { ...from, ...changes, changes: from.changes + 1, changed_at_ms: dependencies.clock.now() }
  const rows = await bankPostingRows(dependencies, [{ from, to }])
  const own = { table: 'bank_entry' as const, from, to }
  const isWritten = await commitChange(dependencies, { compareAndSets: [own, ...compareAndSets], rows })
  return isWritten ? to : undefined
}
