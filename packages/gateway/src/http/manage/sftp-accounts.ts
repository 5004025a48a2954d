import {
  changeSftpAccount,
  createSftpAccount,
  deleteSftpAccount,
  existingAccounts,
  isSftpPurpose,
  type SftpCredentials,
  type SftpServer,
  testSftpAccount,
} from '@tollgate/operations'
import type { SftpAccountRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

type NewAccount = Parameters<typeof createSftpAccount>[1]

/** What the routes of SFTP targets and those of sources of settlement files have in common. */
interface Kind<Settings extends { readonly server: SftpServer }> {
  /** For messages, such as `SFTP target`. */
  readonly name: string
  readonly purposes: readonly string[]
  readonly settingsOf: (row: SftpAccountRow) => Settings
  /** The fault of the settings, with the path of the member; undefined: there is none. */
  readonly faultOf: (settings: Settings) => string | undefined
}

interface Change<Settings> {
  readonly settings: Partial<Settings>
  readonly state?: NewAccount['state'] | undefined
  readonly credentials?: SftpCredentials | undefined
}

/** The operations on accounts of one kind, for its routes. */
export function sftpAccountOperations<Settings extends { readonly server: SftpServer }>(
  gateway: Gateway,
  { name, purposes, settingsOf, faultOf }: Kind<Settings>,
) {
  const { storage, clock, sftp } = gateway

  const allOfKind = async () => (await existingAccounts(storage)).filter(({ purpose }) => purposes.includes(purpose))

  async function existing(id: string): Promise<SftpAccountRow> {
    const row = await storage.sftpAccount(id)
    if (row?.deleted_at_ms === null && purposes.includes(row.purpose)) return row
    throw new ManageError(404, `There is no ${name} ${id}.`)
  }

  function requireValid(settings: Settings, credentials: SftpCredentials | undefined): void {
    const serverFault = sftp.serverFault(settings.server)
    if (serverFault !== undefined) throw new ManageError(400, `body/server/${serverFault}.`)
    const fault = faultOf(settings)
    if (fault !== undefined) throw new ManageError(400, `body/${fault}.`)
    const credentialsFault = credentials && sftp.credentialsFault(credentials)
    if (credentialsFault !== undefined) throw new ManageError(400, `body/credentials: ${credentialsFault}`)
  }

  /** An account for operators, without its credentials. */
  const view = (row: SftpAccountRow) => ({
    id: row.id,
    ...(row.entity_id !== null && { entityId: row.entity_id, purpose: row.purpose }),
    ...settingsOf(row),
    state: row.state,
    credentialsChangedAt: timeOf(row.credentials_at_ms),
    createdAt: timeOf(row.created_at_ms),
    changedAt: timeOf(row.changed_at_ms),
  })

  return {
    existing,
    view,
    async list(entityId?: string) {
      const rows = (await allOfKind()).filter((row) => entityId === undefined || row.entity_id === entityId)
      return { rows: rows.slice(0, limits.listMax).map(view), total: rows.length }
    },
    async create(account: Omit<NewAccount, 'settings' | 'purpose'> & { purpose: string; settings: Settings }) {
      const { purpose, settings, credentials, entityId } = account
      if (!isSftpPurpose(purpose)) throw new ManageError(400, `body/purpose must be one of ${purposes.join(', ')}.`)
      requireValid(settings, credentials)
      const others = await allOfKind()
      if (entityId !== null && others.some((row) => row.entity_id === entityId && row.purpose === purpose))
        throw new ManageError(409, `The entity has a ${name} for ${purpose}: change it instead.`)
      if (others.length >= limits.sftpAccountsMax)
        throw new ManageError(409, `There are ${limits.sftpAccountsMax} of them: delete a ${name} that is not used.`)
      return view(await createSftpAccount(gateway, { ...account, purpose }))
    },
    change: (id: string, { settings, state, credentials }: Change<Settings>) =>
      retryOnConflict(async () => {
        const row = await existing(id)
        const from = settingsOf(row)
        const to = { ...from, ...withoutUndefined(settings) }
        requireValid(to, credentials)
        const outcome = await changeSftpAccount(gateway, row, { settings: { from, to }, state, credentials })
        if (outcome.kind === 'credentials')
          throw new ManageError(409, `body/server/${outcome.member} was changed: send body/credentials again, too.`)
        return outcome.kind === 'saved' ? view(outcome.row) : undefined
      }),
    remove: (id: string) =>
      retryOnConflict(async () => {
        const outcome = await deleteSftpAccount(gateway, await existing(id))
        if (outcome === 'undelivered')
          throw new ManageError(409, `The ${name} has files that were not delivered: repeat them, or disable it.`)
        return outcome === 'deleted' ? { id, state: 'deleted' } : undefined
      }),
    async test(id: string) {
      const row = await existing(id)
      const startedAtMs = clock.now()
      const error = await testSftpAccount(gateway, row)
      return { succeeded: error === undefined, error, durationMs: clock.now() - startedAtMs }
    },
  }
}

const withoutUndefined = <T extends object>(members: T): T => {
  const { ...copy } = members
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key)
  return copy
}
