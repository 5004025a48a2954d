import { currencies } from '@tollgate/contract'
import type { PostingRow } from '@tollgate/storage'
import { feeCurrencies, type Installation } from './installation.ts'
import type { ExpectedRow } from './spoil.ts'
import type { Dispute, Happened, Transaction } from './transactions.ts'

// The values that follow from what happened, written without the rules of the product.

/** An amount as files have it, with two decimals. */
const decimal = (minor: number, currency: string): string => {
  const exponent = exponentOf(currency)
  return (minor / 10 ** exponent).toFixed(2)
}

/** The minor units of a decimal amount. */
export const minorOf = (amount: string, currency: string): number =>
  Math.round(Number(amount) * 10 ** exponentOf(currency))

const exponentOf = (currency: string): number =>
  Object.entries(currencies).find(([code]) => code === currency)?.[1].exponent ?? 2

/** Adds texts, as a map of counts. */
export function countsOf(texts: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** 1.25 %, rounded half up. */
const percentOf = (minor: number): number => Math.floor((minor * 125 + 5_000) / 10_000)

/** The fee of a charge or refund by the plan of the first merchant, in cents or other minor units. */
function feeMinorOf({ merchant, type, amountMinor, currency }: Transaction): number {
  if (merchant !== 0) return 0
  const hasFixedFees = feeCurrencies.includes(currency)
  if (type === 'RF' || type === 'CD') return hasFixedFees ? 30 : 0
  return hasFixedFees ? Math.max(percentOf(amountMinor) + 10, 25) : percentOf(amountMinor)
}

const kinds: Readonly<Record<string, string>> = {
  PA: 'hold',
  DB: 'charge',
  RB: 'charge',
  CP: 'capture',
  RF: 'refund',
  CD: 'refund',
}

function kindOf({ type, referenced }: Transaction): string {
  if (type !== 'RV') return kinds[type] ?? type
  if (referenced?.type === 'PA') return 'release'
  return referenced?.type === 'CP' ? 'captureReversal' : 'chargeReversal'
}

/** The sums of entries by merchant, acquirer, currency and kind: count, amount and fee in minor units. */
export type Sums = ReadonlyMap<string, readonly [count: number, amountMinor: number, feeMinor: number]>

function sumsOf(entries: Iterable<readonly [key: string, amountMinor: number, feeMinor: number]>): Sums {
  const sums = new Map<string, readonly [number, number, number]>()
  for (const [key, amountMinor, feeMinor] of entries) {
    const [count, amount, fee] = sums.get(key) ?? [0, 0, 0]
    sums.set(key, [count + 1, amount + amountMinor, fee + feeMinor])
  }
  return new Map([...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const hasFee: ReadonlySet<string> = new Set(['charge', 'capture', 'refund'])

/** The sums of the ledger that the approved transactions and the recorded disputes must have. */
export function expectedSums({ transactions, disputes }: Happened, { merchants }: Installation): Sums {
  const keyOf = ({ merchant, acquirer, currency }: Transaction, kind: string): string =>
    `${merchants[merchant]?.id} ${acquirer.name} ${currency} ${kind}`
  const approved = transactions.filter(({ status }) => status === 'approved')
  const entryOf = (each: Transaction): [string, number, number] => {
    const kind = kindOf(each)
    return [keyOf(each, kind), each.amountMinor, hasFee.has(kind) ? feeMinorOf(each) : 0]
  }
  const disputeOf = ({ of, stage, amountMinor }: Dispute): [string, number, number] => [
    keyOf(of, stage === 'CHARGEBACK' ? 'chargeback' : 'chargebackReversal'),
    amountMinor,
    0,
  ]
  return sumsOf([...approved.map(entryOf), ...disputes.filter(({ isRecordable }) => isRecordable).map(disputeOf)])
}

const further = ['release', 'captureReversal', 'chargeReversal', 'chargeback', 'chargebackReversal']
const known: ReadonlySet<string> = new Set([...Object.values(kinds), ...further])

/** The sums of the stored entries of transactions, without the ends of holds that nothing has captured. */
export const storedSums = (postings: readonly PostingRow[]): Sums =>
  sumsOf(
    postings
      .filter(({ kind }) => known.has(kind))
      .map((row) => [`${row.merchant} ${row.acquirer} ${row.currency} ${row.kind}`, row.amount_minor, row.fee_minor]),
  )

/** The line of the reconciliation file of a row, by the columns that are compared. */
export function expectedLine({ row, expected, means }: ExpectedRow): string {
  const { kind, type, cashflow, amountMinor, currency, settlementAmountMinor, settlementCurrency, feeMinor } = row
  const id = row.kind === 'FEE' || expected.status === 'NOT_MATCHED' ? '' : (means?.id ?? '')
  return [
    kind,
    type,
    cashflow,
    id,
    decimal(amountMinor, currency),
    currency,
    decimal(settlementAmountMinor, settlementCurrency),
    settlementCurrency,
    feeMinor === undefined ? '' : decimal(feeMinor, settlementCurrency),
    row.status,
    expected.status,
    expected.status === 'MATCHED' ? id : '',
  ].join(' ')
}

/** The columns of `expectedLine`. */
export const comparedColumns = [
  'ReconciliationType',
  'PaymentType',
  'Cashflow',
  'UniqueID',
  'Amount',
  'Currency',
  'SettlementAmount',
  'SettlementCurrency',
  'SettlementFee',
  'SettlementStatus',
  'MatchingStatus',
  'MatchedTransactions',
]
