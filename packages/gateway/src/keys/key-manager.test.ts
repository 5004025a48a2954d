import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '@tollgate/contract'
import { type AccountRow, openMemory, type Storage } from '@tollgate/storage'
import {
  generateKeyRing,
  type KeyRing,
  openVault,
  readKeyRing,
  type Vault,
  withNewKey,
  withoutKey,
  writeKeyRing,
} from '@tollgate/vault'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type CommandHandler, createCommandHandler, createIds, createRenderer } from '@tollgate/operations'
import { accountRow } from '../testing/account-row.ts'
import { KeyError } from './key-error.ts'
import { type KeyManager, createKeyManager } from './key-manager.ts'
import { keyCheckRow, openKeys } from './open-keys.ts'

let folder = ''
let data = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-key-manager-'))
  data = join(folder, 'data')
  file = join(folder, 'keys.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

interface OpenedKeys {
  readonly manager: KeyManager
  readonly storage: Storage
  readonly vault: Vault
  readonly commands: CommandHandler
}

/** Opens the keys as the start of a gateway does. */
async function start(environment: 'test' | 'live', storage = openMemory()): Promise<OpenedKeys> {
  const liveEnv = environment === 'live' && {
    TOLLGATE_ENV: 'live',
    TOLLGATE_MANAGE_KEY: 'a key of my own',
    TOLLGATE_TRUSTED_PROXY: '10.0.0.1',
  }
  const config = readConfig({ TOLLGATE_DATA: data, TOLLGATE_KEYS: file, ...liveEnv })
  const { vault, source, keyCheck } = await openKeys(config, storage)
  if (keyCheck !== undefined) await commit(storage, { installation: [keyCheckRow(keyCheck)] })
  const ids = createIds({ now: () => 0 })
  const commands = createCommandHandler(storage, createRenderer('build', 'start'))
  return { manager: createKeyManager({ vault, source, storage, ids, commands }), storage, vault, commands }
}

const commit = (storage: Storage, rows: Parameters<Storage['commit']>[0]['rows']) =>
  storage.commit({ id: '1', expectedVersions: [], rows })

/** An account with a number that this vault has sealed. */
async function sealedAccount({ vault }: Pick<OpenedKeys, 'vault'>, id: string): Promise<AccountRow> {
  const number = new Secret(new TextEncoder().encode('4200000000000000'))
  const record = await vault.seal(number, { id, merchant: 'm' })
  return accountRow({
    id,
    fingerprint: record.fingerprint,
    fingerprint_key_id: record.fingerprintKeyId,
    sealed: record.sealed,
    wrapped_key: record.wrappedKey,
    key_id: record.keyId,
  })
}

async function storeAccount(opened: Pick<OpenedKeys, 'vault' | 'storage'>, id: string): Promise<void> {
  await commit(opened.storage, { account: [await sealedAccount(opened, id)] })
}

const readRing = () => readKeyRing(readFileSync(file, 'utf8'))
const writeRing = (ring: KeyRing) => writeFileSync(file, writeKeyRing(ring), { mode: 0o600 })
const readKeyCheck = async ({ storage }: OpenedKeys) => (await storage.installation('key-check')) ?? ''
const refusal = (change: Promise<unknown>) =>
  change.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof KeyError ? `${error.kind}: ${error.message}` : Promise.reject(error)),
  )

