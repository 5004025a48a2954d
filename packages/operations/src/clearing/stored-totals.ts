import type { BatchTotals } from '@tollgate/domain'
import { Type } from 'typebox'
import { optional, storedReader } from '../records/stored-json.ts'

/** The totals of a batch in one currency. */
export interface CurrencyTotals {
  readonly own: BatchTotals
  /** Whether the acquirer has the same totals. */
  readonly agreed?: true | undefined
  /** The last totals of the acquirer, if they differ. */
  readonly acquirer?: BatchTotals | undefined
}

const total = Type.Object({ count: Type.Integer(), amountMinor: Type.Integer() })
const batchTotals = Type.Object({ credits: total, creditReversals: total, debits: total, debitReversals: total })
const stored = storedReader(
  Type.Record(
    Type.String(),
    Type.Object({ own: batchTotals, agreed: optional(Type.Literal(true)), acquirer: optional(batchTotals) }),
  ),
)

/** The totals of a stored batch by currency. */
export const readTotals = (text: string): (readonly [currency: string, totals: CurrencyTotals])[] =>
  Object.entries(stored(text))

export const writeTotals = (totals: readonly (readonly [currency: string, totals: CurrencyTotals])[]): string =>
  JSON.stringify(Object.fromEntries(totals))
