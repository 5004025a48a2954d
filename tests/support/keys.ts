import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Secret } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { type AccountRow, openSqlite } from '@tollgate/storage'
import { type KeyRing, type KeySetName, openVault, readKeyRing, type Vault, VaultError } from '@tollgate/vault'
import { manage } from './manage.ts'
import type { GatewayProcess } from './process.ts'
import { databaseName } from './durability.ts'

// Access to the keys of a gateway, by its management API and by its data.

/** The answer of the management API about the keys. */
interface KeyStatus {
  readonly keys: readonly { readonly id: string; readonly purpose: KeySetName; readonly state: string }[]
  readonly remaining: number
}

/** The polling interval for the end of a rotation. */
const pollMs = 50

/** Sends a request about keys to the management API; rejects unless it is answered with 2xx. */
export function requestKeys(gateway: GatewayProcess, path = '', body?: object): Promise<KeyStatus> {
  return manage(gateway, path === '' ? 'GET' : 'POST', `/keys${path}`, body)
}

/** Waits until every record uses the current keys, then retires all previous keys. */
export async function finishRotation(gateway: GatewayProcess): Promise<void> {
  // The loop is not `expect.poll`, which would continue after the gateway was killed.
  while ((await requestKeys(gateway)).remaining > 0) await setTimeout(pollMs)
  for (const { id, state } of (await requestKeys(gateway)).keys) {
    if (state !== 'current') await requestKeys(gateway, `/${id}/retire`)
  }
}

export const keyRingIn = (data: string): KeyRing => readKeyRing(readFileSync(join(data, 'keys.json'), 'utf8'))

/** Adds card numbers to the data of a gateway that has ended, so that their rewrapping takes several steps. */
export async function storeCardNumbers(data: string, count: number): Promise<void> {
  const storage = await openSqlite({ file: join(data, databaseName) })
  const vault = openVault(keyRingIn(data))
  const account = Array.from({ length: count }, (_, number) => sealedAccount(vault, number))
  await storage.commit({ id: 'numbers', expectedVersions: [], rows: { account: await Promise.all(account) } })
  await storage.close()
}

async function sealedAccount(vault: Vault, number: number): Promise<AccountRow> {
  const record = { id: `number-${String(number).padStart(8, '0')}`, merchant: sandboxIds.merchant }
  const digits = new Secret(new TextEncoder().encode('4200000000000000'))
  const seal = await vault.seal(digits, record)
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
    fingerprint: seal.fingerprint,
    fingerprint_key_id: seal.fingerprintKeyId,
    sealed: seal.sealed,
    wrapped_key: seal.wrappedKey,
    key_id: seal.keyId,
    created_at_ms: Date.now(),
  }
}

export interface DecryptionCounts {
  /** Stored card numbers. */
  readonly numbers: number
  /** Card numbers that the key ring decrypts. */
  readonly decrypted: number
  /** Decrypted card numbers whose stored fingerprint is that of the key ring's current fingerprint key. */
  readonly matched: number
}

/** Tries to decrypt with a key ring every card number of a gateway that has ended, and counts the outcomes. */
export async function countDecryptable(data: string, ring: KeyRing): Promise<DecryptionCounts> {
  const storage = await openSqlite({ file: join(data, databaseName) })
  const vault = openVault(ring)
  let [numbers, decrypted, matched] = [0, 0, 0]
  for (let after = ''; ; ) {
    const page = await storage.accountsAfter(after, 1000)
    for (const account of page.filter(({ sealed }) => sealed)) {
      const outcome = tryToDecrypt(vault, account)
      numbers += 1
      if (outcome !== 'sealed') decrypted += 1
      if (outcome === 'matched') matched += 1
    }
    const last = page.at(-1)
    if (!last) break
    after = last.id
  }
  await storage.close()
  return { numbers, decrypted, matched }
}

/**
 * Tries to decrypt the number of an account with the key that the account names, and with the keys of the ring.
 * @returns 'sealed' if no key decrypts it; 'matched' if a key does and the stored fingerprint is the current one
 */
function tryToDecrypt(vault: Vault, account: AccountRow): 'sealed' | 'decrypted' | 'matched' {
  const { sealed, wrapped_key: wrappedKey } = account
  if (!sealed || !wrappedKey) return 'sealed'
  const { current, previous } = vault.keyIds().encryption
  for (const keyId of new Set([account.key_id ?? '', current, ...previous])) {
    try {
      const number = vault.unseal({ sealed, wrappedKey, keyId }, account)
      const isMatching = Buffer.compare(vault.fingerprint(number), account.fingerprint ?? new Uint8Array()) === 0
      return isMatching ? 'matched' : 'decrypted'
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
    }
  }
  return 'sealed'
}
