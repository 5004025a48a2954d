import { type CurrencyCode, isCurrency } from '@tollgate/contract'
import { invariant } from '../guard.ts'
import type { PostingKindName } from '../ledger/posting-kinds.ts'
import type { PaymentType } from '../payment/transaction.ts'
import type { SettlementKind, SettlementRow } from '../settlement/settlement-row.ts'
import { convertedMinor, isWithinTolerance, type Money, proportionalMinor } from './converted-amount.ts'

/** The transaction with which a row is matched; of a chargeback or its reversal, the disputed transaction. */
export interface SettledTransaction extends Money {
  readonly type: PaymentType
}

/** An entry of the ledger that follows from a row of a settlement file. Its amount is in minor units. */
export interface SettledPosting {
  readonly kind: PostingKindName
  readonly currency: CurrencyCode
  readonly amountMinor: number
}

/**
 * The entries of a row as it is matched at present. Their movements of the account `bank` add up to the settlement
 * amount of the row, with its sign, less the fee of the institute.
 *
 * @param transaction undefined: the row is matched with none. Its amount is then in suspense
 */
export function settledPostingsOf(
  row: SettlementRow,
  transaction: SettledTransaction | undefined,
): readonly SettledPosting[] {
  if (row.status === 'FAILED') return []
  const settled = settlementMoney(row)
  const isCredit = row.cashflow === 'POS'
  const postings: SettledPosting[] = []
  const post = (kind: PostingKindName, { minor, currency }: Money) => {
    if (minor !== 0) postings.push({ kind, currency, amountMinor: minor })
  }
  if (row.kind === 'FEE') post(isCredit ? 'acquirerFeeReturn' : 'acquirerFee', settled)
  else if (!transaction) post(isCredit ? 'unmatchedCredit' : 'unmatchedDebit', settled)
  else postMatched(post, row, row.kind, transaction)
  post('acquirerFee', { minor: row.feeMinor ?? 0, currency: settled.currency })
  return postings
}

/**
 * What a row changes on the account `bank`, in minor units of its settlement currency: the sum of the movements of its
 * entries, whatever it is matched with.
 */
export function bankMinorOf({ status, cashflow, settlementAmountMinor, feeMinor = 0 }: SettlementRow): number {
  if (status === 'FAILED') return 0
  return (cashflow === 'POS' ? settlementAmountMinor : -settlementAmountMinor) - feeMinor
}

type MatchableKind = Exclude<SettlementKind, 'FEE'>

/** The entries of a matched row: its transaction is settled in its own currency, and converted into that of the row. */
function postMatched(
  post: (kind: PostingKindName, money: Money) => void,
  row: SettlementRow,
  kind: MatchableKind,
  transaction: SettledTransaction,
): void {
  const isCredit = row.cashflow === 'POS'
  const settled = settlementMoney(row)
  const own = settledPart(row, transaction)
  const expectedMinor = expectedSettlementOf(own, row)
  const side = transaction.type === 'RF' || transaction.type === 'CD' ? 'refund' : 'sale'
  post(settledKinds[kind][side][row.cashflow], own)
  if (own.currency !== settled.currency) {
    post(isCredit ? 'currencySold' : 'currencyBought', own)
    post(isCredit ? 'currencyBought' : 'currencySold', { minor: expectedMinor, currency: settled.currency })
  }
  const lossMinor = isCredit ? expectedMinor - settled.minor : settled.minor - expectedMinor
  post(lossMinor > 0 ? 'exchangeLoss' : 'exchangeGain', { minor: Math.abs(lossMinor), currency: settled.currency })
}

/** The kinds of entries that settle transactions: sales are owed by the acquirer, refunds to it. */
const disputeKinds = {
  sale: { POS: 'settledChargebackReversal', NEG: 'settledChargeback' },
  refund: { POS: 'settledRefundReturn', NEG: 'settledRefund' },
} as const
const settledKinds: Readonly<
  Record<
    MatchableKind,
    Readonly<Record<'sale' | 'refund', Readonly<Record<SettlementRow['cashflow'], PostingKindName>>>>
  >
> = {
  SETTLED: {
    sale: { POS: 'settledSale', NEG: 'settledSaleReversal' },
    refund: { POS: 'settledRefundReturn', NEG: 'settledRefund' },
  },
  CHARGEBACK: disputeKinds,
  'CHARGEBACK REVERSAL': disputeKinds,
}

/**
 * The amount that a row settles of its transaction, in the currency of the transaction. A row that states it in another
 * currency settles all of the transaction, or the part that corresponds to the settlement amount at the stated rate.
 */
export function settledPart(row: SettlementRow, { minor, currency }: SettledTransaction): Money {
  if (row.currency === currency) return { minor: row.amountMinor, currency }
  const wholeMinor = convertedTo({ minor, currency }, row)
  const isWhole = isWithinTolerance(row.settlementAmountMinor, wholeMinor)
  return { minor: isWhole ? minor : proportionalMinor(minor, row.settlementAmountMinor, wholeMinor), currency }
}

/**
 * The settlement amount that is expected for an amount. A rate that is far from the ratio of the amounts, such as one
 * of few decimals, is not the rate of the conversion: the settlement amount is then the expected one.
 */
function expectedSettlementOf(money: Money, row: SettlementRow): number {
  const minor = convertedTo(money, row)
  const isRate = money.currency === row.settlementCurrency || isWithinTolerance(row.settlementAmountMinor, minor)
  return isRate ? minor : row.settlementAmountMinor
}

/** An amount in the currency of settlement: at the stated rate or, without one, the settlement amount. */
function convertedTo(money: Money, row: SettlementRow): number {
  const { minor, currency } = settlementMoney(row)
  if (money.currency === currency) return money.minor
  return (row.fxRate === undefined ? undefined : convertedMinor(money, row.fxRate, currency)) ?? minor
}

function settlementMoney({ settlementAmountMinor, settlementCurrency }: SettlementRow): Money {
  invariant(isCurrency(settlementCurrency), 'a settlement row has currencies of ISO 4217')
  return { minor: settlementAmountMinor, currency: settlementCurrency }
}
