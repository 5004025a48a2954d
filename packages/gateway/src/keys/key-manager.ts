import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Storage } from '@tollgate/storage'
import {
  dropFromKeyCheck,
  type KeyRing,
  type KeySetName,
  keySetNames,
  type Vault,
  VaultError,
  withNewKey,
  withoutKey,
} from '@tollgate/vault'
import { ConfigError } from '../config.ts'
import {
  type CommandHandler,
  commitChange,
  createKeyedMutex,
  type Ids,
  listedKeyIds,
  prepareRules,
  readRiskRules,
} from '@tollgate/operations'
import { limits } from '../limits.ts'
import { countKeys } from './count-keys.ts'
import { KeyError } from './key-error.ts'
import type { KeySource } from './key-source.ts'
import { keyCheckFor, keyCheckRow, storedKeyCheck } from './open-keys.ts'

/** current: for new records. previous: for older records. missing: records need it, but the ring lacks it. */
export type KeyState = 'current' | 'previous' | 'missing'

export interface KeyStatus {
  readonly keys: readonly {
    readonly id: string
    readonly purpose: KeySetName
    readonly state: KeyState
    readonly records: number
  }[]
  /** The number of records under keys that are not current. */
  readonly remaining: number
}

/** Changes the keys of a running gateway, one change after the other. */
export interface KeyManager {
  status(): Promise<KeyStatus>
  /**
   * Changes to a new key: new records use the new key at once, older records are rewrapped in the background. The new
   * key is the current one of the source; if that is still the key in use and the gateway may write the source, a key
   * is generated. Throws KeyError.
   */
  rotate(purpose: KeySetName): Promise<void>
  /** Loads the keys to which another process has rotated, if the source already contains them. */
  reload(): Promise<void>
  /** Removes a key that no record needs. Throws KeyError. */
  retire(id: string): Promise<void>
}

interface Parts {
  readonly vault: Vault
  readonly source: KeySource
  readonly storage: Storage
  readonly ids: Ids
  readonly commands: CommandHandler
}

/**
 * The gateway can be restarted after every step. A new key is durable in the ring before the data refers to it, and the
 * data refers to it before the first record uses it; a key is retired in the reverse order.
 */
