import type { TransactionRow } from '@tollgate/storage'

/** The row of a preauthorisation, with changes. */
export const transactionRow = (changes: Partial<TransactionRow> = {}): TransactionRow => ({
  root_id: 'p',
  id: 'p',
  merchant: 'm',
  channel: 'c',
  referenced_id: null,
  type: 'PA',
  status: 'ACK',
  amount_minor: 9200,
  currency: 'EUR',
  brand: 'VISA',
  method: 'CC',
  test_mode: 'INTERNAL',
  account_id: null,
  registration_id: null,
  network_transaction_id: null,
  initial_transaction_id: null,
  merchant_transaction_id: null,
  result_code: '000.100.110',
  facts: '{}',
  echo: '{}',
  outcome: '{"resultDetails":{}}',
  created_at_ms: 0,
  ...changes,
})
