import type { BankEntry } from '@tollgate/settlement-files'
import { isPaymentType, type SettlementRow } from '@tollgate/domain'
import { listOf, type SettlementFileRow, type TransactionRow } from '@tollgate/storage'
import { clearingOf } from '../acquirer/clearing-of.ts'
import { bankEntryId, type EntrySource, type NumberedEntry } from '../bank/new-bank-entries.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import type { NumberedRow } from './settled-rows.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers'>

/** The bank entries of a page, and the rows that some of them are. */
interface Transfers {
  readonly bankEntries: readonly NumberedEntry[]
  readonly rows: readonly NumberedRow[]
}

/**
 * Finds the credit transfers of a bank statement that pay refunds to shoppers, and those that return them. Payouts to
 * merchants have the same bank transaction code, and both have an id of 32 digits as EndToEndId: that of the payout, or
 * that of the refund. Each transfer of a refund is a row, whose number follows those of the rows of the file.
 */
export async function refundTransfers(
  dependencies: Dependencies,
  source: EntrySource,
  { rows: rowCount }: Pick<SettlementFileRow, 'rows'>,
  entries: readonly NumberedEntry[],
): Promise<Transfers> {
  const refunds = await refundsOf(dependencies, entries)
  const rows: NumberedRow[] = []
  const bankEntries = entries.map((numbered) => {
    const refund = refunds.get(numbered)
    const row = refund && rowOf(numbered.entry, refund)
    if (!row) return numbered
    rows.push({ number: rowCount + numbered.number, row, booking: bankEntryId(source, numbered) })
    return { ...numbered, rowsMinor: row.cashflow === 'POS' ? row.amountMinor : -row.amountMinor }
  })
  return { bankEntries, rows }
}

/** A refund, or a credit to a shopper, with the merchant's id at the institute that clears it. */
interface Refund {
  readonly transaction: TransactionRow
  readonly clearingMerchantId: string
}

const ID = /^[0-9a-f]{32}$/

async function refundsOf(
  { storage, acquirers }: Dependencies,
  entries: readonly NumberedEntry[],
): Promise<ReadonlyMap<NumberedEntry, Refund>> {
  const transfers = entries.filter(({ entry }) => isTransfer(entry))
  const payouts = await Promise.all(transfers.map(({ entry }) => storage.payout(entry.endToEndId ?? '')))
  const named = transfers.filter((_, index) => payouts[index] === undefined)
  const ids = [...new Set(named.flatMap(({ entry }) => entry.endToEndId ?? []))]
  if (ids.length === 0) return new Map()
  const transactions = new Map((await storage.transactions(ids)).map((row) => [row.id, row]))
  const postings = await storage.postingsOfAll(listOf(transactions.keys()))
  const acquirerOf = new Map(postings.map((row) => [row.transaction_id, row.acquirer]))
  const refunds = new Map<NumberedEntry, Refund>()
  for (const numbered of named) {
    const transaction = transactions.get(numbered.entry.endToEndId ?? '')
    const clearingMerchantId = clearingOf(acquirers, acquirerOf.get(transaction?.id ?? '') ?? '')?.merchantId
    if (transaction && clearingMerchantId !== undefined) refunds.set(numbered, { transaction, clearingMerchantId })
  }
  return refunds
}

const isTransfer = ({ booking, direction, endToEndId }: BankEntry): boolean =>
  ID.test(endToEndId ?? '') &&
  ((booking === 'PAYOUT' && direction === 'DEBIT') || (booking === 'PAYOUT RETURN' && direction === 'CREDIT'))

/** The kinds and types of the rows of transfers, by booking and type of the transaction. */
const kinds: Readonly<Partial<Record<string, Pick<SettlementRow, 'kind' | 'type' | 'cashflow'>>>> = {
  'PAYOUT RF': { kind: 'SETTLED', type: 'REFUND', cashflow: 'NEG' },
  'PAYOUT CD': { kind: 'SETTLED', type: 'CREDIT', cashflow: 'NEG' },
  'PAYOUT RETURN RF': { kind: 'CHARGEBACK', type: 'REFUND', cashflow: 'POS' },
}

/** @returns undefined: the transaction is none that such a transfer pays or returns */
function rowOf(entry: BankEntry, { transaction, clearingMerchantId }: Refund): SettlementRow | undefined {
  const kind = kinds[`${entry.booking} ${narrow(isPaymentType, transaction.type)}`]
  return (
    kind && {
      ...kind,
      clearingMerchantId,
      settlementId: entry.reference,
      uniqueId: transaction.id,
      amountMinor: entry.amountMinor,
      currency: entry.currency,
      settlementAmountMinor: entry.amountMinor,
      settlementCurrency: entry.currency,
      settledOn: entry.bookedOn,
      status: 'SUCCESS',
      reason: entry.reason,
      line: entry.line,
    }
  )
}
