import { invariant } from '../guard.ts'
import { limits } from '../limits.ts'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import type { Candidate, CandidateSearch, MatchSubject } from './candidate.ts'
import { isCompleteFor, type LedgerProgress } from './ledger-progress.ts'
import {
  isMismatchReason,
  type MatchCondition,
  matchConditions,
  type MismatchReason,
  mismatchReasons,
} from './match-conditions.ts'
import { matchLadder, type MatchStep } from './match-ladder.ts'
import { type MatchedKind, matchedKindOf } from './record-type.ts'
import { type TieBreak, tieBreaks } from './match-tie-breaks.ts'

/** The result of matching a row with transactions. `step` is the name of the rule that decided. */
export type MatchVerdict =
  /** `id`: the transaction; undefined for a fee, which belongs to a merchant and a month. */
  | { readonly status: 'MATCHED'; readonly id: string | undefined; readonly step: string }
  /** `ids`: the transactions, sorted, at most `limits.matchesMax`. */
  | { readonly status: 'MULTIPLE_MATCHES'; readonly ids: readonly string[]; readonly step: string }
  | { readonly status: 'NOT_MATCHED'; readonly reason: MismatchReason }

/** The tables that decide. */
export interface MatchRules {
  readonly ladder: readonly MatchStep[]
  readonly conditions: readonly MatchCondition[]
  readonly tieBreaks: readonly TieBreak[]
}

const matchRules: MatchRules = { ladder: matchLadder, conditions: matchConditions, tieBreaks }

/** The state of a row while the rules of the ladder are tried. */
interface OpenRow {
  readonly subject: MatchSubject
  verdict: MatchVerdict
  isOpen: boolean
  /** Whether a reference of the row leads to a transaction that conflicts with it, or a search has too many hits. */
  hasConflict: boolean
}

/** A row that a rule is tried on, with its search. */
interface SearchingRow {
  readonly openRow: OpenRow
  readonly search: CandidateSearch
}

/**
 * Matches rows with transactions. For each rule of the ladder the generator yields the searches of all rows that are
 * not decided yet, and expects the transactions that each search finds, in the same order. Transactions that do not fit
 * are ignored; the caller bounds the rows of a run and the transactions of a search: undefined means that there are
 * more, so that none of them is known to be the only one. No two rows of one kind are matched to the same transaction;
 * the first row has precedence.
 *
 * @param subjects rows of one file
 * @param progress the ledger before it is searched
 * @param rules other tables, for tests
 * @returns the verdicts in the order of the rows
 */
export function* matchRows(
  subjects: readonly MatchSubject[],
  progress: LedgerProgress,
  rules: MatchRules = matchRules,
): Generator<readonly CandidateSearch[], readonly MatchVerdict[], readonly (readonly Candidate[] | undefined)[]> {
  const rows = subjects.map(openRowOf)
  const matched = new MatchedTransactions()
  for (const step of rules.ladder) {
    const searching = rows.flatMap((openRow) => searchingRow(step, openRow, progress) ?? [])
    if (searching.length === 0) continue
    const found = yield searching.map(({ search }) => search)
    invariant(found.length === searching.length, 'each search has its transactions')
    for (const [index, { openRow }] of searching.entries()) {
      const candidates = found[index]
      if (candidates) tryStep(step, openRow, matched.addTo(candidates), rules)
      else keepTooMany(openRow)
      if (openRow.verdict.status === 'MATCHED') matched.add(openRow.verdict.id, openRow.subject.row)
    }
  }
  return rows.map(({ verdict }) => verdict)
}

/** "FEE rows match by merchant/month only" (domain notes, 4.5). */
const feeVerdict: MatchVerdict = { status: 'MATCHED', id: undefined, step: 'merchant and month' }

const openRowOf = (subject: MatchSubject): OpenRow => {
  const isFee = subject.row.kind === 'FEE'
  const verdict: MatchVerdict = isFee ? feeVerdict : { status: 'NOT_MATCHED', reason: 'noReference' }
  return { subject, verdict, isOpen: !isFee, hasConflict: false }
}

