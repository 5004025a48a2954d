import type { AccountRow, Storage } from '@tollgate/storage'
import { type Vault, VaultError } from '@tollgate/vault'
import {
  type BackgroundTask,
  type CommandHandler,
  type ConnectorCache,
  commitChange,
  errorFields,
  type Ids,
  type Log,
  type LogFields,
  rewrappedCredentials,
  rewrappedEvidence,
  rewrappedKey,
  rewrappedSftpCredentials,
  rewrappedTerms,
  type Webhooks,
} from '@tollgate/operations'
import { limits } from '../limits.ts'

/**
 * Rewraps every record under the current keys: its data key is wrapped again, the sealed number stays the same, and the
 * fingerprint is computed again. A sweep over all accounts begins when a key is rotated, and at a start if the ring
 * contains keys that are not current; it skips records that contain the ids of the current keys. The keys of webhooks,
 * the credentials of connectors and SFTP accounts, the account numbers of terms and the evidence of disputes are
 * rewrapped last.
 */
export function rewrap(parts: Parts): BackgroundTask {
  const { storage, vault, commands, webhooks, connectorCache, log } = parts
  const { encryption, fingerprint } = vault.keyIds()
  /** The ids of the current keys, once every record is under them; empty before. */
  let completedKeyIds = encryption.previous.length + fingerprint.previous.length === 0 ? currentKeyIds(vault) : ''
  let sweep = { keyIds: completedKeyIds, lastId: '' }

  /** Renews a row. @returns undefined if the row stays the same, for example because it cannot be opened */
  function tryRenew<Row>(fields: LogFields, renew: () => Row | undefined): Row | undefined {
    try {
      return renew()
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      log.error({ worker: 'rewrap', ...fields, ...errorFields(error) })
      return undefined
    }
  }

  /** The keys of a webhook are few, so one change rewraps them all. */
  const rewrapKeysOf = (webhook: string) =>
    webhooks.change(webhook, () => {
      const { current } = vault.keyIds().encryption
      const outdated = webhooks.keysOf(webhook).filter((row) => row.key_id !== current)
      const keys = outdated.map((row) => tryRenew({ webhook }, () => rewrappedKey(vault, row)))
      return { keys: keys.filter((row) => row !== undefined) }
    })

  /** @returns false if another process has changed a connector in the meantime */
  async function rewrapConnectors(): Promise<boolean> {
    const { current } = vault.keyIds().encryption
    const outdated = connectorCache.all().filter(({ key_id: keyId }) => keyId !== null && keyId !== current)
    for (const from of outdated) {
      const to = tryRenew({ connector: from.id }, () => rewrappedCredentials(vault, from))
      if (!to) continue
      if (!(await commitChange(parts, { compareAndSets: [{ table: 'connector', from, to }] }))) {
        await connectorCache.reload()
        return false
      }
      connectorCache.put(to)
    }
    return true
  }

  /** @returns false if another process has changed an account in the meantime */
  async function rewrapSftpAccounts(): Promise<boolean> {
    const { current } = vault.keyIds().encryption
    const outdated = (await storage.sftpAccounts()).filter(({ key_id: keyId }) => keyId !== null && keyId !== current)
    for (const from of outdated) {
      const to = tryRenew({ sftpAccount: from.id }, () => rewrappedSftpCredentials(vault, from))
      if (to && !(await commitChange(parts, { compareAndSets: [{ table: 'sftp_account', from, to }] }))) return false
    }
    return true
  }

  /** Rewraps all files of evidence, page by page. @returns false if a row was changed in the meantime */
  async function rewrapEvidence(): Promise<boolean> {
    const { current } = vault.keyIds().encryption
    for (let afterId = ''; ; ) {
      const page = await storage.evidenceAfter(afterId, limits.rewrapAccounts)
      const last = page.at(-1)
      if (!last) return true
      const compareAndSets = page.flatMap((from) => {
        if (from.key_id === current) return []
        const to = tryRenew({ evidence: from.id }, () => rewrappedEvidence(vault, from))
        return to ? [{ table: 'dispute_evidence' as const, from, to }] : []
      })
      if (compareAndSets.length > 0 && !(await commitChange(parts, { compareAndSets }))) return false
      afterId = last.id
    }
  }

  /** @returns false if another process has changed terms in the meantime */
  async function rewrapTerms(): Promise<boolean> {
    const { current } = vault.keyIds().encryption
    const terms = await storage.merchantTerms()
    const outdated = terms.filter(({ key_id: keyId }) => keyId !== null && keyId !== current)
    for (const from of outdated) {
      const to = tryRenew({ terms: from.entity_id }, () => rewrappedTerms(vault, from))
      if (to && !(await commitChange(parts, { compareAndSets: [{ table: 'merchant_terms', from, to }] }))) return false
    }
    return true
  }

  return {
    name: 'rewrap',
    everyMs: 0,
    pauseMs: limits.rewrapPauseMs,
    async step() {
      const keyIds = currentKeyIds(vault)
      if (keyIds === completedKeyIds) return 'done'
      if (keyIds !== sweep.keyIds) {
        // When all operations in flight have ended, this process writes no more records under an old key, so one sweep
        // is enough.
        await commands.inFlightEnded()
        sweep = { keyIds, lastId: '' }
      }
      const page = await storage.accountsAfter(sweep.lastId, limits.rewrapAccounts)
      const last = page.at(-1)
      if (!last) {
        for (const { id } of webhooks.all()) await rewrapKeysOf(id)
        const renewals = [rewrapConnectors, rewrapSftpAccounts, rewrapTerms, rewrapEvidence]
        for (const renew of renewals) if (!(await renew())) return 'more'
        // The replaced rows, with data keys under old keys, are also removed from the files of the storage.
        await commitChange(parts, { erases: true })
        completedKeyIds = keyIds
        return 'done'
      }
      const compareAndSets = page.flatMap((from) => {
        const to = tryRenew({ account: from.id }, () => renewedRow(vault, from))
        return to ? [{ table: 'account' as const, from, to }] : []
      })
      // If a row was changed in the meantime, the page is read again.
      if (compareAndSets.length > 0 && !(await commitChange(parts, { compareAndSets }))) return 'more'
      sweep.lastId = last.id
      return 'more'
    },
  }
}

