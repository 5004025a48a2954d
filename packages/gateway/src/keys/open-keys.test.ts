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
const live = (keys: string) =>
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

/** Opens once and keeps the key-check value, as a first start does. */
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

test('a first start in test makes a key file that only its owner reads', async () => {
  await firstStart()
  expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600)
})

test('the next start uses the same keys', async () => {
  const { disk, vault } = await firstStart()
  const again = await openKeys(configOf(), openMemory(disk))
  expect(again.keyCheck).toBeUndefined()
  expect(again.vault.mac('token', 'x')).toEqual(vault.mac('token', 'x'))
})

test('a key file elsewhere, in a folder that is not there yet', async () => {
  const keys = join(folder, 'secret', 'keys.json')
  await firstStart(configOf({ TOLLGATE_KEYS: keys }))
  expect(readFileSync(keys, 'utf8')).toContain('encryption')
})

describe('the key-check value', () => {
  const ringOf = (file: string) => readKeyRing(readFileSync(file, 'utf8'))
  const file = () => join(folder, 'keys.json')

  test('grows with a new current key, before anything is sealed under it', async () => {
    const { disk } = await firstStart()
    const ring = withNewKey(ringOf(file()), 'encryption', randomBytes)
    writeFileSync(file(), writeKeyRing(ring))
    const { keyCheck } = await openKeys(configOf(), openMemory(disk))
    expect(keyCheck?.split(' ').map((entry) => entry.split('=')[0])).toEqual([
      ...((await openMemory(disk).installation('key-check')) ?? '').split(' ').map((entry) => entry.split('=')[0]),
      `encryption.keys.${ring.encryption.current}`,
    ])
  })

  test('does not grow with a key that only lies ready', async () => {
    const { disk } = await firstStart()
    const ring = ringOf(file())
    const more = withNewKey(ring, 'encryption', randomBytes)
    const ready = { ...more, encryption: { ...more.encryption, current: ring.encryption.current } }
    writeFileSync(file(), writeKeyRing(ready))
    expect((await openKeys(configOf(), openMemory(disk))).keyCheck).toBeUndefined()
  })
})

test('a command that prints the ring, in any environment, and nothing is written', async () => {
  const keys = `${folder}-keys.json`
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)))
  const env = { TOLLGATE_KEYS: `exec:/bin/cat ${keys}` }
  const opened = await openKeys(configOf(env), openMemory())
  const inLive = await openKeys(live(env.TOLLGATE_KEYS), openMemory())
  rmSync(keys)
  expect(opened.keyCheck).toBe(inLive.keyCheck)
  expect([opened.source.own, inLive.source.own]).toEqual([undefined, undefined])
  expect(await refusal(openKeys(configOf(env), openMemory()))).toMatch(/^TOLLGATE_KEYS: \/bin\/cat ended with status 1/)
  expect(existsSync(join(folder, 'keys.json'))).toBe(false)
})

describe('refused', () => {
  test('a missing key file where there is data, and none is made', async () => {
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

  test.each(['', '{', '{}', 'null', '{"version":1}'])('a key file with %j in it', async (text) => {
    writeFileSync(join(folder, 'keys.json'), text)
    expect(await refusal(openKeys(configOf(), openMemory()))).toMatch(/keys\.json: key ring/)
  })

  test('in live, a key file that is not there', async () => {
    expect(await refusal(openKeys(live(`${folder}-none.json`), openMemory()))).toMatch(
      /^TOLLGATE_KEYS: .* does not exist; make one with: tollgate key generate$/,
    )
  })

  test('in live, a key file among the data, by whatever way it is named', async () => {
    const inside = join(folder, 'sub')
    mkdirSync(inside)
    writeFileSync(join(inside, 'keys.json'), writeKeyRing(generateKeyRing(randomBytes)))
    const link = `${folder}-link`
    symlinkSync(inside, link)
    const messages = [
      await refusal(openKeys(live(join(inside, 'keys.json')), openMemory())),
      await refusal(openKeys(live(join(link, 'keys.json')), openMemory())),
    ]
    rmSync(link)
    expect(messages).toEqual([expect.stringMatching(/outside TOLLGATE_DATA/), expect.stringMatching(/outside/)])
  })
})

test('in live, a key file outside the data opens it', async () => {
  const keys = `${folder}-keys.json`
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)), { mode: 0o600 })
  const { keyCheck } = await openKeys(live(keys), openMemory())
  rmSync(keys)
  expect(keyCheck).toContain('encryption.keys.')
})

test('in live, a key file beside the data whose name begins with dots', async () => {
  const keys = join(folder, '..keys.json')
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)))
  expect(await refusal(openKeys(live(keys), openMemory()))).toMatch(/outside TOLLGATE_DATA/)
})
