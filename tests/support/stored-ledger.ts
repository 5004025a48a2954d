import { type DataSet, type MemoryDisk, memoryDisk, rowsOf } from '@tollgate/storage'

/** Reads the ledger, and the transactions that it was made from, of a storage that no process writes to. */
export async function storedLedger(dataSet: DataSet): Promise<MemoryDisk> {
  const disk = memoryDisk()
  for await (const row of rowsOf(dataSet, 'payment_transaction'))
    disk.transactionsOf.set(row.root_id, [...(disk.transactionsOf.get(row.root_id) ?? []), row])
  for await (const row of rowsOf(dataSet, 'posting')) disk.posting.set(`${row.transaction_id} ${row.kind}`, row)
  for await (const row of rowsOf(dataSet, 'ledger_day')) {
    const { merchant, day, acquirer, currency, kind } = row
    disk.ledger_day.set(`${merchant} ${day} ${acquirer} ${currency} ${kind}`, row)
  }
  for await (const row of rowsOf(dataSet, 'transaction_day')) disk.transaction_day.set(JSON.stringify(row), row)
  for await (const row of rowsOf(dataSet, 'transaction_feed')) disk.transaction_feed.set(row.id, row)
  for await (const row of rowsOf(dataSet, 'late_transaction')) disk.late_transaction.set(`${row.id} ${row.status}`, row)
  for await (const row of rowsOf(dataSet, 'clearing_batch')) disk.clearing_batch.set(row.id, row)
  for await (const row of rowsOf(dataSet, 'merchant_account')) disk.merchant_account.set(row.merchant, row)
  for await (const row of rowsOf(dataSet, 'payout')) disk.payout.set(row.id, row)
  for await (const row of rowsOf(dataSet, 'bank_entry')) disk.bank_entry.set(row.id, row)
  await dataSet.close()
  return disk
}
