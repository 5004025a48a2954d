import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { InstallationRow, Storage } from '@tollgate/storage'
import {
  compareKeyCheck,
  generateKeyRing,
  type KeyRing,
  openVault,
  type Vault,
  VaultError,
  writeKeyCheck,
} from '@tollgate/vault'
import { type Config, ConfigError } from '../config.ts'
import { keyCommand } from './key-command.ts'
import { keyFile } from './key-file.ts'
import type { KeySource } from './key-source.ts'

export const KEY_CHECK = 'key-check'

/** The vault of the data, and the source of its keys. */
export interface Keys {
  readonly vault: Vault
  readonly source: KeySource
  /** The key-check value that must be stored before a record is sealed; undefined if it is stored already. */
  readonly keyCheck: string | undefined
}

/** The configured keys and their source, which are read before the data. */
export interface ConfiguredKeys {
  readonly source: KeySource
  /** undefined: there are no keys yet. */
  readonly ring: KeyRing | undefined
}

/**
 * Reads the configured keys, which may not exist yet.
 *
 * @throws ConfigError of one line with the fault
 */
export async function readConfiguredKeys(config: Config): Promise<ConfiguredKeys> {
  const source = keySource(config)
  return { source, ring: await source.read() }
}

/**
 * Opens the vault of a storage. The stored key-check value detects a wrong key. Missing keys are created only for an
 * empty storage, because new keys would make all stored data unreadable.
 *
 * @param configured the configured keys, if they were read already
 * @throws ConfigError of one line with the fault and the remedy
 */
export async function openKeys(config: Config, storage: Storage, configured?: ConfiguredKeys): Promise<Keys> {
  const stored = await storedKeyCheck(storage)
  const { source, ring: configuredRing } = configured ?? (await readConfiguredKeys(config))
  // If there were no keys, another process may have created them in the meantime.
  const ring = configuredRing ?? (await source.read()) ?? newRing(source, stored)
  const keyCheck = keyCheckFor(ring, source, stored)
  return { vault: openChecked(ring), source, keyCheck: keyCheck === stored ? undefined : keyCheck }
}

/** The stored key-check value; undefined before the first start. */
export function storedKeyCheck(storage: Storage): Promise<string | undefined> {
  return storage.installation(KEY_CHECK)
}

/**
 * Reads the configured keys of existing data, and creates none.
 *
 * @throws ConfigError of one line with the fault and the remedy
 */
export async function readKeys(config: Config): Promise<{ readonly ring: KeyRing; readonly source: KeySource }> {
  const source = keySource(config)
  const ring = await source.read()
  if (ring) return { ring, source }
  throw new ConfigError(`${source.name} is missing, and the data was written with its keys: put the key file back`)
}

/** The row of the key-check value. */
export function keyCheckRow(value: string): InstallationRow {
  return { name: KEY_CHECK, value }
}

/**
 * The key-check value of data that is written with this ring from now on.
 *
 * @throws ConfigError of one line if the data needs another ring
 */
export function keyCheckFor(ring: KeyRing, source: KeySource, stored: string | undefined): string {
  const problems = stored === undefined ? [] : compareKeyCheck(stored, ring)
  if (problems.length > 0) throw new ConfigError(`${source.name} does not fit the data: ${problems.join('; ')}`)
  return writeKeyCheck(ring, stored)
}

function keySource(config: Config): KeySource {
  const { keys, data, environment } = config
  if (keys === undefined) return keyFile(join(data, 'keys.json'), true)
  const command = keyCommand(keys)
  if (command) return command
  const file = resolve(keys)
  if (environment === 'live') {
    const path = relative(realPath(data), realPath(file))
    if (path.split(sep)[0] !== '..')
      throw new ConfigError('TOLLGATE_KEYS must be outside TOLLGATE_DATA in the live environment')
    if (existsSync(file) && (statSync(file).mode & OTHERS) !== 0)
      throw new ConfigError(`TOLLGATE_KEYS: ${file} is open to other users of the machine; chmod o= ${file}`)
  }
  return keyFile(file, environment === 'test')
}

/** Permissions of a file for users other than its owner and group. */
const OTHERS = 0o007

/** The path without symbolic links; its last parts need not exist. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return join(realPath(dirname(resolve(path))), basename(path))
}

function newRing({ name, store }: KeySource, stored: string | undefined): KeyRing {
  if (stored !== undefined) {
    throw new ConfigError(`${name} is missing, and the data was written with its keys: put the key file back`)
  }
  if (!store) throw new ConfigError(`TOLLGATE_KEYS: ${name} does not exist; make one with: tollgate key generate`)
  const ring = generateKeyRing(randomBytes)
  store.create(ring)
  return ring
}

function openChecked(ring: KeyRing): Vault {
  try {
    return openVault(ring)
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError(error.message)
    throw error
  }
}
