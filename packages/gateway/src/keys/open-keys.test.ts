import { memoryDisk, openMemory } from '@tollgate/storage'
import { generateKeyRing, readKeyRing, withNewKey, writeKeyRing } from '@tollgate/vault'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { keyCheckRow, openKeys } from './open-keys.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const configOf = (env: Readonly<Record<string, string>> = {}) => readConfig({ TOLLGATE_DATA: folder, ...env })
const liveConfig = (keys: string) =>
  configOf({
    TOLLGATE_ENV: 'live',
    TOLLGATE_KEYS: keys,
    TOLLGATE_MANAGE_KEY: 'a key of my own',
    TOLLGATE_TRUSTED_PROXY: '10.0.0.1',
  })
const refusal = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: unknown) => (error instanceof ConfigError ? error.message : Promise.reject(error)),
  )

/** Opens the keys and stores the key-check value, as a first start does. */
async function firstStart(config = configOf()) {
  const disk = memoryDisk()
  const { keyCheck, vault } = await openKeys(config, openMemory(disk))
  await openMemory(disk).commit({
    id: '1',
    expectedVersions: [],
    rows: { installation: [keyCheckRow(keyCheck ?? '')] },
  })
  return { disk, vault }
}

test('a first start in the test environment creates a key file that only its owner can read', async () => {
  await firstStart()
  expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600)
})

test('the next start uses the same keys', async () => {
  const { disk, vault } = await firstStart()
  const reopened = await openKeys(configOf(), openMemory(disk))
  expect(reopened.keyCheck).toBeUndefined()
  expect(reopened.vault.mac('token', 'x')).toEqual(vault.mac('token', 'x'))
})

test('a key file at another path is created together with its folder', async () => {
  const keys = join(folder, 'secret', 'keys.json')
  await firstStart(configOf({ TOLLGATE_KEYS: keys }))
  expect(readFileSync(keys, 'utf8')).toContain('encryption')
})

describe('the key-check value', () => {
  const readRing = (file: string) => readKeyRing(readFileSync(file, 'utf8'))
  const file = () => join(folder, 'keys.json')

  test('includes a new current key before a record is sealed under it', async () => {
    const { disk } = await firstStart()
    const ring = withNewKey(readRing(file()), 'encryption', randomBytes)
    writeFileSync(file(), writeKeyRing(ring))
    const { keyCheck } = await openKeys(configOf(), openMemory(disk))
    expect(keyCheck?.split(' ').map((entry) => entry.split('=')[0])).toEqual([
      ...((await openMemory(disk).installation('key-check')) ?? '').split(' ').map((entry) => entry.split('=')[0]),
      `encryption.keys.${ring.encryption.current}`,
    ])
  })

  test('does not include a key that is not current yet', async () => {
    const { disk } = await firstStart()
    const ring = readRing(file())
    const extended = withNewKey(ring, 'encryption', randomBytes)
    const prepared = { ...extended, encryption: { ...extended.encryption, current: ring.encryption.current } }
    writeFileSync(file(), writeKeyRing(prepared))
    expect((await openKeys(configOf(), openMemory(disk))).keyCheck).toBeUndefined()
  })
})

test('a command provides the ring in each environment, and no file is written', async () => {
  const keys = `${folder}-keys.json`
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)))
  const env = { TOLLGATE_KEYS: `exec:/bin/cat ${keys}` }
  const opened = await openKeys(configOf(env), openMemory())
  const openedLive = await openKeys(liveConfig(env.TOLLGATE_KEYS), openMemory())
  rmSync(keys)
  expect(opened.keyCheck).toBe(openedLive.keyCheck)
  expect([opened.source.store, openedLive.source.store]).toEqual([undefined, undefined])
  expect(await refusal(openKeys(configOf(env), openMemory()))).toMatch(/^TOLLGATE_KEYS: \/bin\/cat ended with status 1/)
  expect(existsSync(join(folder, 'keys.json'))).toBe(false)
})

describe('a start is refused with', () => {
  test('a missing key file if there is data, and no key file is created', async () => {
    const { disk } = await firstStart()
    rmSync(join(folder, 'keys.json'))
    const opening = () => refusal(openKeys(configOf(), openMemory(disk)))
    expect(await opening()).toMatch(/keys\.json is missing, and the data was written with its keys/)
    expect(await opening()).toMatch(/is missing/)
  })

  test('the keys of other data', async () => {
    const { disk } = await firstStart()
    writeFileSync(join(folder, 'keys.json'), writeKeyRing(generateKeyRing(randomBytes)))
    expect(await refusal(openKeys(configOf(), openMemory(disk)))).toMatch(/keys\.json does not fit the data/)
  })

  test.each(['', '{', '{}', 'null', '{"version":1}'])('a key file that contains %j', async (text) => {
    writeFileSync(join(folder, 'keys.json'), text)
    expect(await refusal(openKeys(configOf(), openMemory()))).toMatch(/keys\.json: key ring/)
  })

  test('a missing key file in the live environment', async () => {
    expect(await refusal(openKeys(liveConfig(`${folder}-none.json`), openMemory()))).toMatch(
      /^TOLLGATE_KEYS: .* does not exist; make one with: tollgate key generate$/,
    )
  })

  test('a key file in the data folder in the live environment, also behind a symbolic link', async () => {
    const inside = join(folder, 'sub')
    mkdirSync(inside)
    writeFileSync(join(inside, 'keys.json'), writeKeyRing(generateKeyRing(randomBytes)))
    const link = `${folder}-link`
    symlinkSync(inside, link)
    const messages = [
      await refusal(openKeys(liveConfig(join(inside, 'keys.json')), openMemory())),
      await refusal(openKeys(liveConfig(join(link, 'keys.json')), openMemory())),
    ]
    rmSync(link)
    expect(messages).toEqual([expect.stringMatching(/outside TOLLGATE_DATA/), expect.stringMatching(/outside/)])
  })
})

test('a key file outside the data folder is accepted in the live environment', async () => {
  const keys = `${folder}-keys.json`
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)), { mode: 0o600 })
  const { keyCheck } = await openKeys(liveConfig(keys), openMemory())
  rmSync(keys)
  expect(keyCheck).toContain('encryption.keys.')
})

test('a key file in the data folder is refused in the live environment also if its name begins with dots', async () => {
  const keys = join(folder, '..keys.json')
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)))
  expect(await refusal(openKeys(liveConfig(keys), openMemory()))).toMatch(/outside TOLLGATE_DATA/)
})
