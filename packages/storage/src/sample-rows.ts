import type {
  AccessTokenRow,
  AccountRow,
  EntityRow,
  IdempotencyRow,
  RegistrationRow,
  RiskRulesRow,
  TransactionRow,
  UniqueKeyRow,
  VelocityRow,
} from './schema.ts'

// Complete rows for tests, which change what they are about.

const merchant = '70119a7e5eed000000000000000000e0'
const channel = '70119a7e5eed00000000000000000c00'

/** The guard that creates the tree `id`, or finds it at `version`. */
export const guard = (id: string, version = 0) => ({ id, merchant, version })

/** A debit of 92.00 EUR, or with `root` a capture of part of it. */
export const transaction = (id: string, root = id, changes: Partial<TransactionRow> = {}): TransactionRow => ({
  root_id: root,
  id,
  merchant,
  channel,
  referenced_id: root === id ? null : root,
  type: root === id ? 'DB' : 'CP',
  status: 'ACK',
  amount_minor: 9200,
  currency: 'EUR',
  brand: 'VISA',
  method: 'CC',
  test_mode: null,
  account_id: null,
  registration_id: null,
  network_transaction_id: null,
  initial_transaction_id: null,
  merchant_transaction_id: null,
  result_code: '000.000.000',
  facts: '{}',
  echo: '{"customer":{"surname":"Jones"}}',
  outcome: '{}',
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const account = (id: string, changes: Partial<AccountRow> = {}): AccountRow => ({
  id,
  merchant,
  kind: 'card',
  brand: 'VISA',
  bin: '420000',
  last4: '0000',
  holder: 'Jane Jones',
  expiry_month: '05',
  expiry_year: '2034',
  details: '{}',
  fingerprint: Uint8Array.of(1, 2, 3),
  fingerprint_key_id: 'f1',
  sealed: Uint8Array.of(0, 255, 7),
  wrapped_key: Uint8Array.of(),
  key_id: 'k1',
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const registration = (id: string, changes: Partial<RegistrationRow> = {}): RegistrationRow => ({
  id,
  merchant,
  channel,
  account_id: id,
  created_at_ms: 1_767_225_600_000,
  expires_at_ms: 2_000_000_000_000,
  extended_at_ms: null,
  verified_at_ms: null,
  initial_transaction_id: null,
  agreements: '{}',
  deleted_at_ms: null,
  ...changes,
})

export const idempotencyKey = (id: string, changes: Partial<IdempotencyRow> = {}): IdempotencyRow => ({
  id,
  merchant,
  fingerprint: 'f1',
  http_status: 200,
  result_code: '000.000.000',
  answer: '{"id":"p1"}',
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const uniqueKey = (id: string, changes: Partial<UniqueKeyRow> = {}): UniqueKeyRow => ({
  id,
  merchant,
  transaction_id: 'p1',
  created_at_ms: 1_767_225_600_000,
  expires_at_ms: null,
  ...changes,
})

export const entity = (id: string, changes: Partial<EntityRow> = {}): EntityRow => ({
  id,
  merchant: '',
  parent_id: null,
  kind: 'psp',
  name: 'Sandbox',
  settings: '{}',
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const riskRules = (id: string, changes: Partial<RiskRulesRow> = {}): RiskRulesRow => ({
  entity_id: id,
  rules: '{"rules":[]}',
  changed_at_ms: 1_767_225_600_000,
  ...changes,
})

export const velocity = (id: string, changes: Partial<VelocityRow> = {}): VelocityRow => ({
  counter: 'payment|customer.ip|192.0.2.1',
  merchant,
  created_at_ms: 1_767_225_600_000,
  id,
  amount_minor: 9200,
  currency: 'EUR',
  ...changes,
})

export const accessToken = (id: string, changes: Partial<AccessTokenRow> = {}): AccessTokenRow => ({
  id,
  entity_id: merchant,
  user_id: '70119a7e5eed000000000000000000ee',
  hash: Uint8Array.of(9, 8, 7),
  rights: 'chargeback',
  created_at_ms: 1_767_225_600_000,
  expires_at_ms: null,
  revoked_at_ms: null,
  ...changes,
})
