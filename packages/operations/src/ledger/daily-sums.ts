import { isResultCode, resultCodes } from '@tollgate/contract'
import { isPaymentType } from '@tollgate/domain'
import type { LedgerDayRow, PostingRow, TransactionDayRow, TransactionRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { optional, storedReader } from '../records/stored-json.ts'
import type { AcquirerFacts } from './acquirer-facts.ts'
import { dayOf } from './days.ts'

/** Adds rows with the same key, so that a unit has one row for each key. */
export function sumRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  add: (sum: Row, row: Row) => Row,
): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sums.get(key)
    sums.set(key, sum ? add(sum, row) : row)
  }
  return [...sums.values()]
}

/** The daily sums of entries of the ledger. */
export const ledgerDays = (postings: readonly PostingRow[]): readonly LedgerDayRow[] =>
  sumRows(
    postings.map(({ merchant, day, acquirer, currency, kind, amount_minor, fee_minor }) => ({
      merchant,
      day,
      acquirer,
      currency,
      kind,
      postings: 1,
      amount_minor,
      fee_minor,
    })),
    ({ merchant, day, acquirer, currency, kind }) => `${merchant} ${day} ${acquirer} ${currency} ${kind}`,
    (sum, row) => ({
      ...sum,
      postings: sum.postings + row.postings,
      amount_minor: sum.amount_minor + row.amount_minor,
      fee_minor: sum.fee_minor + row.fee_minor,
    }),
  )

/** The daily sums of the decided payment transactions among rows. */
export const transactionDays = (rows: readonly TransactionRow[], facts: AcquirerFacts): TransactionDayRow[] =>
  sumRows(
    rows.flatMap((row) => {
      const outcome = outcomeOf(row)
      return outcome === undefined || !isPaymentType(row.type) ? [] : [dayRow(row, outcome, facts)]
    }),
    keyOf,
    (sum, { transactions, amount_minor: amountMinor }) => ({
      ...sum,
      transactions: sum.transactions + transactions,
      amount_minor: sum.amount_minor + amountMinor,
    }),
  )

/** `ACK`, or the group of the result of a declined transaction; undefined while it is undecided. */
function outcomeOf({ status, result_code: code }: TransactionRow): string | undefined {
  if (status === 'ACK') return status
  return status === 'NOK' && isResultCode(code) ? resultCodes[code].group : undefined
}

const dayRow = (row: TransactionRow, outcome: string, facts: AcquirerFacts): TransactionDayRow => ({
  merchant: row.merchant,
  day: dayOf(row.created_at_ms),
  channel: row.channel,
  type: row.type,
  method: row.method ?? '',
  brand: row.brand ?? '',
  currency: row.currency ?? '',
  acquirer: facts.nameOf(row),
  country: countryOf(row),
  outcome,
  transactions: 1,
  amount_minor: row.amount_minor ?? 0,
})

const keyOf = (row: TransactionDayRow): string =>
  `${row.merchant} ${row.day} ${row.channel} ${row.type} ${row.method} ${row.brand} ${row.currency} ${row.acquirer} ` +
  `${row.country} ${row.outcome}`

/** A key in JSON: the quotes within a text are escaped. A text with a brace is left to the parser. */
const COUNTRY = /"billing":\{[^{}]*?"country":"([^"\\{}]*)"/

const readBilling = storedReader(Type.Object({ billing: optional(Type.Object({ country: optional(Type.String()) })) }))

/** The country of the billing address; '' if none was sent, as with follow-ups. */
function countryOf({ echo }: TransactionRow): string {
  if (!echo.includes('"billing":')) return ''
  // The merchant's own address, `merchant.billing`, has the same names.
  const country = echo.includes('"merchant":') ? undefined : COUNTRY.exec(echo)?.[1]
  return country ?? readBilling(echo).billing?.country ?? ''
}
