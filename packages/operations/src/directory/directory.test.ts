import { memoryDisk, openMemory, type AccessTokenRow, type EntityRow } from '@tollgate/storage'
import { beforeEach, describe, expect, test } from 'vitest'
import { openDirectory } from './directory.ts'
import type { Directory } from './channel.ts'
import { limits } from '../limits.ts'

const NOW_MS = 1_000_000

/** A substitute of the keyed hash: 32 bytes that depend on the token. */
const hash = (token: string | Uint8Array) => {
  const bytes = Buffer.from(token)
  return new Uint8Array(32).map((_, index) => (bytes[index % bytes.length] ?? 0) + index)
}

const entity = (
  id: string,
  parent: string | null,
  kind: EntityRow['kind'],
  more: Partial<EntityRow> = {},
): EntityRow => ({
  id,
  parent_id: parent,
  kind,
  merchant: kind === 'merchant' || kind === 'channel' ? 'm' : '',
  name: id,
  settings: '{}',
  created_at_ms: 0,
  ...more,
})
const token = (id: string, entityId: string, more: Partial<AccessTokenRow> = {}): AccessTokenRow => ({
  id,
  entity_id: entityId,
  user_id: id,
  hash: hash(id),
  rights: '',
  created_at_ms: 0,
  expires_at_ms: null,
  revoked_at_ms: null,
  ...more,
})

/** The stored text of a list with one route. */
const routesTo = (connector: string, when: object = {}): string =>
  JSON.stringify({ routes: [{ name: 'r', when, targets: [{ connector }] }] })

const entityRows = [
  // The ids sort differently from the times of creation.
  entity('c1', 'm', 'channel', { created_at_ms: 2 }),
  entity('c2', 'm', 'channel', { created_at_ms: 1, settings: '{"brands":["VISA"]}' }),
  entity('d', 'p', 'division'),
  entity('m', 'd', 'merchant', { settings: '{"dispatching":true,"currencies":["EUR"]}' }),
  entity('p', null, 'psp', { settings: '{"brands":["MASTER"],"compatibility":"legacy"}' }),
]

let directory: Directory
beforeEach(async () => {
  const disk = memoryDisk()
  const tokens = [
    token('good', 'm'),
    token('old', 'm', { expires_at_ms: NOW_MS }),
    token('gone', 'm', { revoked_at_ms: 1 }),
  ]
  await openMemory(disk).commit({ id: '1', expectedVersions: [], rows: { entity: entityRows, access_token: tokens } })
  directory = await openDirectory(openMemory(disk), hash)
})

describe('authentication', () => {
  test.each([
    { authorization: 'Bearer good', caller: { tokenId: 'good', entityId: 'm', rights: [] } },
    { authorization: 'Bearer old', caller: 'unknown' },
    { authorization: 'Bearer gone', caller: 'unknown' },
    { authorization: 'Bearer never', caller: 'unknown' },
    { authorization: 'Basic good', caller: 'missing' },
    { authorization: undefined, caller: 'missing' },
  ])('of the header $authorization results in $caller', ({ authorization, caller }) => {
    for (const attempt of [1, 2])
      expect([attempt, directory.authenticate(authorization, NOW_MS)]).toEqual([attempt, caller])
  })

  test('a valid header is not hashed again, unless it is too long for the cache', async () => {
    let hashCount = 0
    const disk = memoryDisk()
    const rows = { entity: entityRows, access_token: [token('good', 'm')] }
    await openMemory(disk).commit({ id: '1', expectedVersions: [], rows })
    const countingDirectory = await openDirectory(openMemory(disk), (text) => {
      hashCount += 1
      return hash(text)
    })
    const hashesFor = (authorization: string) => {
      const hashesBefore = hashCount
      for (let attempt = 0; attempt < 3; attempt += 1)
        expect(countingDirectory.authenticate(authorization, NOW_MS)).toEqual({
          tokenId: 'good',
          entityId: 'm',
          rights: [],
        })
      return hashCount - hashesBefore
    }
    expect(hashesFor('Bearer good')).toBe(1)
    expect(hashesFor(`Bearer ${' '.repeat(limits.recentHeaderCharsMax)}good`)).toBe(3)
  })

  test('a token is invalid from its expiry on, and a changed row applies at once', () => {
    expect(directory.authenticate('Bearer old', NOW_MS - 1)).toEqual({ tokenId: 'old', entityId: 'm', rights: [] })
    expect(directory.authenticate('Bearer old', NOW_MS)).toBe('unknown')
    expect(directory.authenticate('Bearer good', NOW_MS)).toEqual({ tokenId: 'good', entityId: 'm', rights: [] })
    directory.putToken(token('good', 'm', { revoked_at_ms: NOW_MS }))
    expect(directory.authenticate('Bearer good', NOW_MS)).toBe('unknown')
    // A revocation does not depend on the clock.
    expect(directory.authenticate('Bearer good', NOW_MS - 1)).toBe('unknown')
  })

  test('a token with a similar hash is unknown', () => {
    const caller = directory.authenticate('Bearer gooe', NOW_MS)
    expect(caller).toBe('unknown')
  })
})

