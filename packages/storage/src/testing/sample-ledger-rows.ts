import type {
  BankEntryRow,
  ClearingBatchRow,
  FeePlanRow,
  LedgerDayRow,
  MerchantAccountRow,
  MerchantTermsRow,
  PayoutRow,
  PostingRow,
  ReportPageRow,
  ReportSnapshotRow,
  SettlementContentRow,
  SettlementFileRow,
  SettlementMatchingRow,
  SettlementRowRow,
  SftpKeyRow,
  SettlementSumRow,
  TransactionDayRow,
  TransactionFeedRow,
} from '../schema.ts'

// Complete rows of the ledger, of clearing, of settlement and of payouts for tests, like those of sample-rows.ts.

const merchant = '70119a7e5eed000000000000000000e0'
const channel = '70119a7e5eed00000000000000000c00'

export const transactionFeed = (changes: Partial<TransactionFeedRow> = {}): TransactionFeedRow => ({
  id: 'transactions',
  closed_before: '',
  read_before: '',
  ...changes,
})

/** The entry of a capture of 92.00 EUR with a fee of 1.20 EUR. */
export const posting = (id: string, changes: Partial<PostingRow> = {}): PostingRow => ({
  transaction_id: id,
  kind: 'capture',
  merchant,
  acquirer: 'acme',
  currency: 'EUR',
  day: 20_454,
  amount_minor: 9200,
  fee_minor: 120,
  reference: null,
  ...changes,
})

export const ledgerDay = (changes: Partial<LedgerDayRow> = {}): LedgerDayRow => ({
  merchant,
  day: 20_454,
  acquirer: 'acme',
  currency: 'EUR',
  kind: 'capture',
  postings: 1,
  amount_minor: 9200,
  fee_minor: 120,
  ...changes,
})

export const transactionDay = (changes: Partial<TransactionDayRow> = {}): TransactionDayRow => ({
  merchant,
  day: 20_454,
  channel,
  type: 'DB',
  method: 'CC',
  brand: 'VISA',
  currency: 'EUR',
  acquirer: 'acme',
  country: 'DE',
  outcome: 'ACK',
  transactions: 1,
  amount_minor: 9200,
  ...changes,
})

export const settlementFile = (id: string, changes: Partial<SettlementFileRow> = {}): SettlementFileRow => ({
  id,
  digest: `${id}0`,
  content_id: 'c1',
  name: 'settlement.csv',
  arrived_by: 'upload',
  state: 'received',
  format: null,
  institute: null,
  file_id: null,
  facts: null,
  fault: null,
  size_bytes: 7,
  rows: 0,
  rows_read: 0,
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  bank_entries_read: null,
  bank_entry_id: null,
  statement: null,
  ...changes,
})

export const settlementContent = (
  number: number,
  changes: Partial<SettlementContentRow> = {},
): SettlementContentRow => ({
  content_id: 'c1',
  number,
  bytes: Uint8Array.of(1, 2),
  ...changes,
})

export const settlementRow = (number: number, changes: Partial<SettlementRowRow> = {}): SettlementRowRow => ({
  file_id: 'f1',
  number,
  merchant,
  channel,
  kind: 'SETTLED',
  status: 'MATCHED',
  transaction_id: 'p1',
  candidates: null,
  reason: 'acquirer reference',
  settled_on: '2026-01-02',
  row: '{}',
  chargeback_id: null,
  changed_at_ms: 1_767_225_600_000,
  acquirer: 'acme',
  booking: null,
  delivery_id: null,
  aggregation_id: 'g1',
  presented_at_ms: 1_767_225_600_000,
  ...changes,
})

export const settlementMatching = (id: string, changes = 1): SettlementMatchingRow => ({ id, changes })

export const settlementSum = (changes: Partial<SettlementSumRow> = {}): SettlementSumRow => ({
  merchant,
  settled_on: '2026-01-02',
  aggregation_id: 'g1',
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  outcome: 'SUCCESS',
  channel,
  clearing_merchant_id: 'ACME0001',
  settlement_id: 'S1',
  currency: 'EUR',
  records: 1,
  amount_minor: 9200,
  fee_minor: 90,
  changes: 1,
  ...changes,
})

export const reportSnapshot = (id: string, changes: Partial<ReportSnapshotRow> = {}): ReportSnapshotRow => ({
  id,
  content_id: 'c1',
  pages: 1,
  changes: 1,
  created_at_ms: 1_767_225_600_000,
  expires_at_ms: 1_767_229_200_000,
  ...changes,
})

export const reportPage = (number: number, changes: Partial<ReportPageRow> = {}): ReportPageRow => ({
  content_id: 'c1',
  number,
  items: '[]',
  expires_at_ms: 1_767_229_200_000,
  ...changes,
})

export const clearingBatch = (day: number, changes: Partial<ClearingBatchRow> = {}): ClearingBatchRow => ({
  id: `acme/${day}`,
  acquirer: 'acme',
  day,
  state: 'open',
  totals: '{}',
  attempts: 0,
  changed_at_ms: 1_767_225_600_000,
  file: null,
  ...changes,
})

export const sftpKey = (id: string, changes: Partial<SftpKeyRow> = {}): SftpKeyRow => ({
  id,
  entity_id: '70119a7e5eed000000000000000000e0',
  label: 'import',
  public_key: 'ssh-ed25519 AAAA',
  fingerprint: 'SHA256:a',
  created_at_ms: 1_767_225_600_000,
  last_used_at_ms: null,
  revoked_at_ms: null,
  ...changes,
})

export const feePlan = (id: string, changes: Partial<FeePlanRow> = {}): FeePlanRow => ({
  entity_id: id,
  starts_at_ms: 1_767_225_600_000,
  plan: '{"fees":[]}',
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const merchantTerms = (id: string, changes: Partial<MerchantTermsRow> = {}): MerchantTermsRow => ({
  entity_id: id,
  starts_at_ms: 1_767_225_600_000,
  terms: '{}',
  sealed: null,
  wrapped_key: null,
  key_id: null,
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const merchantAccount = (id: string, changes: Partial<MerchantAccountRow> = {}): MerchantAccountRow => ({
  merchant: id,
  available_to: 20_454,
  released_to: 0,
  paid_to: 0,
  changes: 1,
  ...changes,
})

export const payout = (id: string, changes: Partial<PayoutRow> = {}): PayoutRow => ({
  id,
  merchant,
  currency: 'EUR',
  amount_minor: 9080,
  state: 'instructed',
  origin: 'operator',
  requested_minor: null,
  terms_entity_id: merchant,
  terms_starts_at_ms: 1_767_225_600_000,
  holder: 'Shop Ltd',
  last4: '3000',
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  ...changes,
})

export const bankEntry = (id: string, changes: Partial<BankEntryRow> = {}): BankEntryRow => ({
  id,
  file_id: 'f1',
  number: 1,
  account: 'DE02701500000000594937',
  booked_on: '2026-01-02',
  value_on: null,
  amount_minor: 9080,
  currency: 'EUR',
  direction: 'CREDIT',
  booking: 'OTHER',
  reference: null,
  end_to_end_id: null,
  rows_minor: 0,
  state: 'unmatched',
  reason: 'noCounterpart',
  payout_id: null,
  explanation: null,
  changes: 0,
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  ...changes,
})
