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

/** How a vault is opened: in this thread, or with one of its own. */
type OpenVault = (ring: KeyRing) => Vault | Promise<Vault>

/** The vault of the data at hand, and where its keys come from. */
export interface Keys {
  readonly vault: Vault
  readonly source: KeySource
  /** The key-check value that must be stored before anything is sealed; undefined where it is stored already. */
  readonly keyCheck: string | undefined
}

/** The keys before the data is read. */
export interface FoundKeys {
  readonly source: KeySource
  /** undefined: there are none yet. */
  readonly ring: KeyRing | undefined
}

/** @throws ConfigError in one line with the fault */
export async function findKeys(config: Config): Promise<FoundKeys> {
  const source = keySource(config)
  return { source, ring: await source.read() }
}

/**
 * Opens the vault for the given data.
 * The key-check value beside the data refuses a wrong key. Missing keys are created only for an empty data store,
 * because new keys would make all stored data unreadable.
 *
 * @param open opens the vault, once the keys proved right
 * @param found the keys, if they were read already
 * @throws ConfigError in one line with the fault and the remedy
 */
export async function openKeys(
  config: Config,
  storage: Storage,
  open: OpenVault = openVault,
  found?: FoundKeys,
): Promise<Keys> {
  const stored = await storedKeyCheck(storage)
  const { source, ring: known } = found ?? (await findKeys(config))
  // Where there were none, a process that has started beside this one may have made them since.
  const ring = known ?? (await source.read()) ?? newRing(source, stored)
  const keyCheck = keyCheckFor(ring, source, stored)
  return { vault: await opened(open, ring), source, keyCheck: keyCheck === stored ? undefined : keyCheck }
}

/** The key-check value beside the data; undefined before its first start. */
export function storedKeyCheck(storage: Storage): Promise<string | undefined> {
  return storage.installation(KEY_CHECK)
}

/**
 * The given keys, for existing data: none are created.
 *
 * @throws ConfigError in one line with the fault and the remedy
 */
export async function readKeys(config: Config): Promise<{ readonly ring: KeyRing; readonly source: KeySource }> {
  const source = keySource(config)
  const ring = await source.read()
  if (ring) return { ring, source }
  throw new ConfigError(`${source.name} is missing, and the data was written with its keys: put the key file back`)
}

/** The row that ties the data to its keys. */
export function keyCheckRow(value: string): InstallationRow {
  return { name: KEY_CHECK, value }
}

/**
 * The key-check value of data that is written with this ring from now on.
 *
 * @throws ConfigError in one line when the data needs another ring
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
    const inside = relative(realPlace(data), realPlace(file))
    if (inside.split(sep)[0] !== '..')
      throw new ConfigError('TOLLGATE_KEYS must lie outside TOLLGATE_DATA in the live environment')
    if (existsSync(file) && (statSync(file).mode & OTHERS) !== 0)
      throw new ConfigError(`TOLLGATE_KEYS: ${file} is open to other users of the machine; chmod o= ${file}`)
  }
  return keyFile(file, environment === 'test')
}

/** Permissions of a file for users other than its owner and group. */
const OTHERS = 0o007

/** Where a path leads, also before there is anything. */
function realPlace(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return join(realPlace(dirname(resolve(path))), basename(path))
}

function newRing({ name, own }: KeySource, stored: string | undefined): KeyRing {
  if (stored !== undefined) {
    throw new ConfigError(`${name} is missing, and the data was written with its keys: put the key file back`)
  }
  if (!own) throw new ConfigError(`TOLLGATE_KEYS: ${name} does not exist; make one with: tollgate key generate`)
  const ring = generateKeyRing(randomBytes)
  own.create(ring)
  return ring
}

async function opened(open: OpenVault, ring: KeyRing): Promise<Vault> {
  try {
    return await open(ring)
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError(error.message)
    throw error
  }
}