interface Parts {
  readonly storage: Storage
  readonly vault: Vault
  readonly commands: Pick<CommandHandler, 'inFlightEnded'>
  readonly webhooks: Pick<Webhooks, 'all' | 'change' | 'keysOf'>
  readonly connectorCache: Pick<ConnectorCache, 'all' | 'put' | 'reload'>
  readonly ids: Ids
  readonly log: Log
}

function currentKeyIds(vault: Vault): string {
  const { encryption, fingerprint } = vault.keyIds()
  return `${encryption.current} ${fingerprint.current}`
}

function renewedRow(vault: Vault, row: AccountRow): AccountRow | undefined {
  const { encryption, fingerprint } = vault.keyIds()
  const isKeyCurrent = row.key_id === null || row.key_id === encryption.current
  const isFingerprintCurrent = row.fingerprint_key_id === null || row.fingerprint_key_id === fingerprint.current
  if (isKeyCurrent && isFingerprintCurrent) return undefined
  const { sealed, wrapped_key: wrappedKey, key_id: keyId } = row
  // Without the number the fingerprint cannot be computed again, and the old one matches nothing: it is removed.
  if (!sealed || !wrappedKey || keyId === null) return { ...row, fingerprint: null, fingerprint_key_id: null }
  const record = { sealed, wrappedKey, keyId }
  const wrapped = isKeyCurrent ? record : vault.rewrap(record)
  const rewrapped = { ...row, wrapped_key: wrapped.wrappedKey, key_id: wrapped.keyId }
  if (isFingerprintCurrent) return rewrapped
  const number = vault.unseal(record, row)
  try {
    return { ...rewrapped, fingerprint: vault.fingerprint(number), fingerprint_key_id: fingerprint.current }
  } finally {
    number.wipe()
  }
}
