import type {
  AccessTokenRow,
  AccountRow,
  AcquirerAttemptRow,
  CardDeclinesRow,
  CheckoutRow,
  ConnectorRow,
  DeliveryAttemptRow,
  EntityRow,
  EventRow,
  IdempotencyRow,
  JobRow,
  RegistrationRow,
  RiskRulesRow,
  RouteListRow,
  ScheduleRow,
  TerminalRow,
  TransactionRow,
  UniqueKeyRow,
  VelocityRow,
  SessionRow,
  WebhookKeyRow,
  WebhookRow,
} from '../schema.ts'

// Complete rows for tests. `changes` overrides the columns under test.

export * from './sample-dispute-rows.ts'
export * from './sample-ledger-rows.ts'
export * from './sample-sftp-rows.ts'

const merchant = '70119a7e5eed000000000000000000e0'
const channel = '70119a7e5eed00000000000000000c00'

/** The condition that the tree `id` is at a version. The default, 0: the unit of work creates the tree. */
export const expectedVersion = (id: string, version = 0) => ({ id, merchant, version })

/** A debit of 92.00 EUR; with another root, a capture of 92.00 EUR that refers to the root. */
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

export const acquirerAttempt = (id: string, changes: Partial<AcquirerAttemptRow> = {}): AcquirerAttemptRow => ({
  transaction_id: 'p1',
  id,
  merchant,
  kind: 'request',
  connector: 'a1',
  sent_as: '{}',
  outcome: null,
  created_at_ms: 1_767_225_600_000,
  settlement_day: null,
  ...changes,
})

export const terminal = (id: string, changes: Partial<TerminalRow> = {}): TerminalRow => ({
  id,
  held_by: null,
  held_until_ms: 0,
  day: 0,
  next_trace: 1,
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
  expires_at_ms: 2_000_000_000_000,
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

export const routeList = (id: string, changes: Partial<RouteListRow> = {}): RouteListRow => ({
  entity_id: id,
  routes: '[]',
  changed_at_ms: 1_767_225_600_000,
  ...changes,
})

export const connector = (id: string, changes: Partial<ConnectorRow> = {}): ConnectorRow => ({
  id,
  kind: 'iso8583',
  settings: '{}',
  sealed: null,
  wrapped_key: null,
  key_id: null,
  credentials_at_ms: null,
  state: 'enabled',
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  deleted_at_ms: null,
  ...changes,
})

export const cardDeclines = (id: string, changes: Partial<CardDeclinesRow> = {}): CardDeclinesRow => ({
  id,
  merchant,
  declines: '{"declinedAtMs":[1767225600000],"advices":[]}',
  changed_at_ms: 1_767_225_600_000,
  expires_at_ms: 1_769_817_600_000,
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

export const job = (id: string, changes: Partial<JobRow> = {}): JobRow => ({
  id,
  merchant,
  kind: 'delivery',
  lane: 'w1',
  subject_id: 'e1',
  due_at_ms: 1_767_225_600_000,
  attempts: 0,
  parked_at_ms: null,
  done_at_ms: null,
  last_error: null,
  held_until_ms: null,
  created_at_ms: 1_767_225_600_000,
  line: null,
  line_place: null,
  ...changes,
})

export const event = (id: string, changes: Partial<EventRow> = {}): EventRow => ({
  id,
  merchant,
  entity_id: channel,
  root_id: 'p1',
  type: 'PAYMENT',
  action: null,
  payload: '{"id":"p1"}',
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const deliveryAttempt = (number: number, changes: Partial<DeliveryAttemptRow> = {}): DeliveryAttemptRow => ({
  delivery_id: 'j1',
  merchant,
  number,
  started_at_ms: 1_767_225_600_000,
  duration_ms: 12,
  http_status: 503,
  error: 'answered 503',
  answer: 'later, please',
  ...changes,
})

export const webhook = (id: string, changes: Partial<WebhookRow> = {}): WebhookRow => ({
  id,
  merchant,
  entity_id: channel,
  url: 'https://shop.example/hook',
  settings: '{"types":["PAYMENT"]}',
  state: 'active',
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  deleted_at_ms: null,
  ...changes,
})

export const webhookKey = (id: string, changes: Partial<WebhookKeyRow> = {}): WebhookKeyRow => ({
  id,
  merchant,
  webhook_id: 'w1',
  sealed: Uint8Array.of(0, 255, 7),
  wrapped_key: Uint8Array.of(1),
  key_id: 'k1',
  created_at_ms: 1_767_225_600_000,
  starts_at_ms: null,
  ends_at_ms: null,
  ...changes,
})

export const schedule = (id: string, changes: Partial<ScheduleRow> = {}): ScheduleRow => ({
  id,
  merchant,
  channel,
  registration_id: 'r1',
  chain_id: id,
  plan: '{"expression":"0 0 0 1 * ?"}',
  active: 1,
  last_run_at_ms: null,
  attempts: 0,
  attempted_at_ms: null,
  ends_at_ms: null,
  descheduled_at_ms: null,
  ended: null,
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const checkout = (id: string, changes: Partial<CheckoutRow> = {}): CheckoutRow => ({
  id,
  merchant,
  entity_id: channel,
  parameters: '{"amount":"92.00"}',
  transaction_id: null,
  submitted_at_ms: null,
  read_at_ms: null,
  created_at_ms: 1_767_225_600_000,
  expires_at_ms: 1_767_227_400_000,
  declines: null,
  ...changes,
})

export const session = (id: string, changes: Partial<SessionRow> = {}): SessionRow => ({
  id,
  merchant,
  transaction_id: 'p1',
  checkout_id: null,
  kind: 'bank',
  parameters: '{"amount":"92.00"}',
  progress: '{}',
  created_at_ms: 1_767_225_600_000,
  expires_at_ms: 1_767_227_400_000,
  forgotten_at_ms: 1_768_000_000_000,
  ...changes,
})