/** The search of a rule for a row; undefined: the rule is not tried on it. */
function searchingRow(step: MatchStep, openRow: OpenRow, progress: LedgerProgress): SearchingRow | undefined {
  const isTried = openRow.isOpen && !(step.isWeak && openRow.hasConflict)
  const search = isTried ? step.searchOf(openRow.subject) : undefined
  if (!search) return undefined
  if (!step.isWeak || isCompleteFor(search, progress)) return { openRow, search }
  keepReason(openRow, new Set(['ledgerIncomplete']))
  return undefined
}

/** The merchant and the month to which a fee belongs: month of settlement, yyyy-MM. */
export const feePeriodOf = ({ clearingMerchantId, settledOn }: SettlementRow) => ({
  clearingMerchantId,
  month: settledOn.slice(0, 7),
})

/** Tries one rule on a row, and decides the row if a transaction fits. */
function tryStep(step: MatchStep, openRow: OpenRow, found: readonly Candidate[], rules: MatchRules): void {
  const { subject } = openRow
  const hits = new Map<string, Candidate>()
  const reasons = new Set<MismatchReason>(['noTransaction'])
  for (const candidate of found) {
    if (!step.fits(subject, candidate)) continue
    const failed = rules.conditions.find(({ holds }) => !holds(subject, candidate))
    if (!failed) hits.set(candidate.id, candidate)
    else {
      reasons.add(failed.reason)
      openRow.hasConflict ||= failed.isConflict
    }
  }
  if (hits.size === 0) keepReason(openRow, reasons)
  else if (hits.size > 1 && step.isWeak) keepReason(openRow, reasons.add('ambiguous'))
  else {
    openRow.verdict = verdictOf(step.name, breakTies(subject, [...hits.values()], rules.tieBreaks))
    openRow.isOpen = false
  }
}

/** A search with more hits than can be examined proves nothing, and no weak rule may find another transaction. */
function keepTooMany(openRow: OpenRow): void {
  openRow.hasConflict = true
  keepReason(openRow, new Set(['ambiguous']))
}

const precedence = Object.keys(mismatchReasons).filter(isMismatchReason)

/** Keeps the last of the reasons in their order, unless an earlier rule has found a transaction that did not fit. */
function keepReason(openRow: OpenRow, reasons: ReadonlySet<MismatchReason>): void {
  const { verdict } = openRow
  if (verdict.status !== 'NOT_MATCHED') return
  if (verdict.reason !== 'noReference' && verdict.reason !== 'noTransaction') return
  const reason = precedence.findLast((name) => reasons.has(name)) ?? verdict.reason
  openRow.verdict = { status: 'NOT_MATCHED', reason }
}

function breakTies(
  subject: MatchSubject,
  hits: readonly Candidate[],
  rules: readonly TieBreak[],
): readonly Candidate[] {
  let remaining = hits
  for (const { select } of rules) {
    const selected = remaining.length > 1 ? select(subject, remaining) : []
    if (selected.length > 0) remaining = selected
  }
  return remaining
}

function verdictOf(step: string, hits: readonly Candidate[]): MatchVerdict {
  const [first, ...more] = hits.map(({ id }) => id).toSorted()
  if (more.length === 0) return { status: 'MATCHED', id: first, step }
  return { status: 'MULTIPLE_MATCHES', ids: [first ?? '', ...more].slice(0, limits.matchesMax), step }
}

/** The transactions that rows of one run are matched to. */
class MatchedTransactions {
  readonly #kinds = new Map<string, readonly MatchedKind[]>()

  /** A settlement that failed leaves the transaction to the row of the next attempt. */
  add(id: string | undefined, row: SettlementRow): void {
    if (id === undefined || row.status === 'FAILED') return
    this.#kinds.set(id, [...(this.#kinds.get(id) ?? []), matchedKindOf(row)])
  }

  /** The candidates with the kinds of the rows that this run has matched to them. */
  addTo(candidates: readonly Candidate[]): readonly Candidate[] {
    return candidates.map((candidate) => {
      const kinds = this.#kinds.get(candidate.id)
      return kinds ? { ...candidate, matchedKinds: [...candidate.matchedKinds, ...kinds] } : candidate
    })
  }
}
