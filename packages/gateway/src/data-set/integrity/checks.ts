import { timingSafeEqual } from 'node:crypto'
import { isBrand, isCurrency, isPaymentMethod, isResultCode, type Secret } from '@tollgate/contract'
import {
  brokenInvariantOf,
  isDisputeStage,
  isEvidenceKind,
  isEvidenceType,
  isPostingKind,
  isRight,
  isTestMode,
} from '@tollgate/domain'
import type {
  AccessTokenRow,
  AccountRow,
  ConnectorRow,
  SftpAccountRow,
  InstallationRow,
  MerchantTermsRow,
  Reference,
  Schema,
  TransactionRow,
  TreeRow,
  WebhookKeyRow,
} from '@tollgate/storage'
import { type Vault, VaultError } from '@tollgate/vault'
import {
  isAccountKind,
  isBankEntryState,
  isConnectorState,
  isSftpAccountState,
  isSftpPurpose,
  isStatus,
  isSessionKind,
  isPayoutState,
  openAccountNumber,
  openCredentials,
  openSftpCredentials,
  openWebhookKey,
  paymentTree,
  sealedOf,
} from '@tollgate/operations'
import { CLOCK_OFFSET, CLOCK_REPAIR, parseMilliseconds } from '../../runtime/clock/stored-clock.ts'

/**
 * Returns the fault of a row, without any of its values; undefined if the row has none.
 *
 * @param vault undefined if the keys do not fit the data; account numbers and keys of webhooks are then not opened
 */
type RowCheck<Row> = (row: Row, vault: Vault | undefined) => string | undefined

/** Returns the fault of a tree whose transactions passed their own checks. The root is the first transaction. */
type TreeCheck = (tree: TreeRow, transactions: readonly TransactionRow[]) => string | undefined

