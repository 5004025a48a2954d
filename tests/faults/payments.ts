import { DAY_MS } from '@tollgate/contract'
import type { AccountRow, IdempotencyRow, TransactionRow, Unit } from '@tollgate/storage'

// Numbered payments, each with a capture; the number determines every row.

const merchant = '70119a7e5eed000000000000000000e0'
const utf8 = new TextEncoder()
const createdAtMs = 1_767_225_600_000

const transaction = (id: string, root: string): TransactionRow => ({
  root_id: root,
  id,
  merchant,
  channel: '70119a7e5eed00000000000000000c00',
  referenced_id: id === root ? null : root,
  type: id === root ? 'PA' : 'CP',
  status: 'ACK',
  amount_minor: 9200,
  currency: 'EUR',
  brand: 'VISA',
  method: 'CC',
  test_mode: null,
  account_id: `a-${root}`,
  registration_id: null,
  network_transaction_id: null,
  initial_transaction_id: null,
  merchant_transaction_id: null,
  result_code: '000.000.000',
  facts: '{}',
  echo: JSON.stringify({ merchantMemo: id.repeat(200) }),
  outcome: '{}',
  created_at_ms: createdAtMs,
})

/** The rows of payment `number`, as they must be stored if it was committed. */
export function paymentRows(number: number) {
  const id = `p${number}`
  const account: AccountRow = {
    id: `a-${id}`,
    merchant,
    kind: 'card',
    brand: 'VISA',
    bin: '420000',
    last4: '0000',
    holder: 'Jane Jones',
    expiry_month: '05',
    expiry_year: '2034',
    details: '{}',
    fingerprint: utf8.encode(id),
    fingerprint_key_id: 'fpk-1',
    sealed: utf8.encode(id.repeat(10)),
    wrapped_key: null,
    key_id: null,
    created_at_ms: createdAtMs,
  }
  const key: IdempotencyRow = {
    id: `k-${id}`,
    merchant,
    fingerprint: id,
    http_status: 200,
    result_code: '000.000.000',
    answer: JSON.stringify({ id }),
    created_at_ms: createdAtMs,
    expires_at_ms: createdAtMs + DAY_MS,
  }
  return { id, payment: transaction(id, id), capture: transaction(`c${number}`, id), account, key }
}

/** The unit that creates payment `number`. */
export function paymentUnit(number: number): Unit {
  const { id, payment, account, key } = paymentRows(number)
  return {
    id,
    expectedVersions: [{ id, merchant, version: 0 }],
    claim: key,
    rows: { payment_transaction: [payment], account: [account] },
  }
}

/** The unit that captures payment `number`. */
export function captureUnit(number: number): Unit {
  const { id, capture } = paymentRows(number)
  return { id: capture.id, expectedVersions: [{ id, merchant, version: 1 }], rows: { payment_transaction: [capture] } }
}
