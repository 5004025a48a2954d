import type { Registration } from '@tollgate/domain'
import type { RegistrationRow } from '@tollgate/storage'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { placeOf } from './place.ts'

/** A registration was made, or ended, in the test environment (contract: "the code 000.100.110 is shown"). */
export const REGISTRATION_DONE = '000.100.110'

/** The registration that the path names, if it is this merchant's; another merchant's looks like none. */
export async function registrationOf(gateway: Gateway, call: Call): Promise<Registration | undefined> {
  const row = await gateway.storage.registration(call.id)
  if (!row || placeOf(gateway, call, row) === 'unknown') return undefined
  return {
    id: row.id,
    channel: row.channel,
    accountId: row.account_id,
    state: row.state,
    createdAtMs: row.created_at_ms,
    deletedAtMs: row.deleted_at_ms,
  }
}

export function registrationRow(registration: Registration, merchant: string): RegistrationRow {
  return {
    id: registration.id,
    merchant,
    channel: registration.channel,
    account_id: registration.accountId,
    state: registration.state,
    created_at_ms: registration.createdAtMs,
    deleted_at_ms: registration.deletedAtMs,
  }
}