/** The columns that refer to other rows. */
export const references: readonly Reference[] = [
  { table: 'entity', column: 'parent_id', target: 'entity' },
  { table: 'risk_rules', column: 'entity_id', target: 'entity' },
  { table: 'route_list', column: 'entity_id', target: 'entity' },
  { table: 'access_token', column: 'entity_id', target: 'entity' },
  { table: 'tree', column: 'id', target: 'root transaction' },
  { table: 'payment_transaction', column: 'root_id', target: 'root transaction', condition: 'r.id <> r.root_id' },
  { table: 'payment_transaction', column: 'channel', target: 'entity' },
  { table: 'payment_transaction', column: 'account_id', target: 'account' },
  { table: 'payment_transaction', column: 'registration_id', target: 'registration' },
  { table: 'late_transaction', column: 'id', target: 'payment_transaction' },
  // The ids of entries with other causes have a prefix.
  {
    table: 'posting',
    column: 'transaction_id',
    target: 'payment_transaction',
    condition: `r.transaction_id NOT LIKE '%/%'`,
  },
  { table: 'ledger_day', column: 'merchant', target: 'entity', condition: `r.merchant <> ''` },
  { table: 'transaction_day', column: 'channel', target: 'entity' },
  { table: 'settlement_row', column: 'file_id', target: 'settlement_file' },
  { table: 'settlement_row', column: 'transaction_id', target: 'payment_transaction' },
  { table: 'dispute', column: 'id', target: 'payment_transaction' },
  { table: 'dispute_evidence', column: 'dispute_id', target: 'dispute' },
  // Of a file that is being erased, the row is removed last.
  { table: 'dispute_evidence_part', column: 'evidence_id', target: 'dispute_evidence' },
  { table: 'sftp_key', column: 'entity_id', target: 'entity' },
  { table: 'settlement_row', column: 'delivery_id', target: 'sftp_delivery' },
  { table: 'sftp_account', column: 'entity_id', target: 'entity' },
  { table: 'sftp_delivery', column: 'account_id', target: 'sftp_account' },
  { table: 'sftp_delivery_part', column: 'delivery_id', target: 'sftp_delivery' },
  { table: 'pulled_file', column: 'account_id', target: 'sftp_account' },
  { table: 'pulled_file', column: 'file_id', target: 'settlement_file' },
  { table: 'settlement_sum', column: 'channel', target: 'entity' },
  { table: 'fee_plan', column: 'entity_id', target: 'entity' },
  { table: 'merchant_terms', column: 'entity_id', target: 'entity' },
  { table: 'merchant_account', column: 'merchant', target: 'entity' },
  { table: 'payout', column: 'merchant', target: 'entity' },
  { table: 'bank_entry', column: 'file_id', target: 'settlement_file' },
  { table: 'bank_entry', column: 'payout_id', target: 'payout' },
  { table: 'settlement_file', column: 'bank_entry_id', target: 'bank_entry' },
  // The verification of an account that is declined, and so not stored, has no transaction.
  {
    table: 'acquirer_attempt',
    column: 'transaction_id',
    target: 'payment_transaction',
    condition: `r.kind <> 'verification'`,
  },
  { table: 'card_declines', column: 'merchant', target: 'entity' },
  { table: 'account', column: 'id', target: 'payment_transaction' },
  { table: 'registration', column: 'id', target: 'root transaction' },
  { table: 'registration', column: 'account_id', target: 'account' },
  { table: 'velocity', column: 'id', target: 'payment_transaction' },
  { table: 'idempotency_key', column: 'merchant', target: 'entity' },
  { table: 'unique_key', column: 'transaction_id', target: 'payment_transaction' },
  { table: 'job', column: 'subject_id', target: 'payment_transaction', condition: `r.kind = 'end-attempt'` },
  { table: 'job', column: 'subject_id', target: 'root transaction', condition: `r.kind = 'end-authorisation'` },
  { table: 'job', column: 'subject_id', target: 'registration', condition: `r.kind = 'end-registration'` },
  { table: 'job', column: 'subject_id', target: 'schedule', condition: `r.kind = 'run-schedule'` },
  { table: 'job', column: 'subject_id', target: 'visit', condition: `r.kind = 'follow-visit'` },
  // Completed and dead-lettered safety calls are kept longer than their checkouts.
  {
    table: 'job',
    column: 'subject_id',
    target: 'checkout',
    condition: `r.kind = 'safety-call' AND r.parked_at_ms IS NULL AND r.done_at_ms IS NULL`,
  },
  // Delivered and dead-lettered jobs are kept longer than their events.
  {
    table: 'job',
    column: 'subject_id',
    target: 'event',
    condition: `r.kind IN ('delivery', 'notification') AND r.parked_at_ms IS NULL AND r.done_at_ms IS NULL`,
  },
  { table: 'job', column: 'subject_id', target: 'sftp_delivery', condition: `r.kind = 'file-delivery'` },
  { table: 'job', column: 'subject_id', target: 'sftp_account', condition: `r.kind = 'settlement-pull'` },
  { table: 'job', column: 'lane', target: 'webhook', condition: `r.kind = 'delivery'` },
  { table: 'event', column: 'root_id', target: 'root transaction' },
  { table: 'event', column: 'entity_id', target: 'entity' },
  { table: 'delivery_attempt', column: 'delivery_id', target: 'job' },
  { table: 'webhook', column: 'entity_id', target: 'entity' },
  { table: 'webhook_key', column: 'webhook_id', target: 'webhook' },
  { table: 'schedule', column: 'id', target: 'payment_transaction' },
  { table: 'schedule', column: 'registration_id', target: 'registration' },
  { table: 'schedule', column: 'chain_id', target: 'schedule' },
  { table: 'checkout', column: 'entity_id', target: 'entity' },
  { table: 'checkout', column: 'transaction_id', target: 'payment_transaction' },
  { table: 'visit', column: 'transaction_id', target: 'payment_transaction' },
]

