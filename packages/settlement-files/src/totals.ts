import type { SettlementRow } from '@tollgate/domain'

/** The sum of the settlement amounts of rows with the same currency of settlement and the same direction. */
export interface Total {
  readonly currency: string
  readonly cashflow: SettlementRow['cashflow']
  readonly rowCount: number
  readonly amountMinor: number
}

/** Sums per currency and direction. */
export interface Totals {
  /** @returns false if the sum is no longer an exact number */
  add(row: Pick<SettlementRow, 'settlementCurrency' | 'cashflow' | 'settlementAmountMinor'>): boolean
  /** Sorted by currency, then direction. */
  list(): readonly Total[]
}

export function createTotals(): Totals {
  const totals = new Map<string, { -readonly [Key in keyof Total]: Total[Key] }>()
  return {
    add({ settlementCurrency: currency, cashflow, settlementAmountMinor }) {
      const key = currency + cashflow
      let total = totals.get(key)
      if (total === undefined) totals.set(key, (total = { currency, cashflow, rowCount: 0, amountMinor: 0 }))
      total.rowCount++
      total.amountMinor += settlementAmountMinor
      return Number.isSafeInteger(total.amountMinor)
    },
    list: () => sortTotals([...totals.values()].map((total) => ({ ...total }))),
  }
}

/** Sorts totals by currency, then direction. */
export function sortTotals(totals: readonly Total[]): readonly Total[] {
  const keyOf = ({ currency, cashflow }: Total): string => currency + cashflow
  return totals.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** Whether two sorted lists of totals are the same. */
export const areSameTotals = (one: readonly Total[], other: readonly Total[]): boolean =>
  one.length === other.length &&
  one.every((total, index) => {
    const same = other[index]
    return (
      same !== undefined &&
      total.currency === same.currency &&
      total.cashflow === same.cashflow &&
      total.rowCount === same.rowCount &&
      total.amountMinor === same.amountMinor
    )
  })
