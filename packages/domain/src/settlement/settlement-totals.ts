import type { SettledType, SettlementKind, SettlementRow } from './settlement-row.ts'

/** The sums of the rows of one kind, type, direction and status. Amounts are in minor units of one currency. */
export interface SettlementSum extends Pick<SettlementRow, 'kind' | 'type' | 'cashflow' | 'status'> {
  readonly records: number
  readonly amountMinor: number
  readonly feeMinor: number
}

/** What a report of settlements adds up, and the usual direction of its rows: a row in the other one is deducted. */
export const settlementCategories = {
  sales: 'POS',
  payouts: 'NEG',
  refunds: 'NEG',
  chargebacks: 'NEG',
  chargebackReversals: 'POS',
  fees: 'NEG',
} as const satisfies Readonly<Record<string, SettlementRow['cashflow']>>

export type SettlementCategory = keyof typeof settlementCategories

const categoryOf: Readonly<Record<SettlementKind, (type: SettledType) => SettlementCategory>> = {
  SETTLED: (type) => (type === 'REFUND' ? 'refunds' : type === 'CREDIT' ? 'payouts' : 'sales'),
  CHARGEBACK: () => 'chargebacks',
  'CHARGEBACK REVERSAL': () => 'chargebackReversals',
  FEE: () => 'fees',
}

export interface CategoryTotal {
  readonly count: number
  readonly amountMinor: number
}

/** The totals of a settlement. Amounts are in minor units of its currency and may be negative. */
export interface SettlementTotals {
  /** All rows, with those that failed. */
  readonly records: number
  readonly categories: Readonly<Record<SettlementCategory, CategoryTotal>>
  /** The fees that are stated in the rows of transactions. */
  readonly transactionFeesMinor: number
  /** The rows with status FAILED: they move no money, and are in no other total than `records`. */
  readonly failed: number
  /** What the institute pays: the amounts that the merchant receives less those that they pay, and less all fees. */
  readonly netMinor: number
}

const NONE: CategoryTotal = { count: 0, amountMinor: 0 }

/** Adds up the sums of one settlement. */
export function settlementTotals(sums: readonly SettlementSum[]): SettlementTotals {
  const categories: Record<SettlementCategory, CategoryTotal> = {
    sales: NONE,
    payouts: NONE,
    refunds: NONE,
    chargebacks: NONE,
    chargebackReversals: NONE,
    fees: NONE,
  }
  let [records, failed, transactionFeesMinor, netMinor] = [0, 0, 0, 0]
  for (const { kind, type, cashflow, status, records: count, amountMinor, feeMinor } of sums) {
    records += count
    if (status === 'FAILED') {
      failed += count
      continue
    }
    const category = categoryOf[kind](type)
    const total = categories[category]
    const signedMinor = cashflow === settlementCategories[category] ? amountMinor : -amountMinor
    categories[category] = { count: total.count + count, amountMinor: total.amountMinor + signedMinor }
    transactionFeesMinor += feeMinor
    netMinor += (cashflow === 'POS' ? amountMinor : -amountMinor) - feeMinor
  }
  return { records, categories, transactionFeesMinor, failed, netMinor }
}
