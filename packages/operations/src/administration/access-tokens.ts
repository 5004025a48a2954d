import { randomBytes } from 'node:crypto'
import type { AccessTokenRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'

/** A new access token, which is shown once, and its row, which contains its keyed hash. */
export interface IssuedToken {
  readonly token: string
  readonly row: AccessTokenRow
}

/**
 * Creates and stores an access token.
 *
 * @param rights separated by spaces
 */
export async function issueToken(
  context: Context,
  entityId: string,
  rights: string,
  expiresAtMs: number | null,
): Promise<IssuedToken> {
  const issued = generateToken(context, entityId, rights, expiresAtMs)
  await commitChange(context, { rows: { access_token: [issued.row] } })
  context.directory.putToken(issued.row)
  return issued
}

/**
 * Issues a token without expiry that replaces another token. The replaced token expires after the overlap, unless its
 * own expiry is earlier.
 *
 * @param old the stored row of the replaced token
 * @returns 'ended': the replaced token was no longer valid; undefined: its stored row has changed. In both cases
 *   nothing was written
 */
export async function rotateToken(
  context: Context,
  old: AccessTokenRow,
  overlapSeconds: number,
): Promise<IssuedToken | 'ended' | undefined> {
  const nowMs = context.clock.now()
  if (old.revoked_at_ms !== null || (old.expires_at_ms !== null && old.expires_at_ms <= nowMs)) return 'ended'
  const overlapEndsMs = nowMs + overlapSeconds * 1000
  const issued = generateToken(context, old.entity_id, old.rights, null)
  const expiresAtMs = Math.min(old.expires_at_ms ?? overlapEndsMs, overlapEndsMs)
  // Without an overlap the old token is revoked, so that its validity does not depend on a clock.
  const ending = { ...old, expires_at_ms: expiresAtMs, revoked_at_ms: overlapSeconds === 0 ? nowMs : null }
  return (await changeToken(context, old, ending, [issued.row])) ? issued : undefined
}

/** @returns undefined: the stored row has changed, and nothing was written */
export async function revokeToken(context: Context, row: AccessTokenRow): Promise<AccessTokenRow | undefined> {
  const revoked = { ...row, revoked_at_ms: context.clock.now() }
  return (await changeToken(context, row, revoked, [])) ? revoked : undefined
}

async function changeToken(
  context: Context,
  from: AccessTokenRow,
  to: AccessTokenRow,
  added: readonly AccessTokenRow[],
): Promise<boolean> {
  const compareAndSets = [{ table: 'access_token' as const, from, to }]
  if (!(await commitChange(context, { compareAndSets, rows: { access_token: added } }))) return false
  for (const row of [to, ...added]) context.directory.putToken(row)
  return true
}

function generateToken(
  { ids, vault, clock }: Context,
  entityId: string,
  rights: string,
  expiresAtMs: number | null,
): IssuedToken {
  const id = ids.random()
  const token = Buffer.from(`${id}|${randomBytes(18).toString('base64url')}`).toString('base64')
  const row = {
    id,
    entity_id: entityId,
    user_id: id,
    hash: vault.mac('token', token),
    rights,
    created_at_ms: clock.now(),
    expires_at_ms: expiresAtMs,
    revoked_at_ms: null,
  }
  return { token, row }
}