describe('reach', () => {
  test.each([
    { above: 'p', id: 'c1', reaches: true },
    { above: 'd', id: 'm', reaches: true },
    { above: 'c1', id: 'c1', reaches: true },
    { above: 'c1', id: 'c2', reaches: false },
    { above: 'c1', id: 'm', reaches: false },
    { above: 'p', id: 'unknown', reaches: false },
    { above: 'unknown', id: 'c1', reaches: false },
  ])('$above reaches $id: $reaches', ({ above, id, reaches }) => {
    expect(directory.reaches(above, id)).toBe(reaches)
  })

  test('a cycle of entities is not followed endlessly', () => {
    directory.putEntity(entity('p', 'c1', 'psp'))
    expect(directory.reaches('unknown', 'c1')).toBe(false)
  })
})

describe('channels', () => {
  const ids = (entityId: string, callerEntity = 'p') =>
    directory.channelsFor({ tokenId: 't', entityId: callerEntity, rights: [] }, entityId).map(({ id }) => id)

  test('of a merchant with dispatching are all of its channels, in order of creation', () => {
    expect(ids('m')).toEqual(['c2', 'c1'])
  })

  test.each([
    { entityId: 'c1', channelIds: ['c1'] },
    { entityId: 'd', channelIds: [] },
    { entityId: 'p', channelIds: [] },
    { entityId: 'unknown', channelIds: [] },
  ])('of the entity $entityId are $channelIds', ({ entityId, channelIds }) => {
    expect(ids(entityId)).toEqual(channelIds)
  })

  test('that the caller does not reach are not found', () => {
    expect(ids('m', 'c1')).toEqual([])
    expect(ids('c2', 'c1')).toEqual([])
  })

  test('inherit the settings that they do not set themselves', () => {
    expect(directory.channel('c1')?.settings).toMatchObject({
      brands: new Set(['MASTER']),
      currencies: new Set(['EUR']),
      compatibility: 'legacy',
    })
    expect(directory.channel('c2')?.settings.brands).toEqual(new Set(['VISA']))
  })

  test('inherit a change of an entity above, and stay disabled below a disabled entity', () => {
    directory.putEntity(entity('d', 'p', 'division', { settings: '{"enabled":false}' }))
    expect(directory.channel('c1')?.settings.enabled).toBe(false)
    directory.putEntity(entity('c1', 'm', 'channel', { settings: '{"enabled":true}' }))
    expect(directory.channel('c1')?.settings.enabled).toBe(false)
  })
})

test('a directory with unknown settings is not opened', async () => {
  const disk = memoryDisk()
  await openMemory(disk).commit({
    id: '1',
    expectedVersions: [],
    rows: { entity: [entity('p', null, 'psp', { settings: '{"colour":"red"}' })] },
  })
  await expect(openDirectory(openMemory(disk), hash)).rejects.toThrow()
})

