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
import { type KeyKeeper, keepKeys } from './key-keeper.ts'
import { keyCheckRow, openKeys } from './open-keys.ts'

let folder = ''
let data = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-keeper-'))
  data = join(folder, 'data')
  file = join(folder, 'keys.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Opened {
  readonly keeper: KeyKeeper
  readonly storage: Storage
  readonly vault: Vault
  readonly commands: CommandHandler
}

/** The part of a start that opens the keys. */
async function start(environment: 'test' | 'live', storage = openMemory()): Promise<Opened> {
  const live = environment === 'live' && {
    TOLLGATE_ENV: 'live',
    TOLLGATE_MANAGE_KEY: 'a key of my own',
    TOLLGATE_TRUSTED_PROXY: '10.0.0.1',
  }
  const config = readConfig({ TOLLGATE_DATA: data, TOLLGATE_KEYS: file, ...live })
  const { vault, source, keyCheck } = await openKeys(config, storage)
  if (keyCheck !== undefined) await commit(storage, { installation: [keyCheckRow(keyCheck)] })
  const ids = createIds({ now: () => 0 })
  const commands = createCommandHandler(storage, createRenderer('build', 'start'))
  return { keeper: keepKeys({ vault, source, storage, ids, commands }), storage, vault, commands }
}

const commit = (storage: Storage, rows: Parameters<Storage['commit']>[0]['rows']) =>
  storage.commit({ id: '1', expectedVersions: [], rows })

/** An account with a number that this vault has sealed. */
async function sealed({ vault }: Pick<Opened, 'vault'>, id: string): Promise<AccountRow> {
  const number = new Secret(new TextEncoder().encode('4200000000000000'))
  const made = await vault.seal(number, { id, merchant: 'm' })
  return accountRow({
    id,
    fingerprint: made.fingerprint,
    fingerprint_key_id: made.fingerprintKeyId,
    sealed: made.sealed,
    wrapped_key: made.wrappedKey,
    key_id: made.keyId,
  })
}

async function store(opened: Pick<Opened, 'vault' | 'storage'>, id: string): Promise<void> {
  await commit(opened.storage, { account: [await sealed(opened, id)] })
}

const ringIn = () => readKeyRing(readFileSync(file, 'utf8'))
const put = (ring: KeyRing) => writeFileSync(file, writeKeyRing(ring), { mode: 0o600 })
const keyCheck = async ({ storage }: Opened) => (await storage.installation('key-check')) ?? ''
const refusal = (change: Promise<unknown>) =>
  change.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof KeyError ? `${error.kind}: ${error.message}` : Promise.reject(error)),
  )

describe.each(['encryption', 'fingerprint'] as const)('in the test environment, the %s key', (purpose) => {
  test('is rotated: made, kept in the file, named by the data, and used at once', async () => {
    const opened = await start('test')
    const [before, first] = [ringIn(), await keyCheck(opened)]
    await opened.keeper.rotate(purpose)
    const after = ringIn()
    expect(Object.keys(after[purpose].keys)).toEqual([before[purpose].current, after[purpose].current])
    const undone = { ...after, [purpose]: { ...after[purpose], current: before[purpose].current } }
    expect(writeKeyRing(withoutKey(undone, purpose, after[purpose].current))).toBe(writeKeyRing(before))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await keyCheck(opened)).toContain(`${purpose}.keys.${after[purpose].current}=`)
    expect(await keyCheck(opened)).toContain(first.split(' ')[0])
    expect(opened.vault.keyIds()[purpose]).toEqual({
      current: after[purpose].current,
      others: [before[purpose].current],
    })
  })

  test('retires once no record needs it, and is asked for no more', async () => {
    const opened = await start('test')
    const old = ringIn()[purpose].current
    await store(opened, 'a1')
    await opened.keeper.rotate(purpose)
    await store(opened, 'a2')
    const status = await opened.keeper.status()
    const { current } = ringIn()[purpose]
    expect(status.remaining).toBe(1)
    expect(status.keys.filter((key) => key.purpose === purpose)).toEqual([
      { id: current, purpose, state: 'current', records: 1 },
      { id: old, purpose, state: 'previous', records: 1 },
    ])
    expect(await refusal(opened.keeper.retire(old))).toBe(
      `refused: 1 records still need ${old}: they follow in the background`,
    )

    await store(opened, 'a1')
    await opened.keeper.retire(old)
    expect(Object.keys(ringIn()[purpose].keys)).toEqual([current])
    expect(await keyCheck(opened)).not.toContain(old)
    expect(opened.vault.keyIds()[purpose]).toEqual({ current, others: [] })
    expect(await refusal(opened.keeper.retire(old))).toBe(`unknown: There is no key ${old}.`)
    await start('test', opened.storage)
  })

  test('does not retire while it is the current one, at work or in the file', async () => {
    const { keeper } = await start('test')
    const before = ringIn()
    const { current } = before[purpose]
    const says = `refused: ${current} is the current ${purpose} key: rotate it first`
    expect(await refusal(keeper.retire(current))).toBe(says)
    await keeper.rotate(purpose)
    const undone = { ...ringIn(), [purpose]: { ...ringIn()[purpose], current } }
    put(undone)
    expect(await refusal(keeper.retire(current))).toBe(says)
    expect(writeKeyRing(ringIn())).toBe(writeKeyRing(undone))
  })

  test('is rotated by two who ask at once to two keys, one after the other, or refused for want of room', async () => {
    const { keeper, vault } = await start('test')
    const outcomes = await Promise.all([1, 2].map(() => refusal(keeper.rotate(purpose))))
    const full = 'refused: key ring: fingerprint.keys holds more than 2 keys; retire one first'
    expect(outcomes).toEqual(['no refusal', purpose === 'encryption' ? 'no refusal' : full])
    expect(vault.keyIds()[purpose].current).toBe(ringIn()[purpose].current)
  })
})

