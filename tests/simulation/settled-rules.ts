import { rowIn } from '@tollgate/operations'
import type { MemoryDisk, PostingRow, SettlementRowRow } from '@tollgate/storage'
import { fail } from './violation.ts'

// The invariants of settled rows, written without the rules of the product. They hold after every commit.

/** The parts of a disk that the invariants read. */
export type SettledDisk = Pick<MemoryDisk, 'settlement_row' | 'posting'>

/** What a kind of entries adds to the balance of an account. */
const signs: Readonly<Record<'bank' | 'suspense' | 'fee', Readonly<Record<string, 1 | -1>>>> = {
  bank: {
    settledSale: 1,
    settledSaleReversal: -1,
    settledRefund: -1,
    settledRefundReturn: 1,
    settledChargeback: -1,
    settledChargebackReversal: 1,
    acquirerFee: -1,
    acquirerFeeReturn: 1,
    unmatchedCredit: 1,
    unmatchedDebit: -1,
    currencySold: -1,
    currencyBought: 1,
    exchangeLoss: -1,
    exchangeGain: 1,
  },
  suspense: { unmatchedCredit: 1, unmatchedDebit: -1 },
  fee: { acquirerFee: 1, acquirerFeeReturn: -1 },
}

/**
 * Of each merchant, acquirer and currency, the bank has what its rows state less the fees, the suspense account has the
 * rows without a match, and the fees are those of its rows: each row counts once, as it is matched at present.
 */
export function checkSettledRows({ settlement_row: rows, posting }: SettledDisk): void {
  const expected = new Map<string, number>()
  for (const row of rows.values()) if (row.acquirer !== null) addRow(expected, row)
  const posted = new Map<string, number>()
  for (const entry of posting.values()) if (entry.transaction_id.startsWith('settlement/')) addEntry(posted, entry)
  for (const key of new Set([...expected.keys(), ...posted.keys()]))
    if ((expected.get(key) ?? 0) !== (posted.get(key) ?? 0))
      fail(`the settled rows have ${expected.get(key) ?? 0} of ${key}, and the ledger has ${posted.get(key) ?? 0}`)
}

function addRow(sums: Map<string, number>, stored: SettlementRowRow): void {
  const { merchant, acquirer, status } = stored
  const { kind, cashflow, settlementAmountMinor, settlementCurrency, feeMinor = 0, status: result } = rowIn(stored)
  if (result === 'FAILED') return
  const key = `${merchant} ${acquirer} ${settlementCurrency}`
  const amount = cashflow === 'POS' ? settlementAmountMinor : -settlementAmountMinor
  add(sums, `bank ${key}`, amount - feeMinor)
  add(sums, `fee ${key}`, kind === 'FEE' ? feeMinor - amount : feeMinor)
  if (status !== 'MATCHED') add(sums, `suspense ${key}`, amount)
}

function addEntry(sums: Map<string, number>, entry: PostingRow): void {
  for (const [account, signOf] of Object.entries(signs)) {
    const sign = signOf[entry.kind] ?? 0
    if (sign !== 0)
      add(sums, `${account} ${entry.merchant} ${entry.acquirer} ${entry.currency}`, sign * entry.amount_minor)
  }
}

const add = (sums: Map<string, number>, key: string, minor: number) => sums.set(key, (sums.get(key) ?? 0) + minor)
