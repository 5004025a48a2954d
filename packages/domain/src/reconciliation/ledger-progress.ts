import { limits } from '../limits.ts'
import type { CandidateSearch } from './candidate.ts'

/** The progress of the ledger when the rows of a file are matched. Times are epoch milliseconds. */
export interface LedgerProgress {
  /** The time up to which all transactions are in the ledger, except those that are undecided. */
  readonly completeToMs: number
  /** When the file was received. It contains no transaction that was made later, or shortly before. */
  readonly receivedAtMs: number
}

/** Whether the ledger has all transactions of the days of a search that the file can contain. */
export const isCompleteFor = (search: CandidateSearch, { completeToMs, receivedAtMs }: LedgerProgress): boolean =>
  search.by !== 'time' || Math.min(search.untilMs, receivedAtMs - limits.settledAfterMs) <= completeToMs
