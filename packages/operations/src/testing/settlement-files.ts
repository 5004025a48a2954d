import type { SettlementRow } from '@tollgate/domain'
import { cardPayment, type Parameters, type TestGateway } from '@tollgate/gateway/testing'
import { type FileFacts, type FileFormat, writeSettlementFile } from '@tollgate/settlement-files'
import { postTransactions } from '../ledger/post-transactions.task.ts'

/** A payment by the connector `north`, with its reference at the acquirer. */
export interface ClearedPayment {
  readonly id: string
  readonly reference: string
  /** The network's transaction id. */
  readonly networkId: string
}

/** Pays through the connector `north` (`useClearedConnector`). */
export async function payCleared({ send }: TestGateway, changes: Parameters = {}): Promise<ClearedPayment> {
  const { body } = await send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', ...changes }))
  const { ConnectorTxID1: reference, CardholderInitiatedTransactionID: networkId } = body.resultDetails
  return { id: body.id, reference, networkId }
}

export async function runToEnd(task: { step(): Promise<'more' | 'done'> }): Promise<void> {
  while ((await task.step()) === 'more');
}

/** Posts the payments to the ledger, by which rows find them. */
export async function postAll({ gateway, clock }: TestGateway): Promise<void> {
  clock.nowMs += 10_000
  await runToEnd(postTransactions(gateway))
}

/** A row that settles a debit of 92.00 EUR. */
export const settlementRowOf = (changes: Partial<SettlementRow> = {}): SettlementRow => ({
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: 'NORTH0000000001',
  settlementId: 'S1',
  amountMinor: 9200,
  currency: 'EUR',
  settlementAmountMinor: 9200,
  settlementCurrency: 'EUR',
  feeMinor: 90,
  presentedAtMs: Date.UTC(2026, 5, 15, 12),
  settledOn: '2026-06-16',
  status: 'SUCCESS',
  line: 0,
  ...changes,
})

const facts: FileFacts = {
  institute: 'North',
  fileId: 'F1',
  sequence: 1,
  createdOn: '2026-06-16',
  settledOn: '2026-06-16',
  zone: 'UTC',
}

/** A settlement file with these rows. */
export const settlementFileOf = (
  rows: readonly SettlementRow[],
  changes: Partial<FileFacts> = {},
  format: FileFormat = 'tollgate-csv',
): Buffer => Buffer.concat([...writeSettlementFile(format, { ...facts, ...changes }, { rows })])
