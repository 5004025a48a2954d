import { memoryDisk, openMemory } from '@tollgate/storage'
import { generateKeyRing, writeKeyRing } from '@tollgate/vault'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { keyCheckRow, openKeys } from './key-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const configOf = (env: Readonly<Record<string, string>> = {}) => readConfig({ TOLLGATE_DATA: folder, ...env })
const live = (keys: string) =>
  configOf({ TOLLGATE_ENV: 'live', TOLLGATE_KEYS: keys, TOLLGATE_MANAGE_KEY: 'a key of my own' })
const refusal = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: unknown) => (error instanceof ConfigError ? error.message : Promise.reject(error)),
  )

/** Opens once and keeps the key-check value, as a first start does. */
async function firstStart(config = configOf()) {
  const disk = memoryDisk()
  const { keyCheck, vault, fresh } = await openKeys(config, openMemory(disk))
  await openMemory(disk).commit({ id: '1', guards: [], rows: { installation: [keyCheckRow(keyCheck)] } })
  return { disk, vault, fresh }
}

test('a first start in test makes a key file that only its owner reads', async () => {
  const { fresh } = await firstStart()
  expect(fresh).toBe(true)
  expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600)
})

test('the next start uses the same keys', async () => {
  const { disk, vault } = await firstStart()
  const again = await openKeys(configOf(), openMemory(disk))
  expect(again.fresh).toBe(false)
  expect(again.vault.mac('token', 'x')).toEqual(vault.mac('token', 'x'))
})

test('a key file elsewhere, in a folder that is not there yet', async () => {
  const keys = join(folder, 'secret', 'keys.json')
  await firstStart(configOf({ TOLLGATE_KEYS: keys }))
  expect(readFileSync(keys, 'utf8')).toContain('encryption')
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
    expect(await refusal(openKeys(live(join(folder, 'none.json')), openMemory()))).toMatch(
      /^TOLLGATE_KEYS: .* does not exist$/,
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
  const { fresh } = await openKeys(live(keys), openMemory())
  rmSync(keys)
  expect(fresh).toBe(true)
})

test('in live, a key file beside the data whose name begins with dots', async () => {
  const keys = join(folder, '..keys.json')
  writeFileSync(keys, writeKeyRing(generateKeyRing(randomBytes)))
  expect(await refusal(openKeys(live(keys), openMemory()))).toMatch(/outside TOLLGATE_DATA/)
})