test.each([
  ['have an unknown member', '{"colour":"red"}'],
  ['have an invalid condition', '{"rules":[{"name":"a","when":{"kind":"amount"},"score":1}]}'],
])('a directory is not opened if its risk rules %s', async (_case, rules) => {
  const storage = openMemory()
  const row = { entity_id: 'p', rules, changed_at_ms: 0 }
  await storage.commit({ id: '1', expectedVersions: [], rows: { entity: entityRows, risk_rules: [row] } })
  await expect(openDirectory(storage, hash)).rejects.toThrow()
})

test.each([
  ['are no list', '{"routes":{}}'],
  ['have ends of a range in the wrong order', routesTo('acme', { bins: [{ from: '5', to: '4' }] })],
])('a directory is not opened if its routes %s', async (_case, routes) => {
  const storage = openMemory()
  const row = { entity_id: 'p', routes, changed_at_ms: 0 }
  await storage.commit({ id: '1', expectedVersions: [], rows: { entity: entityRows, route_list: [row] } })
  await expect(openDirectory(storage, hash)).rejects.toThrow()
})

test('the routes of a channel are those of the nearest entity with routes, also after a reload', async () => {
  const put = (entityId: string, routes: string | null) =>
    directory.putRoutes({ entity_id: entityId, routes, changed_at_ms: 0 })
  const targetsOf = (channelId: string) =>
    directory.channel(channelId)?.routes?.flatMap(({ targets }) => targets.map(({ connector }) => connector))
  expect(targetsOf('c1')).toBeUndefined()
  put('p', routesTo('of-p'))
  put('c1', routesTo('of-c1'))
  expect([targetsOf('c1'), targetsOf('c2')]).toEqual([['of-c1'], ['of-p']])
  expect(directory.routes('c1')?.entityId).toBe('c1')
  expect(directory.routes('m')?.entityId).toBe('p')
  expect(directory.routeSets().map(({ entityId }) => entityId)).toEqual(['p', 'c1'])
  put('c1', null)
  expect(targetsOf('c1')).toEqual(['of-p'])

  const storage = openMemory()
  const reread = await openDirectory(storage, hash)
  const row = { entity_id: 'm', routes: routesTo('of-m'), changed_at_ms: 0 }
  await storage.commit({ id: '1', expectedVersions: [], rows: { entity: entityRows, route_list: [row] } })
  await reread.reload()
  expect(reread.channel('c2')?.routes).toMatchObject([{ targets: [{ connector: 'of-m' }] }])
})

test('the tenant of an entity is its merchant, or else the entity itself; the nearest rate limits apply', () => {
  directory.putEntity(entity('p', null, 'psp', { settings: '{"throttle":{"getPayment":1,"createPayment":2}}' }))
  directory.putEntity(entity('m', 'd', 'merchant', { settings: '{"throttle":{"createPayment":"off"}}' }))
  expect(directory.tenantSettingsOf('p')).toMatchObject({ tenant: 'p', throttle: { getPayment: 1, createPayment: 2 } })
  expect(directory.tenantSettingsOf('d')).toMatchObject({ tenant: 'd', throttle: { getPayment: 1, createPayment: 2 } })
  for (const id of ['m', 'c1']) {
    expect(directory.tenantSettingsOf(id)).toMatchObject({
      tenant: 'm',
      throttle: { getPayment: 1, createPayment: 'off' },
    })
  }
  directory.putEntity(entity('c1', 'm', 'channel', { settings: '{"throttle":{"getPayment":3}}' }))
  expect(directory.tenantSettingsOf('c1').throttle).toEqual({ getPayment: 3, createPayment: 'off' })
})

test('an entity is legacy if it has channels and all of them are legacy', () => {
  const isLegacy = (id: string) => directory.tenantSettingsOf(id).isLegacy
  expect(['p', 'd', 'm', 'c1', 'c2'].map(isLegacy)).toEqual([true, true, true, true, true])
  directory.putEntity(entity('c1', 'm', 'channel', { settings: '{"compatibility":"strict"}' }))
  expect(['p', 'd', 'm', 'c1', 'c2'].map(isLegacy)).toEqual([false, false, false, false, true])
  directory.putEntity(entity('m2', 'd', 'merchant'))
  expect(isLegacy('m2')).toBe(false)
})