describe.each(['encryption', 'fingerprint'] as const)('in the test environment, the %s key', (purpose) => {
  test('is rotated: the new key is written to the file, added to the key-check value and used at once', async () => {
    const opened = await start('test')
    const [before, firstKeyCheck] = [readRing(), await readKeyCheck(opened)]
    await opened.manager.rotate(purpose)
    const after = readRing()
    expect(Object.keys(after[purpose].keys)).toEqual([before[purpose].current, after[purpose].current])
    const reverted = { ...after, [purpose]: { ...after[purpose], current: before[purpose].current } }
    expect(writeKeyRing(withoutKey(reverted, purpose, after[purpose].current))).toBe(writeKeyRing(before))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await readKeyCheck(opened)).toContain(`${purpose}.keys.${after[purpose].current}=`)
    expect(await readKeyCheck(opened)).toContain(firstKeyCheck.split(' ')[0])
    expect(opened.vault.keyIds()[purpose]).toEqual({
      current: after[purpose].current,
      previous: [before[purpose].current],
    })
  })

  test('is retired once no record needs it, and later starts do not need it', async () => {
    const opened = await start('test')
    const old = readRing()[purpose].current
    await storeAccount(opened, 'a1')
    await opened.manager.rotate(purpose)
    await storeAccount(opened, 'a2')
    const status = await opened.manager.status()
    const { current } = readRing()[purpose]
    expect(status.remaining).toBe(1)
    expect(status.keys.filter((key) => key.purpose === purpose)).toEqual([
      { id: current, purpose, state: 'current', records: 1 },
      { id: old, purpose, state: 'previous', records: 1 },
    ])
    expect(await refusal(opened.manager.retire(old))).toBe(
      `refused: 1 records still need ${old}: they are rewrapped in the background`,
    )

    await storeAccount(opened, 'a1')
    await opened.manager.retire(old)
    expect(Object.keys(readRing()[purpose].keys)).toEqual([current])
    expect(await readKeyCheck(opened)).not.toContain(old)
    expect(opened.vault.keyIds()[purpose]).toEqual({ current, previous: [] })
    expect(await refusal(opened.manager.retire(old))).toBe(`unknown: There is no key ${old}.`)
    await start('test', opened.storage)
  })

  test('is not retired while it is the current one of the vault or of the file', async () => {
    const { manager } = await start('test')
    const before = readRing()
    const { current } = before[purpose]
    const expected = `refused: ${current} is the current ${purpose} key: rotate it first`
    expect(await refusal(manager.retire(current))).toBe(expected)
    await manager.rotate(purpose)
    const reverted = { ...readRing(), [purpose]: { ...readRing()[purpose], current } }
    writeRing(reverted)
    expect(await refusal(manager.retire(current))).toBe(expected)
    expect(writeKeyRing(readRing())).toBe(writeKeyRing(reverted))
  })

  test('is rotated twice by two concurrent requests, or once if the ring is then full', async () => {
    const { manager, vault } = await start('test')
    const outcomes = await Promise.all([1, 2].map(() => refusal(manager.rotate(purpose))))
    const ringIsFull = 'refused: key ring: fingerprint.keys holds more than 2 keys; retire one first'
    expect(outcomes).toEqual(['no refusal', purpose === 'encryption' ? 'no refusal' : ringIsFull])
    expect(Object.keys(readRing()[purpose].keys)).toHaveLength(purpose === 'encryption' ? 3 : 2)
    expect(vault.keyIds()[purpose].current).toBe(readRing()[purpose].current)
  })
})

test('a rotation uses a key that was made the current one in the file, and generates none', async () => {
  const { manager, vault } = await start('test')
  const ring = withNewKey(readRing(), 'encryption', randomBytes)
  writeRing(ring)
  await manager.rotate('encryption')
  expect(vault.keyIds().encryption.current).toBe(ring.encryption.current)
  expect(writeKeyRing(readRing())).toBe(writeKeyRing(ring))
})

test('a rotation replaces the target of a symbolic link', async () => {
  const target = join(folder, 'target.json')
  writeFileSync(target, writeKeyRing(generateKeyRing(randomBytes)))
  symlinkSync(target, file)
  const { manager, vault } = await start('test')
  await manager.rotate('encryption')
  expect(readFileSync(target, 'utf8')).toContain(vault.keyIds().encryption.current)
  expect(readdirSync(folder).toSorted()).toEqual(['keys.json', 'target.json'])
})

describe('in the live environment', () => {
  test('a rotation and a retirement read the file again, and do not change it', async () => {
    const ring = generateKeyRing(randomBytes)
    writeRing(ring)
    const opened = await start('live')
    const { current } = ring.encryption
    expect(await refusal(opened.manager.rotate('encryption'))).toBe(
      `refused: ${file} still has ${current} as the current encryption key: ` +
        'add a key there, make it current and retry',
    )
    const renewed = withNewKey(ring, 'encryption', randomBytes)
    writeRing(renewed)
    await opened.manager.rotate('encryption')
    expect(opened.vault.keyIds().encryption).toEqual({ current: renewed.encryption.current, previous: [current] })
    await opened.manager.retire(current)
    expect(writeKeyRing(readRing())).toBe(writeKeyRing(renewed))
    // No record needs the key, so the file may contain it or not.
    await start('live', opened.storage)
    writeRing(withoutKey(renewed, 'encryption', current))
    await start('live', opened.storage)
  })

  test.each<{ fault: string; text: (ring: KeyRing) => string; expected: RegExp }>([
    {
      fault: 'has lost a key that records need',
      text: (ring) => {
        const renewed = withNewKey(ring, 'encryption', randomBytes)
        return writeKeyRing(withoutKey(renewed, 'encryption', ring.encryption.current))
      },
      expected: /keys\.json does not fit the data: encryption\.keys\.\S+ is missing: stored data needs it$/,
    },
    {
      fault: 'belongs to another installation',
      text: () => writeKeyRing(generateKeyRing(randomBytes)),
      expected: /does not fit the data/,
    },
    { fault: 'contains no key ring', text: () => '{', expected: /keys\.json: key ring: the text is not valid JSON$/ },
  ])('a file that $fault is refused, and the keys in use stay the same', async ({ text, expected }) => {
    const ring = generateKeyRing(randomBytes)
    writeRing(ring)
    const opened = await start('live')
    const before = await readKeyCheck(opened)
    writeFileSync(file, text(ring))
    expect(await refusal(opened.manager.rotate('encryption'))).toMatch(expected)
    expect([opened.vault.keyIds().encryption.current, await readKeyCheck(opened)]).toEqual([
      ring.encryption.current,
      before,
    ])
  })

  test('a missing file is refused', async () => {
    writeRing(generateKeyRing(randomBytes))
    const { manager } = await start('live')
    rmSync(file)
    expect(await refusal(manager.rotate('encryption'))).toMatch(/keys\.json no longer exists/)
  })
})

