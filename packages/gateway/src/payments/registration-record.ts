import type { Registration } from '@tollgate/domain'
import type { RegistrationRow } from '@tollgate/storage'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'

/** The registration that the path names, if the caller may see it. */
export async function registrationOf({ storage, directory }: Gateway, call: Call): Promise<Registration | undefined> {
  const row = await storage.registration(call.id)
  if (!row || !mayReach(row)) return undefined
  return {
    id: row.id,
    channel: row.channel,
    accountId: row.account_id,
    state: row.state,
    createdAtMs: row.created_at_ms,
    deletedAtMs: row.deleted_at_ms,
  }

  /** With an entityId its merchant decides; without one, what the token reaches. */
  function mayReach({ merchant, channel }: RegistrationRow): boolean {
    const [sent] = call.channels
    return sent ? sent.merchant === merchant : directory.reaches(call.caller, channel)
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
