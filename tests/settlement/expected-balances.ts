import { minorOf } from './expectations.ts'
import type { Sums } from './expectations.ts'
import type { ExpectedRow } from './spoil.ts'

// The balances that follow from the entries of payments and from the rows of settlement files: what is owed, what the
// bank received, and what is unexplained. Written without the tables of the product.

/** Balances by account and currency: debits less credits, in minor units. Accounts of the merchant are one. */
export type Balances = ReadonlyMap<string, number>

/** The accounts of a merchant: pending, available, reserved and on the way to the bank. */
const merchantAccounts: ReadonlySet<string> = new Set([
  'merchantPending',
  'merchantAvailable',
  'merchantReserve',
  'payoutTransit',
])

/** Gains of a merchant, which its acquirer owes, by kind of entry. */
const gains: Readonly<Record<string, 1 | -1>> = {
  charge: 1,
  capture: 1,
  chargeReversal: -1,
  captureReversal: -1,
  chargeback: -1,
  chargebackReversal: 1,
}

class Sum {
  readonly #sums = new Map<string, number>()

  add(account: string, currency: string, minor: number): void {
    const key = `${account} ${currency}`
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + minor)
  }

  /** The sums other than zero. */
  result(): Balances {
    return new Map(
      [...this.#sums].filter(([, minor]) => minor !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
  }
}

/** The balances after payments, whose entries have these sums, and after the rows of all files. */
export function expectedBalances(sums: Sums, rows: readonly ExpectedRow[]): Balances {
  const balances = new Sum()
  for (const [key, [, amountMinor, feeMinor]] of sums) {
    const [, , currency = '', kind = ''] = key.split(' ')
    const gainMinor = (gains[kind] ?? 0) * amountMinor
    const refundMinor = kind === 'refund' ? amountMinor : 0
    balances.add('acquirerReceivable', currency, gainMinor)
    balances.add('refundTransit', currency, -refundMinor)
    balances.add('feeIncome', currency, -feeMinor)
    balances.add('merchant', currency, refundMinor + feeMinor - gainMinor)
  }
  for (const { row, expected } of rows.filter(isPosted)) {
    const { kind, type, cashflow, amountMinor, currency, settlementAmountMinor, settlementCurrency, feeMinor = 0 } = row
    const sign = cashflow === 'POS' ? 1 : -1
    balances.add('bank', settlementCurrency, sign * settlementAmountMinor - feeMinor)
    balances.add('acquirerFee', settlementCurrency, feeMinor)
    if (kind === 'FEE') balances.add('acquirerFee', settlementCurrency, -sign * settlementAmountMinor)
    else if (expected.status !== 'MATCHED')
      balances.add('suspenseUnmatched', settlementCurrency, -sign * settlementAmountMinor)
    else balances.add(type === 'DEBIT' ? 'acquirerReceivable' : 'refundTransit', currency, -sign * amountMinor)
  }
  return balances.result()
}

/** A settlement that failed moves nothing. */
const isPosted = ({ row: { status } }: ExpectedRow): boolean => status === 'SUCCESS'

/** A balance as the management API states it. */
export interface StatedBalance {
  readonly account: string
  readonly currency: string
  readonly debitsLessCredits: string
}

/** Accounts that a conversion moves, and those of holds. */
const others: ReadonlySet<string> = new Set(['fxClearing', 'fxDifference', 'authorisationHold', 'authorisationContra'])

/** The stated balances of the accounts that are expected. */
export function statedBalances(stated: readonly StatedBalance[]): Balances {
  const balances = new Sum()
  for (const { account, currency, debitsLessCredits } of stated) {
    if (others.has(account)) continue
    balances.add(merchantAccounts.has(account) ? 'merchant' : account, currency, minorOf(debitsLessCredits, currency))
  }
  return balances.result()
}

/** The sums of all accounts by currency, other than zero: none, because debits and credits are equal. */
export function imbalances(stated: readonly StatedBalance[]): Balances {
  const sums = new Sum()
  for (const { currency, debitsLessCredits } of stated) sums.add('all', currency, minorOf(debitsLessCredits, currency))
  return sums.result()
}
