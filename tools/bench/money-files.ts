import { DAY_MS } from '@tollgate/contract'
import { type FileContent, writeSettlementFile } from '@tollgate/settlement-files'
import { hostReference, type Model, storedAtMs, type StoredTimes } from './store-payments.ts'
import type { MerchantAccess } from './workload.ts'

/** Payments of some years, as `storePayments` stores them. */
export interface StoredYear {
  readonly models: readonly Model[]
  readonly count: number
  readonly times: StoredTimes
}

/** A year of payments of one merchant, and the merchants that pay while the gateway works on it. */
export interface MoneyYear extends StoredYear {
  readonly data: string
  readonly settings: Readonly<Record<string, string>>
  readonly merchants: readonly MerchantAccess[]
  /** The number of the first payment of the year; earlier ones are settled during the loads. */
  readonly firstNumber: number
  readonly merchant: string
}

type Row = FileContent['rows'][number]

/** The card acceptor of the profile of the test host. */
const CLEARING_MERCHANT = 'TOLLGATE0000001'

/** The number of payments of days that follow each other, rounded down. */
export const paymentsIn = (days: number, { times }: Pick<StoredYear, 'times'>): number =>
  Math.floor((days * DAY_MS) / times.spacingMs)

/** The day of settlement of the payments with these numbers: the day after the last of them, yyyy-MM-dd. */
export const settledOn = (year: StoredYear, lastNumber: number): string =>
  new Date(storedAtMs(lastNumber, year.count, year.times) + DAY_MS).toISOString().slice(0, 10)

/** The settlement file of the payments with numbers from `first` to below `end`. */
export function settlementFile(year: StoredYear, first: number, end: number): Buffer {
  const day = settledOn(year, end - 1)
  const facts = {
    institute: 'Tollgate test host',
    fileId: `F${first}`,
    sequence: first + 1,
    createdOn: day,
    settledOn: day,
    zone: 'UTC',
  }
  const rows = Array.from({ length: end - first }, (_, index) => rowOf(year, first + index, day))
  return Buffer.concat([...writeSettlementFile('tollgate-csv', facts, { rows })])
}

function rowOf({ models, count, times }: StoredYear, number: number, day: string): Row {
  const model = models[number % models.length]
  if (!model) throw new Error('there are no payments to settle')
  const { amount_minor: amountMinor, currency, brand, merchant_transaction_id: reference } = model.transaction
  const { bin, last4, holder } = model.account
  return {
    kind: 'SETTLED',
    type: 'DEBIT',
    cashflow: 'POS',
    clearingMerchantId: CLEARING_MERCHANT,
    settlementId: `S${day}`,
    merchantTransactionId: reference ?? undefined,
    connectorTxId1: hostReference(number),
    amountMinor: amountMinor ?? 0,
    currency: currency ?? 'EUR',
    settlementAmountMinor: amountMinor ?? 0,
    settlementCurrency: currency ?? 'EUR',
    feeMinor: Math.floor((amountMinor ?? 0) / 80),
    presentedAtMs: storedAtMs(number, count, times),
    settledOn: day,
    status: 'SUCCESS',
    brand: brand ?? undefined,
    bin: bin ?? undefined,
    last4: last4 ?? undefined,
    holder: holder ?? undefined,
    line: 0,
  }
}
