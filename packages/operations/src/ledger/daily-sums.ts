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

/** A row of sums while rows are added to it: a copy for each of them takes as long as all else here. */
type Growing<Row> = { -readonly [Column in keyof Row]: Row[Column] }

/** The daily sums of entries of the ledger. */
export function ledgerDays(postings: readonly PostingRow[]): readonly LedgerDayRow[] {
  const sums = new Map<string, Growing<LedgerDayRow>>()
  for (const { merchant, day, acquirer, currency, kind, amount_minor, fee_minor } of postings) {
    const key = `${merchant} ${day} ${acquirer} ${currency} ${kind}`
    const sum = sums.get(key)
    if (sum) {
      sum.postings += 1
      sum.amount_minor += amount_minor
      sum.fee_minor += fee_minor
    } else sums.set(key, { merchant, day, acquirer, currency, kind, postings: 1, amount_minor, fee_minor })
  }
  return [...sums.values()]
}

/** The daily sums of the decided payment transactions among rows. */
export function transactionDays(rows: readonly TransactionRow[], facts: AcquirerFacts): readonly TransactionDayRow[] {
  const sums = new Map<string, Growing<TransactionDayRow>>()
  for (const row of rows) {
    const outcome = outcomeOf(row)
    if (outcome === undefined || !isPaymentType(row.type)) continue
    const day = dayOf(row.created_at_ms)
    const { merchant, channel, type, method, brand, currency } = row
    const [acquirer, country] = [facts.nameOf(row), countryOf(row)]
    const key =
      `${merchant} ${day} ${channel} ${type} ${method ?? ''} ${brand ?? ''} ${currency ?? ''} ${acquirer} ` +
      `${country} ${outcome}`
    const sum = sums.get(key)
    if (sum) {
      sum.transactions += 1
      sum.amount_minor += row.amount_minor ?? 0
    } else sums.set(key, dayRow(row, { day, acquirer, country, outcome }))
  }
  return [...sums.values()]
}

/** `ACK`, or the group of the result of a declined transaction; undefined while it is undecided. */
function outcomeOf({ status, result_code: code }: TransactionRow): string | undefined {
  if (status === 'ACK') return status
  return status === 'NOK' && isResultCode(code) ? resultCodes[code].group : undefined
}

type Traits = Pick<TransactionDayRow, 'day' | 'acquirer' | 'country' | 'outcome'>

const dayRow = (row: TransactionRow, { day, acquirer, country, outcome }: Traits): TransactionDayRow => ({
  merchant: row.merchant,
  day,
  channel: row.channel,
  type: row.type,
  method: row.method ?? '',
  brand: row.brand ?? '',
  currency: row.currency ?? '',
  acquirer,
  country,
  outcome,
  transactions: 1,
  amount_minor: row.amount_minor ?? 0,
})

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
