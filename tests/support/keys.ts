import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Secret } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { type AccountRow, openSqlite } from '@tollgate/storage'
import { type KeyRing, type KeySetName, openVault, readKeyRing, type Vault, VaultError } from '@tollgate/vault'
import { manage } from './manage.ts'
import type { GatewayProcess } from './process.ts'
import { databaseName } from './promises.ts'

// The keys of a gateway, by its management API and by its data.

/** The answer of the management API about the keys. */
interface Status {
  readonly keys: readonly { readonly id: string; readonly purpose: KeySetName; readonly state: string }[]
  readonly remaining: number
}

/** The interval between two requests whether the re-encryption has ended. */
const pollMs = 50

/** A request about keys; rejects unless it is answered as it should be. */
export function askKeys(gateway: GatewayProcess, path = '', body?: object): Promise<Status> {
  return manage(gateway, path === '' ? 'GET' : 'POST', `/keys${path}`, body)
}

/** Waits until every record is under the current keys, then retires all previous ones. */
export async function finishRotation(gateway: GatewayProcess): Promise<void> {
  // Not polled with expect, which would continue after a gateway was killed.
  while ((await askKeys(gateway)).remaining > 0) await setTimeout(pollMs)
  for (const { id, state } of (await askKeys(gateway)).keys) {
    if (state !== 'current') await askKeys(gateway, `/${id}/retire`)
  }
}

export const ringIn = (data: string): KeyRing => readKeyRing(readFileSync(join(data, 'keys.json'), 'utf8'))

/** Adds numbers to the data of a gateway that has ended, so that their re-encryption takes several steps. */
export async function storeNumbers(data: string, count: number): Promise<void> {
  const storage = await openSqlite({ file: join(data, databaseName) })
  const vault = openVault(ringIn(data))
  const account = Array.from({ length: count }, (_, number) => sealedAccount(vault, number))
  await storage.commit({ id: 'numbers', expectedVersions: [], rows: { account: await Promise.all(account) } })
  await storage.close()
}

async function sealedAccount(vault: Vault, number: number): Promise<AccountRow> {
  const record = { id: `number-${String(number).padStart(8, '0')}`, merchant: sandboxIds.merchant }
  const digits = new Secret(new TextEncoder().encode('4200000000000000'))
  const made = await vault.seal(digits, record)
  return {
    ...record,
    kind: 'card',
    brand: 'VISA',
    bin: '420000',
    last4: '0000',
    holder: 'Jane Jones',
    expiry_month: '05',
    expiry_year: '2034',
    details: '{}',
    fingerprint: made.fingerprint,
    fingerprint_key_id: made.fingerprintKeyId,
    sealed: made.sealed,
    wrapped_key: made.wrappedKey,
    key_id: made.keyId,
    created_at_ms: Date.now(),
  }
}

/** How many of the stored numbers a ring opens and recognises, and how many there are. */
export interface Opened {
  readonly numbers: number
  readonly opened: number
  readonly recognised: number
}

/** Reads all accounts of a gateway that has ended. */
export async function openAll(data: string, ring: KeyRing): Promise<Opened> {
  const storage = await openSqlite({ file: join(data, databaseName) })
  const vault = openVault(ring)
  let [numbers, opened, recognised] = [0, 0, 0]
  for (let after = ''; ; ) {
    const page = await storage.accountsAfter(after, 1000)
    for (const account of page.filter(({ sealed }) => sealed)) {
      const outcome = tryToOpen(vault, account)
      numbers += 1
      if (outcome !== 'closed') opened += 1
      if (outcome === 'recognised') recognised += 1
    }
    const last = page.at(-1)
    if (!last) break
    after = last.id
  }
  await storage.close()
  return { numbers, opened, recognised }
}

/** Opens a number under the key that it names, and tries every other key of the ring, as a thief would. */
function tryToOpen(vault: Vault, account: AccountRow): 'closed' | 'opened' | 'recognised' {
  const { sealed, wrapped_key: wrappedKey } = account
  if (!sealed || !wrappedKey) return 'closed'
  const { current, others } = vault.keyIds().encryption
  for (const keyId of new Set([account.key_id ?? '', current, ...others])) {
    try {
      const number = vault.unseal({ sealed, wrappedKey, keyId }, account)
      const isKnown = Buffer.compare(vault.fingerprint(number), account.fingerprint ?? new Uint8Array()) === 0
      return isKnown ? 'recognised' : 'opened'
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
    }
  }
  return 'closed'
}
