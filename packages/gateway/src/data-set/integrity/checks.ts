import { timingSafeEqual } from 'node:crypto'
import { isBrand, isCurrency, isPaymentMethod, isResultCode, type Secret } from '@tollgate/contract'
import { faultOf, isRight, isTestMode } from '@tollgate/domain'
import type {
  AccessTokenRow,
  AccountRow,
  InstallationRow,
  Reference,
  Schema,
  TransactionRow,
  TreeRow,
  WebhookKeyRow,
} from '@tollgate/storage'
import { type Vault, VaultError } from '@tollgate/vault'
import { isAccountKind, isStatus, isSessionKind, openWebhookKey, paymentTree, sealedOf } from '@tollgate/operations'
import { CLOCK_AHEAD, CLOCK_REPAIR, parseMilliseconds } from '../../runtime/clock/stored-clock.ts'

/**
 * The fault of a row, without any of its values; undefined if it has none.
 *
 * @param vault undefined if the keys do not match the data; no account number is opened then
 */
type RowCheck<Row> = (row: Row, vault: Vault | undefined) => string | undefined

/** The fault of a tree whose rows passed their own checks. The root comes first. */
type TreeCheck = (tree: TreeRow, transactions: readonly TransactionRow[]) => string | undefined

/** Every column that names a row of another table. */
export const references: readonly Reference[] = [
  { table: 'entity', column: 'parent_id', names: 'entity' },
  { table: 'risk_rules', column: 'entity_id', names: 'entity' },
  { table: 'access_token', column: 'entity_id', names: 'entity' },
  { table: 'tree', column: 'id', names: 'root transaction' },
  { table: 'payment_transaction', column: 'root_id', names: 'tree', of: 'r.id = r.root_id' },
  { table: 'payment_transaction', column: 'root_id', names: 'root transaction', of: 'r.id <> r.root_id' },
  { table: 'payment_transaction', column: 'channel', names: 'entity' },
  { table: 'payment_transaction', column: 'account_id', names: 'account' },
  { table: 'payment_transaction', column: 'registration_id', names: 'registration' },
  { table: 'account', column: 'id', names: 'payment_transaction' },
  { table: 'registration', column: 'id', names: 'tree' },
  { table: 'registration', column: 'account_id', names: 'account' },
  { table: 'velocity', column: 'id', names: 'payment_transaction' },
  { table: 'idempotency_key', column: 'merchant', names: 'entity' },
  { table: 'unique_key', column: 'transaction_id', names: 'payment_transaction' },
  { table: 'job', column: 'subject_id', names: 'payment_transaction', of: `r.kind = 'end-attempt'` },
  { table: 'job', column: 'subject_id', names: 'root transaction', of: `r.kind = 'end-authorisation'` },
  { table: 'job', column: 'subject_id', names: 'registration', of: `r.kind = 'end-registration'` },
  { table: 'job', column: 'subject_id', names: 'schedule', of: `r.kind = 'run-schedule'` },
  { table: 'job', column: 'subject_id', names: 'visit', of: `r.kind = 'follow-visit'` },
  // Dead-lettered calls are kept longer than their checkouts.
  {
    table: 'job',
    column: 'subject_id',
    names: 'checkout',
    of: `r.kind = 'safety-call' AND r.parked_at_ms IS NULL AND r.done_at_ms IS NULL`,
  },
  // Delivered and dead-lettered events are kept longer than the rows that they are about.
  {
    table: 'job',
    column: 'subject_id',
    names: 'event',
    of: `r.kind IN ('delivery', 'notification') AND r.parked_at_ms IS NULL AND r.done_at_ms IS NULL`,
  },
  { table: 'job', column: 'lane', names: 'webhook', of: `r.kind = 'delivery'` },
  { table: 'event', column: 'root_id', names: 'tree' },
  { table: 'event', column: 'entity_id', names: 'entity' },
  { table: 'delivery_attempt', column: 'delivery_id', names: 'job' },
  { table: 'webhook', column: 'entity_id', names: 'entity' },
  { table: 'webhook_key', column: 'webhook_id', names: 'webhook' },
  { table: 'schedule', column: 'id', names: 'payment_transaction' },
  { table: 'schedule', column: 'registration_id', names: 'registration' },
  { table: 'schedule', column: 'chain_id', names: 'schedule' },
  { table: 'checkout', column: 'entity_id', names: 'entity' },
  { table: 'checkout', column: 'transaction_id', names: 'payment_transaction' },
  { table: 'visit', column: 'transaction_id', names: 'payment_transaction' },
]

/** The checks of each row by itself. */
const rowChecks: { readonly [T in keyof Schema]?: readonly RowCheck<Schema[T]>[] } = {
  installation: [hasLead],
  entity: [json('settings'), known('kind', isEntityKind)],
  risk_rules: [json('rules')],
  access_token: [hasHash, known('rights', (rights) => rights === '' || rights.split(' ').every(isRight))],
  payment_transaction: [
    json('facts'),
    json('echo'),
    json('outcome'),
    known('status', isStatus),
    known('currency', isCurrency),
    known('brand', isBrand),
    known('method', isPaymentMethod),
    known('test_mode', isTestMode),
    known('result_code', isResultCode),
  ],
  account: [json('details'), known('kind', isAccountKind), known('brand', isBrand), opensNumber],
  registration: [json('agreements')],
  idempotency_key: [json('answer'), known('result_code', isResultCode)],
  event: [json('payload')],
  webhook: [json('settings')],
  webhook_key: [opensKey],
  schedule: [json('plan')],
  checkout: [json('parameters')],
  visit: [json('parameters'), json('progress'), known('kind', isSessionKind)],
}