export function createKeyManager({ vault, source, storage, ids, commands }: Parts): KeyManager {
  const withLock = createKeyedMutex()
  const serialise = <T>(change: () => Promise<T>) => withLock('keys', change)
  const currentIds = () => {
    const { encryption, fingerprint } = vault.keyIds()
    return { encryption: encryption.current, fingerprint: fingerprint.current }
  }

  async function saveKeyCheck(value: string): Promise<void> {
    await commitChange({ storage, ids }, { rows: { installation: [keyCheckRow(value)] } })
  }

  async function readRing(): Promise<KeyRing> {
    const ring = await source.read()
    if (!ring) throw new KeyError('refused', `${source.name} no longer exists: restore the key file`)
    return ring
  }

  /** Returns the ring of the source. If its current key is still the key in use, a new key is added to the source. */
  async function renewRing(purpose: KeySetName): Promise<KeyRing> {
    const ring = await readRing()
    const inUse = vault.keyIds()[purpose].current
    if (ring[purpose].current !== inUse) return ring
    if (!source.store) {
      throw new KeyError(
        'refused',
        `${source.name} still has ${inUse} as the current ${purpose} key: add a key there, make it current and retry`,
      )
    }
    keyCheckFor(ring, source, await storedKeyCheck(storage))
    const renewed = withNewKey(ring, purpose, randomBytes)
    source.store.replace(renewed)
    return renewed
  }

  async function rotate(purpose: KeySetName): Promise<void> {
    const renewed = await renewRing(purpose)
    const stored = await storedKeyCheck(storage)
    await saveKeyCheck(keyCheckFor(renewed, source, stored))
    vault.changeRing(renewed)
  }

  async function retire(id: string): Promise<void> {
    const purpose = purposeOf(id)
    const ring = await readRing()
    if (vault.keyIds()[purpose].current === id || ring[purpose].current === id) {
      throw new KeyError('refused', `${id} is the current ${purpose} key: rotate it first`)
    }
    const entities = await entitiesThatList(storage, id)
    if (entities.length > 0) {
      // Without the key, these fingerprints would match no card, and no error would be reported.
      throw new KeyError('refused', `risk rules of ${entities.join(', ')} list fingerprints of ${id}: renew them first`)
    }
    // Operations that began before the rotation may still write records under the old key. An operation that read a
    // record before its rewrap may still need the old key to open it.
    await waitForInFlight()
    const { records } = await countKeys(storage, currentIds())
    const count = records[purpose].get(id) ?? 0
    if (count > 0)
      throw new KeyError('refused', `${count} records still need ${id}: they are rewrapped in the background`)
    await waitForInFlight()
    await saveKeyCheck(dropFromKeyCheck((await storedKeyCheck(storage)) ?? '', purpose, id))
    source.store?.replace(withoutKey(ring, purpose, id))
    vault.forgetKey(purpose, id)
  }

  /**
   * The key-check value at the last reload. Keys are read only if it has changed: every change of a value of the
   * installation, such as the time each minute, triggers a reload, and reading the keys may run a program.
   */
  let reloadedKeyCheck: string | undefined
  async function reload(): Promise<void> {
    const stored = await storedKeyCheck(storage)
    if (stored !== undefined && stored === reloadedKeyCheck) return
    const ring = await source.read()
    if (ring && !isInUse(ring)) {
      keyCheckFor(ring, source, stored)
      vault.changeRing(ring)
    }
    reloadedKeyCheck = stored
  }

  /** Whether the current keys of a ring are those of the vault. */
  function isInUse(ring: KeyRing): boolean {
    const inUse = vault.keyIds()
    return keySetNames.every((name) => ring[name].current === inUse[name].current)
  }

  function purposeOf(id: string): KeySetName {
    const inUse = vault.keyIds()
    const purpose = keySetNames.find((name) => inUse[name].current === id || inUse[name].previous.includes(id))
    if (!purpose) throw new KeyError('unknown', `There is no key ${id}.`)
    return purpose
  }

  async function waitForInFlight(): Promise<void> {
    const late = delay(limits.inFlightTimeoutMs, 'late', { ref: false })
    if ((await Promise.race([commands.inFlightEnded(), late])) === 'late') {
      throw new KeyError('refused', 'earlier requests are still in progress: retry')
    }
  }

  async function status(): Promise<KeyStatus> {
    const { records, remaining } = await countKeys(storage, currentIds())
    const inUse = vault.keyIds()
    const keys = keySetNames.flatMap((purpose) => {
      const { current, previous } = inUse[purpose]
      const missing = [...records[purpose].keys()].filter((id) => id !== current && !previous.includes(id))
      const row = (state: KeyState) => (id: string) => ({ id, purpose, state, records: records[purpose].get(id) ?? 0 })
      return [row('current')(current), ...previous.map(row('previous')), ...missing.map(row('missing'))]
    })
    return { keys, remaining }
  }

  return {
    status,
    rotate: (purpose) => serialise(() => asKeyError(rotate(purpose))),
    reload: () => serialise(reload),
    retire: (id) => serialise(() => asKeyError(retire(id))),
  }
}

/** The entities whose risk rules list fingerprints made with this key. */
async function entitiesThatList(storage: Storage, keyId: string): Promise<readonly string[]> {
  const stored = await storage.riskRules()
  const isListed = (rules: string) => listedKeyIds(prepareRules(readRiskRules(rules))).includes(keyId)
  return stored.flatMap(({ entity_id: id, rules }) => (rules !== null && isListed(rules) ? [id] : []))
}

/** Reports faulty keys, which the operator has to correct, with the same message as a start. */
async function asKeyError(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    const isKeyFault = error instanceof ConfigError || error instanceof VaultError
    throw isKeyFault ? new KeyError('refused', error.message) : error
  }
}
