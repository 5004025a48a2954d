import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Storage } from '@tollgate/storage'
import {
  generateKeyRing,
  type KeyRing,
  openVault,
  readKeyRing,
  type Vault,
  VaultError,
  writeKeyRing,
} from '@tollgate/vault'
import { type Config, ConfigError } from './config.ts'

const KEY_CHECK = 'key-check'

/** How a vault is opened: in this thread, or with one of its own. */
type OpenVault = (ring: KeyRing) => Vault | Promise<Vault>

/** The vault of the data at hand, and whether that data knows its keys already. */
export interface Keys {
  readonly vault: Vault
  readonly keyCheck: string
  readonly fresh: boolean
}

/**
 * Opens the vault that belongs to the data at hand.
 *
 * The key-check value beside the data refuses a wrong key; and a missing key file is only ever made good by a new one
 * while the data store is empty, because new keys would turn everything stored before into noise.
 *
 * @param open how the vault is opened once its keys are known to be the right ones
 * @throws ConfigError in one line that says what is wrong and what to do
 */
export async function openKeys(config: Config, storage: Storage, open: OpenVault = openVault): Promise<Keys> {
  const stored = await storage.installation(KEY_CHECK)
  const file = keyFile(config)
  if (!existsSync(file)) {
    if (stored !== undefined) {
      throw new ConfigError(`${file} is missing, and the data was written with its keys: put the key file back`)
    }
    if (config.environment === 'live') throw new ConfigError(`TOLLGATE_KEYS: ${file} does not exist`)
    createKeyFile(file)
  }
  const ring = readRing(file)
  const problems = stored === undefined ? [] : openVault(ring).verifyKeyCheck(stored)
  if (problems.length > 0) throw new ConfigError(`${file} does not fit the data: ${problems.join('; ')}`)
  const vault = await opened(open, ring)
  return { vault, keyCheck: vault.keyCheckValue(), fresh: stored === undefined }
}

async function opened(open: OpenVault, ring: KeyRing): Promise<Vault> {
  try {
    return await open(ring)
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError(error.message)
    throw error
  }
}

/** The unit's row that ties the data to its keys. */
export function keyCheckRow(value: string): { readonly name: string; readonly value: string } {
  return { name: KEY_CHECK, value }
}

function keyFile(config: Config): string {
  if (config.keys === undefined) return join(config.data, 'keys.json')
  const file = resolve(config.keys)
  if (config.environment === 'live' && existsSync(file) && existsSync(config.data)) {
    const inside = relative(realpathSync(config.data), realpathSync(file))
    if (inside.split(sep)[0] !== '..')
      throw new ConfigError('TOLLGATE_KEYS must lie outside TOLLGATE_DATA in the live environment')
  }
  return file
}

/**
 * The name is given to a file that is complete and on disk, so that no crash leaves half a key file behind; and not
 * taken from another one, which a process beside this one may have made meanwhile.
 */
function createKeyFile(file: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, writeKeyRing(generateKeyRing(randomBytes)), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } finally {
    unlinkSync(draft)
  }
  const names = openSync(folder, 'r')
  fsyncSync(names)
  closeSync(names)
}

function readRing(file: string): KeyRing {
  try {
    return readKeyRing(readFileSync(file, 'utf8'))
  } catch (error) {
    const isOfFile = error instanceof VaultError || (error instanceof Error && 'syscall' in error)
    throw isOfFile ? new ConfigError(`${file}: ${error.message}`) : error
  }
}
