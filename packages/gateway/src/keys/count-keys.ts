import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountKeys, Storage } from '@tollgate/storage'
import { type KeySetName, keySetNames } from '@tollgate/vault'
import { limits } from '../limits.ts'

/** The column with the id of the key of an account, by the purpose of the key. */
const columns = { encryption: 'key_id', fingerprint: 'fingerprint_key_id' } as const satisfies Record<
  KeySetName,
  keyof AccountKeys
>

/** The numbers of stored records by key. */
export interface KeyCount {
  /**
   * For encryption, records with a sealed number, keys of webhooks, credentials of connectors and SFTP accounts, and
   * evidence of disputes; for fingerprint, records with a fingerprint.
   */
  readonly records: Readonly<Record<KeySetName, ReadonlyMap<string, number>>>
  /** Records under a key that is not current. */
  readonly remaining: number
}

/**
 * Counts records in bounded pages between which payments proceed. A record that is added or changed during the count
 * may be included or not. If a key gets no new records, all of its records are counted.
 *
 * @param current the current key of each purpose
 */
export async function countKeys(storage: Storage, current: Readonly<Record<KeySetName, string>>): Promise<KeyCount> {
  const records = { encryption: new Map<string, number>(), fingerprint: new Map<string, number>() }
  const isOutdated = (row: AccountKeys) =>
    keySetNames.some((name) => row[columns[name]] !== null && row[columns[name]] !== current[name])
  let remaining = 0
  const count = ({ key_id: id }: { readonly key_id: string | null }) => {
    add(records.encryption, id, 1)
    if (id !== null && id !== current.encryption) remaining += 1
  }
  let last = ''
  for (;;) {
    const page = await storage.accountKeysAfter(last, limits.countedAccounts)
    if (page.length === 0) break
    for (const row of page) {
      for (const name of keySetNames) add(records[name], row[columns[name]], row.accounts)
      if (isOutdated(row)) remaining += row.accounts
      if (row.last_id > last) last = row.last_id
    }
    await nextTurn()
  }
  for (let lastEvidence = ''; ; ) {
    const page = await storage.evidenceAfter(lastEvidence, limits.countedEvidence)
    const lastFile = page.at(-1)
    if (!lastFile) break
    for (const row of page) count(row)
    lastEvidence = lastFile.id
  }
  const credentials = [...(await storage.connectors()), ...(await storage.sftpAccounts())]
  for (const row of [...(await storage.webhookKeys()), ...credentials]) count(row)
  return { records, remaining }
}

function add(counts: Map<string, number>, id: string | null, count: number): void {
  if (id !== null) counts.set(id, (counts.get(id) ?? 0) + count)
}
