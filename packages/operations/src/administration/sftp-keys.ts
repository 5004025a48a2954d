import type { SftpKeyRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'

interface Dependencies extends Pick<Context, 'storage' | 'ids' | 'log'> {
  readonly clock: Pick<Clock, 'now'>
}

/** A public key that a merchant is to log in with. */
interface NewSftpKey {
  readonly merchant: string
  readonly label: string
  /** A line of OpenSSH without a comment. */
  readonly publicKey: string
  readonly fingerprint: string
}

/**
 * Stores a key of the SFTP server. The oldest revoked keys of the merchant are removed if there are too many.
 *
 * @returns 'known': the merchant has the key; 'tooMany': the merchant or the installation has as many keys as it may
 */
export async function addSftpKey(
  dependencies: Dependencies,
  { merchant, label, publicKey, fingerprint }: NewSftpKey,
): Promise<SftpKeyRow | 'known' | 'tooMany'> {
  const { storage, ids, clock, log } = dependencies
  const all = await storage.sftpKeys()
  const valid = all.filter((key) => key.revoked_at_ms === null)
  const own = valid.filter((key) => key.entity_id === merchant)
  if (own.some((key) => key.fingerprint === fingerprint)) return 'known'
  if (own.length >= limits.sftpKeysPerMerchant || valid.length >= limits.sftpKeysMax) return 'tooMany'
  const row: SftpKeyRow = {
    id: ids.ordered(),
    entity_id: merchant,
    label,
    public_key: publicKey,
    fingerprint,
    created_at_ms: clock.now(),
    last_used_at_ms: null,
    revoked_at_ms: null,
  }
  const revoked = all.filter((key) => key.entity_id === merchant && key.revoked_at_ms !== null)
  const surplus = revoked.slice(0, Math.max(0, revoked.length - limits.revokedSftpKeysPerMerchant))
  await commitChange(dependencies, { rows: { sftp_key: [row] } })
  for (const from of surplus)
    await commitChange(dependencies, { compareAndSets: [{ table: 'sftp_key', from, to: null }] })
  audit(log, 'SFTP key added', { key: row.id, entity: merchant, fingerprint })
  return row
}

/** @returns the revoked row; undefined: the stored row has changed, and nothing was written */
export async function revokeSftpKey(dependencies: Dependencies, from: SftpKeyRow): Promise<SftpKeyRow | undefined> {
  if (from.revoked_at_ms !== null) return from
  const to = { ...from, revoked_at_ms: dependencies.clock.now() }
  if (!(await commitChange(dependencies, { compareAndSets: [{ table: 'sftp_key', from, to }] }))) return undefined
  audit(dependencies.log, 'SFTP key revoked', { key: to.id, entity: to.entity_id, fingerprint: to.fingerprint })
  return to
}

/** Stores the last use of the keys of logins, at most once in a while for each key. */
export async function recordSftpLogins(
  dependencies: Dependencies,
  logins: readonly { readonly user: string; readonly fingerprint: string }[],
): Promise<void> {
  if (logins.length === 0) return
  const nowMs = dependencies.clock.now()
  for (const from of await dependencies.storage.sftpKeys()) {
    const isUsed = logins.some(({ user, fingerprint }) => user === from.entity_id && fingerprint === from.fingerprint)
    const isRecent = from.last_used_at_ms !== null && nowMs - from.last_used_at_ms < limits.sftpLastUseMs
    if (!isUsed || isRecent) continue
    // After a conflict the key was revoked, or another process has stored the use; the next login is stored.
    const to = { ...from, last_used_at_ms: nowMs }
    await commitChange(dependencies, { compareAndSets: [{ table: 'sftp_key', from, to }] })
  }
}
