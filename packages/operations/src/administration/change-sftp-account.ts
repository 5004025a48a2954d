import type { SftpAccountRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import { jobDone, jobPostponed } from '../job-transitions.ts'
import type { SftpCredentials, SftpServer } from '../ports/sftp-client.ts'
import { erasedCredentials, sealSftpCredentials } from '../sftp/account-credentials.ts'
import { changedServerMember } from '../sftp/account-settings.ts'
import type { SftpAccountState, SftpPurpose } from '../sftp/sftp-accounts.ts'
import { pullJobsOf, SETTLEMENT_PULL } from '../sftp/settlement-pull.ts'
import type { SftpContext } from '../sftp/sftp-context.ts'

/** The settings of an account, as they were validated for its purpose. */
export interface SftpSettings {
  readonly server: SftpServer
}

interface NewAccount {
  readonly entityId: string | null
  readonly purpose: SftpPurpose
  readonly settings: SftpSettings
  readonly credentials: SftpCredentials
  readonly state: SftpAccountState
}

/** Creates an account at an SFTP server, with sealed credentials. A source of settlement files is polled at once. */
export async function createSftpAccount(context: SftpContext, account: NewAccount): Promise<SftpAccountRow> {
  const id = context.ids.sequenced()
  const nowMs = context.clock.now()
  const row: SftpAccountRow = {
    id,
    entity_id: account.entityId,
    purpose: account.purpose,
    settings: JSON.stringify(account.settings),
    ...(await sealSftpCredentials(context.vault, id, account.credentials, nowMs)),
    state: account.state,
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
    deleted_at_ms: null,
  }
  await commitChange(context, { rows: { sftp_account: [row], job: pullJobsOf(row) } })
  logged(context, row, 'created')
  return row
}

/** A change of an account; members that are undefined stay unchanged. */
interface SftpAccountChange {
  readonly settings?: { readonly from: SftpSettings; readonly to: SftpSettings } | undefined
  readonly state?: SftpAccountState | undefined
  readonly credentials?: SftpCredentials | undefined
}

/**
 * conflict: the stored row was changed concurrently. credentials: the member of the server was changed, and so the
 * credentials must be sent again. In both cases nothing was written.
 */
export type SftpAccountOutcome =
  | { readonly kind: 'saved'; readonly row: SftpAccountRow }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'credentials'; readonly member: string }

/**
 * Changes an account. A change of the server needs the credentials again, so that stored credentials are never sent to
 * another server. A source of settlement files is polled at once, also after failures.
 *
 * @param from the stored row as it was read
 */
export async function changeSftpAccount(
  context: SftpContext,
  from: SftpAccountRow,
  { settings, state, credentials }: SftpAccountChange,
): Promise<SftpAccountOutcome> {
  const member = settings && changedServerMember(settings.from.server, settings.to.server)
  if (member !== undefined && credentials === undefined) return { kind: 'credentials', member }
  const nowMs = context.clock.now()
  const columns = credentials && (await sealSftpCredentials(context.vault, from.id, credentials, nowMs))
  const row: SftpAccountRow = {
    ...from,
    ...columns,
    settings: settings ? JSON.stringify(settings.to) : from.settings,
    state: state ?? from.state,
    changed_at_ms: nowMs,
  }
  const isChanged = await replace(context, from, row, credentials ? 'changed with credentials' : 'changed')
  return isChanged ? { kind: 'saved', row } : { kind: 'conflict' }
}

/**
 * Deletes an account and erases its credentials.
 *
 * @returns undelivered: there are files that were not delivered, and nothing was written; conflict: the stored row was
 *   changed concurrently
 */
export async function deleteSftpAccount(
  context: SftpContext,
  from: SftpAccountRow,
): Promise<'deleted' | 'undelivered' | 'conflict'> {
  const deliveries = await context.storage.sftpDeliveriesBefore(from.id, `${from.id}.`, UNDELIVERED_READ)
  if (deliveries.some(({ state }) => state === 'composing' || state === 'waiting')) return 'undelivered'
  const nowMs = context.clock.now()
  const to = { ...from, ...erasedCredentials, state: 'disabled', changed_at_ms: nowMs, deleted_at_ms: nowMs }
  return (await replace(context, from, to, 'deleted')) ? 'deleted' : 'conflict'
}

/** The newest deliveries that are examined: those of a year. */
const UNDELIVERED_READ = 366

/** @returns false if the stored row is no longer `from`; nothing was written */
async function replace(context: SftpContext, from: SftpAccountRow, to: SftpAccountRow, what: string): Promise<boolean> {
  // Replaced credentials are also removed from the files of the storage.
  const erases = from.sealed !== to.sealed
  const account = { table: 'sftp_account' as const, from, to }
  const compareAndSets = [account, ...(await pullsAfter(context, to))]
  if (!(await commitChange(context, { compareAndSets, erases }))) return false
  logged(context, to, what)
  return true
}

/** The job of a source after a change: due at once, or removed with the source. */
async function pullsAfter({ storage, clock }: SftpContext, { id, deleted_at_ms: deletedAtMs }: SftpAccountRow) {
  const job = await storage.job(id)
  if (job?.kind !== SETTLEMENT_PULL) return []
  return [deletedAtMs === null ? jobPostponed(job, clock.now(), 0) : jobDone(job)]
}

/** An auditor finds in these lines when accounts were changed. */
const logged = ({ log }: SftpContext, { id, purpose, state }: SftpAccountRow, change: string): void =>
  audit(log, 'SFTP account changed', { sftpAccount: id, purpose, change, state })
