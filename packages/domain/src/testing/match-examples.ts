import { DAY_MS } from '@tollgate/contract'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import type { Candidate, CandidateSearch } from '../reconciliation/candidate.ts'
import type { LedgerProgress } from '../reconciliation/ledger-progress.ts'
import { matchRows, type MatchRules, type MatchVerdict } from '../reconciliation/match.ts'
import { matchConditions } from '../reconciliation/match-conditions.ts'
import { matchLadder } from '../reconciliation/match-ladder.ts'
import { tieBreaks } from '../reconciliation/match-tie-breaks.ts'

/** The time of the example. */
export const AT_MS = Date.parse('2026-11-20T12:00:00Z')
/** An id of 32 characters. */
export const id = (name: string): string => name.padStart(32, '0')

/** The only transaction of most examples; its id ends in a. */
export const payment: Candidate = {
  id: id('a'),
  rootId: id('a'),
  clearingMerchantId: 'M-1',
  type: 'DB',
  amountMinor: 9200,
  currency: 'EUR',
  createdAtMs: AT_MS,
  isReversed: false,
  matchedKinds: [],
}

/** The row that settles it, without references. */
export const exampleRow: SettlementRow = {
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: 'M-1',
  amountMinor: 9200,
  currency: 'EUR',
  settlementAmountMinor: 9200,
  settlementCurrency: 'EUR',
  presentedAtMs: AT_MS,
  settledOn: '2026-11-21',
  status: 'SUCCESS',
  line: 1,
}

/** What a storage finds: the transactions with the key under the name, or of the period. */
export const isFound = (search: CandidateSearch, candidate: Candidate): boolean => {
  if (search.clearingMerchantId !== candidate.clearingMerchantId) return false
  if (search.by === 'time') return candidate.createdAtMs >= search.fromMs && candidate.createdAtMs < search.untilMs
  const key = candidate[search.by]
  return key?.toUpperCase().replace(/^0+/, '') === search.key.toUpperCase().replace(/^0+/, '')
}

export const rules: MatchRules = { ladder: matchLadder, conditions: matchConditions, tieBreaks }

/** A ledger that has all transactions. */
export const completeLedger: LedgerProgress = { completeToMs: AT_MS + 40 * DAY_MS, receivedAtMs: AT_MS + DAY_MS }

/** Matches rows with what `find` returns for each search; without it, with what a storage finds. */
export function verdictsOf(
  rows: readonly SettlementRow[],
  candidates: readonly Candidate[],
  { with: table = rules, find = isFound, timeZone = 'UTC', progress = completeLedger } = {},
): readonly MatchVerdict[] {
  const matching = matchRows(
    rows.map((row) => ({ row, timeZone })),
    progress,
    table,
  )
  let next = matching.next()
  while (next.done !== true) {
    const found = next.value.map((search) => candidates.filter((candidate) => find(search, candidate)))
    next = matching.next(found)
  }
  return next.value
}

/** The verdict of one row, as a text: `a by <rule>`, `a c` or the reason. */
export const verdictOf = (
  row: Partial<SettlementRow>,
  candidates: readonly Partial<Candidate>[],
  options = {},
): string => {
  const [verdict] = verdictsOf(
    [{ ...exampleRow, ...row }],
    candidates.map((candidate) => ({ ...payment, ...candidate })),
    options,
  )
  if (verdict?.status === 'NOT_MATCHED') return verdict.reason
  if (verdict?.status === 'MULTIPLE_MATCHES') return verdict.ids.map((each) => each.replace(/^0+/, '')).join(' ')
  return `${verdict?.id?.replace(/^0+/, '')} by ${verdict?.step}`
}

/** A reference, of a row or a transaction. */
export const arn = { connectorTxId1: 'ARN1' }
/** A chargeback with that reference. */
export const dispute: Partial<SettlementRow> = { ...arn, kind: 'CHARGEBACK', cashflow: 'NEG', reason: '10.4' }