/** The checks of single rows, by table. */
const rowChecks: { readonly [T in keyof Schema]?: readonly RowCheck<Schema[T]>[] } = {
  installation: [clockFault],
  entity: [validJson('settings'), validValue('kind', isEntityKind)],
  risk_rules: [validJson('rules')],
  route_list: [validJson('routes')],
  connector: [validJson('settings'), validValue('state', isConnectorState), credentialsFault],
  access_token: [hashFault, validValue('rights', (rights) => rights === '' || rights.split(' ').every(isRight))],
  payment_transaction: [
    validJson('facts'),
    validJson('echo'),
    validJson('outcome'),
    validValue('status', isStatus),
    validValue('currency', isCurrency),
    validValue('brand', isBrand),
    validValue('method', isPaymentMethod),
    validValue('test_mode', isTestMode),
    validValue('result_code', isResultCode),
  ],
  account: [validJson('details'), validValue('kind', isAccountKind), validValue('brand', isBrand), numberFault],
  posting: [validValue('kind', isPostingKind), validValue('currency', isCurrency)],
  ledger_day: [validValue('kind', isPostingKind), validValue('currency', isCurrency)],
  clearing_batch: [validJson('totals'), validJson('file')],
  settlement_file: [validJson('facts'), validJson('fault')],
  settlement_row: [validJson('row'), validJson('candidates')],
  dispute: [validJson('history'), validValue('stage', isDisputeStage)],
  dispute_evidence: [validValue('kind', isEvidenceKind), validValue('content_type', isEvidenceType)],
  sftp_account: [
    validJson('settings'),
    validValue('purpose', isSftpPurpose),
    validValue('state', isSftpAccountState),
    sftpCredentialsFault,
  ],
  settlement_sum: [validValue('currency', isCurrency)],
  report_page: [validJson('items')],
  fee_plan: [validJson('plan')],
  merchant_terms: [validJson('terms'), accountNumberFault],
  payout: [validValue('currency', isCurrency), validValue('state', isPayoutState)],
  bank_entry: [validJson('explanation'), validValue('currency', isCurrency), validValue('state', isBankEntryState)],
  acquirer_attempt: [validJson('sent_as')],
  card_declines: [validJson('declines')],
  registration: [validJson('agreements')],
  idempotency_key: [validJson('answer'), validValue('result_code', isResultCode)],
  event: [validJson('payload')],
  webhook: [validJson('settings')],
  webhook_key: [webhookKeyFault],
  schedule: [validJson('plan')],
  checkout: [validJson('parameters')],
  visit: [validJson('parameters'), validJson('progress'), validValue('kind', isSessionKind)],
}

/** All faults of a single row. */
export function faultsIn<T extends keyof Schema>(
  table: T,
  row: Schema[T],
  vault: Vault | undefined,
): readonly string[] {
  const checks: readonly RowCheck<Schema[T]>[] = rowChecks[table] ?? []
  return [...checks, timeFault].flatMap((check) => check(row, vault) ?? [])
}

/** The checks of a tree; only the first fault is reported. */
export const treeChecks: readonly TreeCheck[] = [versionFault, referenceFault, ruleFault]

function clockFault({ name, value }: InstallationRow): string | undefined {
  return name === CLOCK_OFFSET && parseMilliseconds(value) === undefined ? CLOCK_REPAIR : undefined
}

function validJson(column: string): RowCheck<object> {
  return (row) => {
    const text: string | null = Reflect.get(row, column)
    return text === null || isJson(text) ? undefined : `${column} is not JSON`
  }
}

/** Returns a check that a column has a known value or null. Whether null is allowed is a constraint of the table. */
function validValue(column: string, isValid: (text: string) => boolean): RowCheck<object> {
  return (row) => {
    const text: string | null = Reflect.get(row, column)
    return text === null || isValid(text) ? undefined : `${column} has a value unknown to this version`
  }
}

function isEntityKind(kind: string): boolean {
  return ['psp', 'division', 'merchant', 'channel'].includes(kind)
}

/** Exclusive end of valid times: a gateway writes no time that is far beyond the end of its clock in 2099. */
const TIME_END_MS = Date.UTC(2200, 0, 1)

function timeFault(row: object): string | undefined {
  const invalidColumn = Object.entries(row).find(
    ([column, value]) => column.endsWith('_ms') && typeof value === 'number' && !(value >= 0 && value < TIME_END_MS),
  )
  return invalidColumn && `${invalidColumn[0]} is not a time between 1970 and 2200`
}

/** The length of an HMAC-SHA-256. */
const HASH_BYTES = 32

