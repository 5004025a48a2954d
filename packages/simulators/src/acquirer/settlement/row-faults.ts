import type { SettlementRow } from '@tollgate/domain'
import { settlementOf } from './settlement-rows.ts'

/** The rows of the days for which a file with a fault is written. */
interface RowsOfDay {
  readonly businessDay: string
  readonly rows: readonly SettlementRow[]
  /** The rows of the day before. */
  readonly earlier: readonly SettlementRow[]
}

interface FileFault {
  readonly effect: string
  /** The rows of the file. */
  readonly change: (rowsOfDay: RowsOfDay) => readonly SettlementRow[]
}

const isSettled = ({ kind }: SettlementRow): boolean => kind === 'SETTLED'

/** The rows with others instead of the first settled one. */
const replaceFirst = (
  rows: readonly SettlementRow[],
  replace: (first: SettlementRow) => readonly SettlementRow[],
): readonly SettlementRow[] => {
  const index = rows.findIndex(isSettled)
  return rows.flatMap((row, at) => (at === index ? replace(row) : [row]))
}

const withHigherAmount = (row: SettlementRow): SettlementRow => ({
  ...row,
  amountMinor: row.amountMinor + 1,
  settlementAmountMinor: row.settlementAmountMinor + 1,
})

/** A row of a transaction that no gateway has. */
const unknownOf = (row: SettlementRow): SettlementRow => ({
  ...row,
  connectorTxId1: '999999999999',
  connectorTxId2: undefined,
  connectorTxId3: '999999',
  approvalCode: '999999',
  networkTransactionId: '999999999999999',
})

/** The first row of the day before, as a row of this day's settlement. */
const lateRowsOf = ({ businessDay, earlier }: RowsOfDay): readonly SettlementRow[] =>
  earlier
    .filter(isSettled)
    .slice(0, 1)
    .map((row) => ({ ...row, ...settlementOf(row.clearingMerchantId, businessDay) }))

/** The faults of settlement files, which requests select. Those of rows are about the first settled row of a file. */
export const fileFaults = {
  lateRow: {
    effect: 'the row is in the file of the next day',
    change: (day) => [...lateRowsOf(day), ...replaceFirst(day.rows, () => [])],
  },
  repeatedRow: {
    effect: 'the row is in the file twice',
    change: ({ rows }) => replaceFirst(rows, (row) => [row, row]),
  },
  wrongAmount: {
    effect: 'the amounts of the row are higher by one',
    change: ({ rows }) => replaceFirst(rows, (row) => [withHigherAmount(row)]),
  },
  unknownRow: {
    effect: 'a row with references that no gateway has follows the row',
    change: ({ rows }) => replaceFirst(rows, (row) => [row, unknownOf(row)]),
  },
  missingRow: {
    effect: 'the row is not in the file',
    change: ({ rows }) => replaceFirst(rows, () => []),
  },
  truncated: { effect: 'the file ends after half of its bytes', change: ({ rows }) => rows },
} as const satisfies Readonly<Record<string, FileFault>>

export type FileFaultName = keyof typeof fileFaults

export const isFileFaultName = (name: string): name is FileFaultName => Object.hasOwn(fileFaults, name)