test('a key that is put into the file by hand is taken instead of a new one', async () => {
  const { keeper, vault } = await start('test')
  const ring = withNewKey(ringIn(), 'encryption', randomBytes)
  put(ring)
  await keeper.rotate('encryption')
  expect(vault.keyIds().encryption.current).toBe(ring.encryption.current)
  expect(writeKeyRing(ringIn())).toBe(writeKeyRing(ring))
})

test('a file behind a symbolic link stays behind it', async () => {
  const place = join(folder, 'elsewhere.json')
  writeFileSync(place, writeKeyRing(generateKeyRing(randomBytes)))
  symlinkSync(place, file)
  const { keeper, vault } = await start('test')
  await keeper.rotate('encryption')
  expect(readFileSync(place, 'utf8')).toContain(vault.keyIds().encryption.current)
  expect(readdirSync(folder).toSorted()).toEqual(['elsewhere.json', 'keys.json'])
})

describe('in the live environment', () => {
  test('a rotation reads the file again, and writes nothing', async () => {
    const ring = generateKeyRing(randomBytes)
    put(ring)
    const opened = await start('live')
    const { current } = ring.encryption
    expect(await refusal(opened.keeper.rotate('encryption'))).toBe(
      `refused: ${file} still has ${current} as the current encryption key: ` +
        'add a key there, make it current, come again',
    )
    const renewed = withNewKey(ring, 'encryption', randomBytes)
    put(renewed)
    await opened.keeper.rotate('encryption')
    expect(opened.vault.keyIds().encryption).toEqual({ current: renewed.encryption.current, others: [current] })
    await opened.keeper.retire(current)
    expect(writeKeyRing(ringIn())).toBe(writeKeyRing(renewed))
    // With the key in the file or without it: no record needs it.
    await start('live', opened.storage)
    put(withoutKey(renewed, 'encryption', current))
    await start('live', opened.storage)
  })

  test.each<{ what: string; text: (ring: KeyRing) => string; says: RegExp }>([
    {
      what: 'has lost a key that records need',
      text: (ring) => {
        const renewed = withNewKey(ring, 'encryption', randomBytes)
        return writeKeyRing(withoutKey(renewed, 'encryption', ring.encryption.current))
      },
      says: /keys\.json does not fit the data: encryption\.keys\.\S+ is missing: stored data needs it$/,
    },
    {
      what: 'is of another installation',
      text: () => writeKeyRing(generateKeyRing(randomBytes)),
      says: /does not fit the data/,
    },
    { what: 'is none', text: () => '{', says: /keys\.json: key ring: the text is not valid JSON$/ },
  ])('a file that $what is refused, and the keys at work stay', async ({ text, says }) => {
    const ring = generateKeyRing(randomBytes)
    put(ring)
    const opened = await start('live')
    const before = await keyCheck(opened)
    writeFileSync(file, text(ring))
    expect(await refusal(opened.keeper.rotate('encryption'))).toMatch(says)
    expect([opened.vault.keyIds().encryption.current, await keyCheck(opened)]).toEqual([
      ring.encryption.current,
      before,
    ])
  })

  test('a file that is gone is refused', async () => {
    put(generateKeyRing(randomBytes))
    const { keeper } = await start('live')
    rmSync(file)
    expect(await refusal(keeper.rotate('encryption'))).toMatch(/keys\.json no longer exists/)
  })
})

