import { limits } from '../limits.ts'
import { type Candidate, isSameReference, type MatchSubject } from './candidate.ts'

/** A rule that selects some of the transactions to which a row may refer. It is ignored if it selects none. */
export interface TieBreak {
  readonly name: string
  readonly select: (subject: MatchSubject, candidates: readonly Candidate[]) => readonly Candidate[]
}

/** The rules for a row that fits several transactions, in their order (domain notes, 4.5). */
export const tieBreaks: readonly TieBreak[] = [
  {
    name: 'same terminal',
    select: ({ row }, candidates) => candidates.filter(({ terminalId }) => isSameReference(row.terminalId, terminalId)),
  },
  {
    name: 'exact amount',
    select: ({ row }, candidates) =>
      candidates.filter(({ amountMinor, currency }) => row.amountMinor === amountMinor && row.currency === currency),
  },
  { name: 'nearest time', select: nearestInTime },
]

/** "Nearest time if gap > 60 s to the next": none if the file states no time, or two transactions are about as near. */
function nearestInTime(
  { row: { presentedAtMs } }: MatchSubject,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (presentedAtMs === undefined) return []
  const distanceMs = ({ createdAtMs }: Candidate): number => Math.abs(createdAtMs - presentedAtMs)
  const [nearest, next] = candidates.toSorted((one, other) => distanceMs(one) - distanceMs(other))
  if (!nearest) return []
  const gapMs = next ? distanceMs(next) - distanceMs(nearest) : Number.POSITIVE_INFINITY
  return gapMs > limits.nearestTransactionMs ? [nearest] : []
}