/** Any fault of a row by itself. */
export function faultsIn<T extends keyof Schema>(
  table: T,
  row: Schema[T],
  vault: Vault | undefined,
): readonly string[] {
  const checks: readonly RowCheck<Schema[T]>[] = rowChecks[table] ?? []
  return [...checks, hasTimes].flatMap((check) => check(row, vault) ?? [])
}

/** The checks of each tree; the first fault is reported. */
export const treeChecks: readonly TreeCheck[] = [hasVersion, hasReferences, isLegal]

function hasLead({ name, value }: InstallationRow): string | undefined {
  return name === CLOCK_AHEAD && parseMilliseconds(value) === undefined ? CLOCK_REPAIR : undefined
}

function json(column: string): RowCheck<object> {
  return (row) => {
    const text: string | null = Reflect.get(row, column)
    return text === null || isJson(text) ? undefined : `${column} is not JSON`
  }
}

/** A column whose values are one of a list; null is for the constraints of the table. */
function known(column: string, isKnown: (text: string) => boolean): RowCheck<object> {
  return (row) => {
    const text: string | null = Reflect.get(row, column)
    return text === null || isKnown(text) ? undefined : `${column} has a value that this version does not know`
  }
}

function isEntityKind(kind: string): boolean {
  return ['psp', 'division', 'merchant', 'channel'].includes(kind)
}

/** A gateway writes no time before 1970 or long after the end of its clock. */
const LAST_TIME_MS = Date.UTC(2200, 0, 1)

function hasTimes(row: object): string | undefined {
  const wrong = Object.entries(row).find(
    ([column, value]) => column.endsWith('_ms') && typeof value === 'number' && !(value >= 0 && value < LAST_TIME_MS),
  )
  return wrong && `${wrong[0]} is no time between 1970 and 2200`
}

/** HMAC-SHA-256 */
const HASH_BYTES = 32

function hasHash({ hash }: AccessTokenRow): string | undefined {
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

function opensNumber(row: AccountRow, vault: Vault | undefined): string | undefined {
  const parts = [row.sealed, row.wrapped_key, row.key_id].filter((part) => part !== null)
  if (parts.length % 3 !== 0) return 'its number, the key to it and the name of that are not erased together'
  const sealed = sealedOf(row)
  return sealed && vault && fault(() => differsFrom(vault.unseal(sealed, row), row, vault), 'its number')
}

/** Compares the plain columns of an account with its number, which is wiped. */
function differsFrom(number: Secret, row: AccountRow, vault: Vault): string | undefined {
  try {
    const { bin, last4, fingerprint, fingerprint_key_id: keyId } = row
    const [begins, ends] = number.use((bytes) => {
      const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      return [
        bin === null || digits.indexOf(bin) === 0,
        last4 === null || digits.subarray(-last4.length).equals(Buffer.from(last4)),
      ]
    })
    if (!begins) return 'bin differs from the start of the number'
    if (!ends) return 'last4 differs from the end of the number'
    const made = vault.fingerprints(number).find((one) => one.keyId === keyId)
    const isSame =
      !made || !fingerprint || (fingerprint.length === made.code.length && timingSafeEqual(fingerprint, made.code))
    return isSame ? undefined : 'fingerprint differs from that of the number'
  } finally {
    number.wipe()
  }
}

function opensKey(row: WebhookKeyRow, vault: Vault | undefined): string | undefined {
  return vault && fault(() => void openWebhookKey(vault, row), 'it')
}

/** @param open returns the fault of the opened value */
function fault(open: () => string | undefined, what: string): string | undefined {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return `${what} cannot be opened: ${error.message}`
  }
}

/** Each transaction but the first moved its tree on by one, and so do a few other changes. */
function hasVersion({ version }: TreeRow, transactions: readonly TransactionRow[]): string | undefined {
  const { length } = transactions
  return version >= length ? undefined : `version ${version} is too low for ${length} transactions`
}

function hasReferences(_tree: TreeRow, [root, ...others]: readonly TransactionRow[]): string | undefined {
  if (root?.referenced_id !== null) return 'its root refers to another transaction'
  const ids = new Set([root.id, ...others.map(({ id }) => id)])
  const stray = others.find(({ referenced_id }) => referenced_id === null || !ids.has(referenced_id))
  return stray && `${stray.id} refers to nothing in it`
}

/** Of a payment: whether the rules could have made it. */
function isLegal(tree: TreeRow, transactions: readonly TransactionRow[]): string | undefined {
  try {
    const payment = paymentTree({ id: tree.id, merchant: tree.merchant, version: tree.version, transactions })
    return payment && faultOf(payment)
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be read'
  }
}