function hashFault({ hash }: AccessTokenRow): string | undefined {
  return hash.length === HASH_BYTES ? undefined : `hash does not have ${HASH_BYTES} bytes`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function numberFault(row: AccountRow, vault: Vault | undefined): string | undefined {
  const parts = [row.sealed, row.wrapped_key, row.key_id].filter((part) => part !== null)
  if (parts.length % 3 !== 0) return 'sealed, wrapped_key and key_id must be erased together'
  const sealed = sealedOf(row)
  return sealed && vault && openingFault(() => differenceFrom(vault.unseal(sealed, row), row, vault), 'its number')
}

/** Compares the plain columns of an account with its number, and wipes the number. */
function differenceFrom(number: Secret, row: AccountRow, vault: Vault): string | undefined {
  try {
    const { bin, last4, fingerprint, fingerprint_key_id: keyId } = row
    const [isBinEqual, isLast4Equal] = number.use((bytes) => {
      const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      return [
        bin === null || digits.indexOf(bin) === 0,
        last4 === null || digits.subarray(-last4.length).equals(Buffer.from(last4)),
      ]
    })
    if (!isBinEqual) return 'bin differs from the start of the number'
    if (!isLast4Equal) return 'last4 differs from the end of the number'
    const computed = vault.fingerprints(number).find((candidate) => candidate.keyId === keyId)
    const isSame =
      !computed ||
      !fingerprint ||
      (fingerprint.length === computed.code.length && timingSafeEqual(fingerprint, computed.code))
    return isSame ? undefined : 'fingerprint differs from that of the number'
  } finally {
    number.wipe()
  }
}

function credentialsFault(row: ConnectorRow, vault: Vault | undefined): string | undefined {
  if (areIncomplete(row)) return INCOMPLETE
  return vault && openingFault(() => void openCredentials(vault, row), 'its credentials')
}

function sftpCredentialsFault(row: SftpAccountRow, vault: Vault | undefined): string | undefined {
  if (areIncomplete(row)) return INCOMPLETE
  return vault && openingFault(() => void openSftpCredentials(vault, row), 'its credentials')
}

const INCOMPLETE = 'sealed, wrapped_key, key_id and credentials_at_ms must be erased together'

function areIncomplete(row: ConnectorRow | SftpAccountRow): boolean {
  const parts = [row.sealed, row.wrapped_key, row.key_id, row.credentials_at_ms].filter((part) => part !== null)
  return parts.length % 4 !== 0
}

function accountNumberFault(row: MerchantTermsRow, vault: Vault | undefined): string | undefined {
  const parts = [row.sealed, row.wrapped_key, row.key_id].filter((part) => part !== null)
  if (parts.length % 3 !== 0) return 'sealed, wrapped_key and key_id must be erased together'
  return vault && openingFault(() => openAndWipe(vault, row), 'its account number')
}

function openAndWipe(vault: Vault, row: MerchantTermsRow): undefined {
  openAccountNumber(vault, row)?.wipe()
  return undefined
}

function webhookKeyFault(row: WebhookKeyRow, vault: Vault | undefined): string | undefined {
  return vault && openingFault(() => void openWebhookKey(vault, row), 'its key')
}

/** @param open returns the fault of the opened value */
function openingFault(open: () => string | undefined, subject: string): string | undefined {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return `${subject} cannot be opened: ${error.message}`
  }
}

/** A version is at least the number of transactions, because each transaction and a few other changes increment it. */
function versionFault({ version }: TreeRow, transactions: readonly TransactionRow[]): string | undefined {
  const { length } = transactions
  return version >= length ? undefined : `version ${version} is too low for ${length} transactions`
}

function referenceFault(_tree: TreeRow, [root, ...followUps]: readonly TransactionRow[]): string | undefined {
  if (root?.referenced_id !== null) return 'its root refers to another transaction'
  const ids = new Set([root.id, ...followUps.map(({ id }) => id)])
  const dangling = followUps.find(({ referenced_id }) => referenced_id === null || !ids.has(referenced_id))
  return dangling && `${dangling.id} refers to no transaction of the tree`
}

/** Checks that the domain's rules permit a payment. */
function ruleFault(tree: TreeRow, transactions: readonly TransactionRow[]): string | undefined {
  try {
    const payment = paymentTree({ id: tree.id, merchant: tree.merchant, version: tree.version, transactions })
    return payment && brokenInvariantOf(payment)
  } catch (error) {
    return error instanceof Error ? error.message : 'its rows cannot be read'
  }
}