describe('after a crash during a change of keys', () => {
  test('a gateway starts with either ring if only the file has the new key', async () => {
    const opened = await start('test')
    const before = readRing()
    const renewed = withNewKey(before, 'encryption', randomBytes)
    writeRing(renewed)
    const restarted = await start('test', storageWith(await readKeyCheck(opened)))
    expect(restarted.vault.keyIds().encryption.current).toBe(renewed.encryption.current)
    expect(await readKeyCheck(restarted)).toContain(renewed.encryption.current)
    writeRing(before)
    await start('test', storageWith(await readKeyCheck(opened)))
  })

  test('a start with the previous file names the missing key if the data needs the new key', async () => {
    const opened = await start('test')
    const before = readRing()
    await opened.manager.rotate('encryption')
    const { current } = readRing().encryption
    writeRing(before)
    await expect(start('test', opened.storage)).rejects.toThrow(
      `keys.json does not fit the data: encryption.keys.${current} is missing: stored data needs it`,
    )
  })

  test('a key that was retired in the data but not in the file can be retired again', async () => {
    const opened = await start('test')
    const old = readRing().encryption.current
    await opened.manager.rotate('encryption')
    const ringWithBothKeys = readRing()
    await opened.manager.retire(old)
    writeRing(ringWithBothKeys)
    const restarted = await start('test', opened.storage)
    expect(await readKeyCheck(restarted)).not.toContain(old)
    await restarted.manager.retire(old)
    expect(Object.keys(readRing().encryption.keys)).toEqual([ringWithBothKeys.encryption.current])
  })

  /** A storage that contains only this key-check value. */
  function storageWith(value: string): Storage {
    const storage = openMemory()
    void commit(storage, { installation: [keyCheckRow(value)] })
    return storage
  }
})

test('a payment from before a rotation delays the retirement of the old key, and its record prevents it', async () => {
  const opened = await start('test')
  const old = readRing().encryption.current
  let endAcquirerRequest: () => void = () => undefined
  const acquirerResponse = new Promise<void>((resolve) => {
    endAcquirerRequest = resolve
  })
  const paying = opened.commands.execute({ requestId: 'r', atMs: 0 }, undefined, async () => {
    const account = await sealedAccount(opened, 'late')
    await acquirerResponse
    return { answer: { status: 200, code: '000.000.000', body: '' }, account }
  })
  await new Promise((resolve) => setImmediate(resolve))
  await opened.manager.rotate('encryption')
  const retiring = refusal(opened.manager.retire(old))
  endAcquirerRequest()
  await paying
  expect(await retiring).toContain('1 records still need')
})

test('the status contains a missing key that a record needs', async () => {
  const opened = await start('test')
  const otherVault = openVault(generateKeyRing(randomBytes))
  await storeAccount({ ...opened, vault: otherVault }, 'a1')
  const { keys, remaining } = await opened.manager.status()
  const { encryption, fingerprint } = otherVault.keyIds()
  expect(remaining).toBe(1)
  expect(keys.filter(({ state }) => state === 'missing')).toEqual([
    { id: encryption.current, purpose: 'encryption', state: 'missing', records: 1 },
    { id: fingerprint.current, purpose: 'fingerprint', state: 'missing', records: 1 },
  ])
})

test('keys are reloaded if the key-check value has changed, and not if only another value has changed', async () => {
  const { manager, storage } = await start('test')
  await manager.reload()
  writeFileSync(file, '{')
  await commit(storage, { installation: [{ name: 'another', value: '1' }] })
  await manager.reload()
  await commit(storage, { installation: [keyCheckRow('changed')] })
  await expect(manager.reload()).rejects.toThrow()
})