describe('whatever a crash leaves, the next start knows', () => {
  test('the new key in the file, the data without it: it starts with either ring', async () => {
    const opened = await start('test')
    const before = ringIn()
    const renewed = withNewKey(before, 'encryption', randomBytes)
    put(renewed)
    const again = await start('test', openMemoryWith(await keyCheck(opened)))
    expect(again.vault.keyIds().encryption.current).toBe(renewed.encryption.current)
    expect(await keyCheck(again)).toContain(renewed.encryption.current)
    put(before)
    await start('test', openMemoryWith(await keyCheck(opened)))
  })

  test('the new key in use, and a file from before: it says which key is missing', async () => {
    const opened = await start('test')
    const before = ringIn()
    await opened.keeper.rotate('encryption')
    const { current } = ringIn().encryption
    put(before)
    await expect(start('test', opened.storage)).rejects.toThrow(
      `keys.json does not fit the data: encryption.keys.${current} is missing: stored data needs it`,
    )
  })

  test('the retired key dropped by the data, and still in the file: it retires again', async () => {
    const opened = await start('test')
    const old = ringIn().encryption.current
    await opened.keeper.rotate('encryption')
    const both = ringIn()
    await opened.keeper.retire(old)
    put(both)
    const again = await start('test', opened.storage)
    expect(await keyCheck(again)).not.toContain(old)
    await again.keeper.retire(old)
    expect(Object.keys(ringIn().encryption.keys)).toEqual([both.encryption.current])
  })

  /** Data whose key-check value is this one. */
  function openMemoryWith(value: string): Storage {
    const storage = openMemory()
    void commit(storage, { installation: [keyCheckRow(value)] })
    return storage
  }
})

test('a key does not retire while a payment that began before the rotation is under way', async () => {
  const opened = await start('test')
  const old = ringIn().encryption.current
  let answerOfAcquirer: () => void = () => undefined
  const acquirer = new Promise<void>((resolve) => {
    answerOfAcquirer = resolve
  })
  const paying = opened.commands.execute({ requestId: 'r', atMs: 0 }, undefined, async () => {
    const account = await sealed(opened, 'late')
    await acquirer
    return { answer: { status: 200, code: '000.000.000', body: '' }, account }
  })
  await new Promise((resolve) => setImmediate(resolve))
  await opened.keeper.rotate('encryption')
  const retiring = refusal(opened.keeper.retire(old))
  answerOfAcquirer()
  await paying
  expect(await retiring).toContain('1 records still need')
})

test('a record under a missing key is shown', async () => {
  const opened = await start('test')
  const stranger = openVault(generateKeyRing(randomBytes))
  await store({ ...opened, vault: stranger }, 'a1')
  const { keys, remaining } = await opened.keeper.status()
  const { encryption, fingerprint } = stranger.keyIds()
  expect(remaining).toBe(1)
  expect(keys.filter(({ state }) => state === 'missing')).toEqual([
    { id: encryption.current, purpose: 'encryption', state: 'missing', records: 1 },
    { id: fingerprint.current, purpose: 'fingerprint', state: 'missing', records: 1 },
  ])
})

test('keys are read anew where the key-check value has changed, and for no other value', async () => {
  const { keeper, storage } = await start('test')
  await keeper.reload()
  writeFileSync(file, '{')
  await commit(storage, { installation: [{ name: 'another', value: '1' }] })
  await keeper.reload()
  await commit(storage, { installation: [keyCheckRow('changed')] })
  await expect(keeper.reload()).rejects.toThrow()
})
