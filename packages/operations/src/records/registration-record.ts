import type { ResultCode } from '@tollgate/contract'
import {
  type Agreements,
  withLastUse,
  cardExpiresAtMs,
  instructionTypes,
  type Refused,
  refused,
  type Registration,
  isTestMode,
  successCode,
} from '@tollgate/domain'
import type { AccountRow, RegistrationRow, Storage, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { Head } from '../request-head.ts'
import { Type } from 'typebox'
import { narrow } from '../narrow.ts'
import type { MaskedAccount } from './masked-account.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { storedReader } from './stored-json.ts'

/** The result code of a registration that was created, changed or ended, in the test mode of the registration. */
export const registrationSuccess = ({ test_mode }: Pick<TransactionRow, 'test_mode'>): ResultCode =>
  successCode(narrow(isTestMode, test_mode))

/** Refuses a change of a registration, or a plan of charges, in another test mode than that of the registration. */
export function testModeRefusal(
  { testMode }: ReferenceData,
  { test_mode }: Pick<TransactionRow, 'test_mode'>,
): Refused | undefined {
  if (testMode === undefined || testMode === test_mode) return undefined
  return refused('700.100.600', `the registration was made with testMode ${test_mode}: send that, or none`)
}

/** A registration by its id; undefined if there is none or if it belongs to another merchant. */
export async function registrationOf(context: Context, head: Head, id: string): Promise<Registration | undefined> {
  const row = await context.storage.registration(id)
  return row && visibilityOf(context, head, row) !== 'unknown'
    ? currentRegistration(context.storage, row, head.atMs)
    : undefined
}

/**
 * The current state of a stored registration. If its account has no expiry date, its expiry depends on its last use,
 * which is read only once the stored expiry has passed.
 */
export async function currentRegistration(storage: Storage, row: RegistrationRow, atMs: number): Promise<Registration> {
  const registration = registrationFrom(row)
  if (atMs < registration.expiresAtMs || registration.deletedAtMs !== null) return registration
  const account = await storage.account(registration.accountId)
  const usedAtMs = account && accountExpiresAtMs(account) === null ? await storage.lastUse(row.id) : undefined
  return usedAtMs === undefined ? registration : withLastUse(registration, usedAtMs)
}

const readAgreements: (text: string) => Agreements = storedReader(
  Type.Partial(Type.Record(Type.Enum([...instructionTypes]), Type.String())),
)

function registrationFrom(row: RegistrationRow): Registration {
  return {
    id: row.id,
    channel: row.channel,
    accountId: row.account_id,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    extendedAtMs: row.extended_at_ms,
    verifiedAtMs: row.verified_at_ms,
    initialTransactionId: row.initial_transaction_id,
    agreements: readAgreements(row.agreements),
    deletedAtMs: row.deleted_at_ms,
  }
}

export function registrationRow(registration: Registration, merchant: string): RegistrationRow {
  return {
    id: registration.id,
    merchant,
    channel: registration.channel,
    account_id: registration.accountId,
    created_at_ms: registration.createdAtMs,
    expires_at_ms: registration.expiresAtMs,
    extended_at_ms: registration.extendedAtMs,
    verified_at_ms: registration.verifiedAtMs,
    initial_transaction_id: registration.initialTransactionId,
    agreements: JSON.stringify(registration.agreements),
    deleted_at_ms: registration.deletedAtMs,
  }
}

/** The time at which an account expires, as a card does; null for an account without an expiry date. */
export const accountExpiresAtMs = (account: AccountRow): number | null =>
  maskedAccountExpiresAtMs({
    expiryMonth: account.expiry_month,
    expiryYear: account.expiry_year,
  })

export function maskedAccountExpiresAtMs({
  expiryMonth,
  expiryYear,
}: Pick<MaskedAccount, 'expiryMonth' | 'expiryYear'>): number | null {
  return expiryMonth && expiryYear ? cardExpiresAtMs({ expiryMonth, expiryYear }) : null
}

/** Restricts a request to the channel of a registration, if that channel is one of the request's channels. */
export function restrictToChannel<Request extends Head>(request: Request, stored: Registration | undefined): Request {
  const ownChannels = request.channels.filter(({ id }) => id === stored?.channel)
  return ownChannels.length === 0 || ownChannels.length === request.channels.length
    ? request
    : { ...request, channels: ownChannels }
}
