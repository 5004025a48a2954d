import { isBuiltInConnector } from '@tollgate/domain'
import { type ConnectorRow, type JobRow, StorageError, type TransactionRow } from '@tollgate/storage'
import { connectorOfRow } from '../acquirer/connector-of.ts'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import { type ConnectorCache, type ConnectorState, isExisting } from '../connectors/connector-cache.ts'
import { type CredentialsColumns, hasCredentials, noCredentials, sealCredentials } from '../connectors/credentials.ts'
import type { Context } from '../context.ts'
import { type RouteSet, readRoutes } from '../directory/routes.ts'
import { limits } from '../limits.ts'
import { AFTER_ALL_IDS, POLL_SESSION, REVERSAL_JOB } from '../records/timers.ts'

/** The dependencies of changes of connectors. */
export interface ConnectorContext extends Context {
  readonly connectorCache: ConnectorCache
}

/** The members of settings that determine to which server credentials are shown, by path, with their values. */
export type TargetMembers = Readonly<Record<string, string | undefined>>

/** The settings of a connector, as they were validated by its kind. */
export interface ConnectorSettings {
  readonly text: string
  readonly targets: TargetMembers
}

/** A change of a connector; members that are undefined stay unchanged. */
export interface ConnectorChange {
  readonly settings?: { readonly from: ConnectorSettings; readonly to: ConnectorSettings } | undefined
  readonly state?: ConnectorState | undefined
  /** null: they are removed. */
  readonly credentials?: object | null | undefined
}

/**
 * conflict: the stored row was changed concurrently. credentials: the member of the settings was changed, and so the
 * credentials must be sent again. In both cases nothing was written.
 */
export type ConnectorOutcome =
  | { readonly kind: 'saved'; readonly row: ConnectorRow }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'credentials'; readonly member: string }

/**
 * Creates a connector.
 *
 * @returns 'taken': the name is that of another connector, which may be deleted, or of a built-in one
 */
export async function createConnector(
  context: ConnectorContext,
  { name, kind, state }: { readonly name: string; readonly kind: string; readonly state: ConnectorState },
  settings: ConnectorSettings,
  credentials: object | undefined,
): Promise<ConnectorRow | 'taken'> {
  if (isBuiltInConnector(name)) return 'taken'
  const nowMs = context.clock.now()
  const row: ConnectorRow = {
    id: name,
    kind,
    settings: settings.text,
    ...(credentials ? await sealCredentials(context.vault, name, credentials, nowMs) : noCredentials),
    state,
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
    deleted_at_ms: null,
  }
  try {
    await commitChange(context, { rows: { connector: [row] } })
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'constraint') return 'taken'
    throw error
  }
  stored(context, row, 'created')
  return row
}

/**
 * Changes a connector. A change of the server needs the credentials again, so that stored credentials are never sent
 * to another server.
 *
 * @param from the stored row as it was read
 */
export async function changeConnector(
  context: ConnectorContext,
  from: ConnectorRow,
  { settings, state, credentials }: ConnectorChange,
): Promise<ConnectorOutcome> {
  const member = settings && changedMember(settings.from.targets, settings.to.targets)
  if (member !== undefined && hasCredentials(from) && credentials === undefined) return { kind: 'credentials', member }
  const nowMs = context.clock.now()
  const columns = await credentialsColumns(context, from, credentials)
  const to: ConnectorRow = {
    ...from,
    ...columns,
    settings: settings?.to.text ?? from.settings,
    state: state ?? from.state,
    changed_at_ms: nowMs,
  }
  const what = credentials === undefined ? 'changed' : 'changed with credentials'
  return (await replace(context, from, to, what)) ? { kind: 'saved', row: to } : { kind: 'conflict' }
}

async function credentialsColumns(
  { vault, clock }: ConnectorContext,
  { id }: ConnectorRow,
  credentials: ConnectorChange['credentials'],
): Promise<Partial<CredentialsColumns>> {
  if (credentials === undefined) return {}
  return credentials === null ? noCredentials : sealCredentials(vault, id, credentials, clock.now())
}

/** The first member whose value differs, is new or is gone. */
function changedMember(from: TargetMembers, to: TargetMembers): string | undefined {
  return [...Object.keys(to), ...Object.keys(from)].find((member) => from[member] !== to[member])
}

/**
 * Deletes a connector and erases its credentials. Its name stays taken, because attempts refer to it. Nothing can be
 * sent to its acquirer any more, so it is refused while payments need the connector.
 *
 * @returns the reason for which it was refused; 'conflict' if the stored row was changed concurrently
 */
export async function deleteConnector(
  context: ConnectorContext,
  from: ConnectorRow,
): Promise<'deleted' | 'conflict' | { readonly reason: string }> {
  const reason = (await namedByRoutes(context, from.id)) ?? (await neededByPayments(context, from.id))
  if (reason !== undefined) return { reason }
  const nowMs = context.clock.now()
  const to = { ...from, ...noCredentials, state: 'disabled', changed_at_ms: nowMs, deleted_at_ms: nowMs }
  return (await replace(context, from, to, 'deleted')) ? 'deleted' : 'conflict'
}

/** Routes are read from the storage, because the notification of a change by another process may not have arrived. */
async function namedByRoutes({ storage }: ConnectorContext, name: string): Promise<string | undefined> {
  const leadsToIt = ({ routes }: RouteSet) =>
    routes.some(({ targets }) => targets.some(({ connector }) => connector === name))
  const entities = (await storage.routeLists())
    .filter(({ routes }) => routes !== null && leadsToIt(readRoutes(routes)))
    .map(({ entity_id: entityId }) => entityId)
  if (entities.length === 0) return undefined
  const shown = entities.slice(0, limits.namedEntitiesMax).join(', ')
  return `routes of ${entities.length} ${entities.length === 1 ? 'entity' : 'entities'} name it: ${shown}`
}

/** The payments without a final result, by the kind of their jobs. */
const openPayments: Readonly<
  Record<string, (context: ConnectorContext, jobs: readonly JobRow[]) => Promise<readonly TransactionRow[]>>
> = { [REVERSAL_JOB]: unansweredPayments, [POLL_SESSION]: pendingPayments }

/**
 * Whether requests to the connector have no final result yet: their reversals and inquiries are sent to it. Those that
 * wait for an operator are among them.
 */
async function neededByPayments(context: ConnectorContext, name: string): Promise<string | undefined> {
  for (const [kind, paymentsOf] of Object.entries(openPayments)) {
    let [before, count, hasMore] = [AFTER_ALL_IDS, 0, true]
    while (hasMore) {
      if (count >= limits.openPaymentsMax) return 'too many payments have no final result: retry later'
      const jobs = await context.storage.jobsBefore(kind, '', before, limits.openPaymentsRead)
      for (const row of await paymentsOf(context, jobs))
        if ((await connectorOfRow(context, row)).name === name)
          return `payment ${row.id} has no final result: retry when it has one`
      before = jobs.at(-1)?.id ?? before
      count += jobs.length
      hasMore = jobs.length === limits.openPaymentsRead
    }
  }
  return undefined
}

async function unansweredPayments(
  { storage }: ConnectorContext,
  jobs: readonly JobRow[],
): Promise<readonly TransactionRow[]> {
  return storage.transactions(jobs.map(({ subject_id: id }) => id))
}

const decided: ReadonlySet<string> = new Set(['ACK', 'NOK'])

async function pendingPayments(
  { storage }: ConnectorContext,
  jobs: readonly JobRow[],
): Promise<readonly TransactionRow[]> {
  const ids: string[] = []
  for (const { subject_id: id } of jobs) {
    const session = await storage.session(id)
    if (session) ids.push(session.transaction_id)
  }
  return (await storage.transactions(ids)).filter(({ status }) => !decided.has(status))
}

/** @returns false if the stored row is no longer `from`; nothing was written, and the cache has the stored row */
async function replace(
  context: ConnectorContext,
  from: ConnectorRow,
  to: ConnectorRow,
  what: string,
): Promise<boolean> {
  // Replaced credentials are also removed from the files of the storage.
  const erases = from.sealed !== null && from.sealed !== to.sealed
  if (!(await commitChange(context, { compareAndSets: [{ table: 'connector', from, to }], erases }))) {
    await context.connectorCache.reload()
    return false
  }
  stored(context, to, what)
  return true
}

/** An auditor finds in these lines when connectors were changed. */
function stored({ connectorCache, log }: ConnectorContext, row: ConnectorRow, what: string): void {
  connectorCache.put(row)
  audit(log, 'connector changed', { connector: row.id, change: what, state: isExisting(row) ? row.state : 'deleted' })
}
