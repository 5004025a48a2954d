import { DAY_MS } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { slowStorage } from '../../testing/slow-storage.ts'
import { testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway({ storage: slowStorage() })
afterAll(() => tollgate.close())
const { manage, clock, gateway } = tollgate

const UNKNOWN_ID = '0'.repeat(32)
const create = async (more: object = {}) =>
  (await manage('POST', '/tokens', { entityId: sandboxIds.merchant, ...more })).body

test('a new token is shown once and kept as a keyed hash', async () => {
  const { status, body } = await manage('POST', '/tokens', { entityId: sandboxIds.channel })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    entityId: sandboxIds.channel,
    userId: body.id,
    rights: [],
    createdAt: '2026-05-04T03:02:01.000Z',
    expiresAt: null,
    revokedAt: null,
    token: expect.any(String),
  })
  const [user, password] = Buffer.from(body.token, 'base64').toString().split('|')
  expect([user, password?.length]).toEqual([body.id, 24])
  const listed = await manage('GET', `/tokens?entityId=${sandboxIds.channel}`)
  expect(listed.body).toEqual({ tokens: [{ ...body, token: undefined }], total: 1 })
  expect(listed.text).not.toContain(body.token)
  const stored = (await gateway.storage.accessTokens()).find(({ id }) => id === body.id)
  expect(stored?.hash).toHaveLength(32)
  expect(Buffer.from(stored?.hash ?? []).toString('latin1')).not.toContain(password)
})

test('a token with rights keeps them when it is rotated, and shows them', async () => {
  const { id, rights, token } = await create({ rights: ['chargeback', 'system'] })
  expect(rights).toEqual(['chargeback', 'system'])
  const { body } = await manage('POST', `/tokens/${id}/rotate`, {})
  expect(body.rights).toEqual(rights)
  const ordinary = await create({ rights: [] })
  for (const [bearer, held] of [
    [token, rights],
    [body.token, rights],
    [ordinary.token, []],
  ]) {
    expect(gateway.directory.authenticate(`Bearer ${bearer}`, clock.nowMs)).toMatchObject({ rights: held })
  }
})

test('all tokens, or those of one entity', async () => {
  const { body } = await manage('GET', '/tokens')
  expect(body.tokens).toContainEqual(expect.objectContaining({ id: sandboxIds.user }))
  expect(JSON.stringify(body)).not.toContain(sandboxToken)
  expect((await manage('GET', `/tokens?entityId=${UNKNOWN_ID}`)).body).toEqual({ tokens: [], total: 0 })
})

test('rotation ends the old one after the overlap, a day unless told otherwise', async () => {
  const old = await create()
  const { status, body } = await manage('POST', `/tokens/${old.id}/rotate`, {})
  expect([status, body.entityId, body.expiresAt]).toEqual([201, sandboxIds.merchant, null])
  expect(body.token).not.toBe(old.token)
  const { tokens } = (await manage('GET', '/tokens')).body
  const expiry = tokens.find(({ id }: { id: string }) => id === old.id).expiresAt
  expect(Date.parse(expiry)).toBe(clock.nowMs + DAY_MS)
})

test('rotation needs no body', async () => {
  const { id } = await create()
  expect((await manage('POST', `/tokens/${id}/rotate`)).status).toBe(201)
  const { tokens } = (await manage('GET', '/tokens')).body
  const expiry = tokens.find((token: { id: string }) => token.id === id).expiresAt
  expect(Date.parse(expiry)).toBe(clock.nowMs + DAY_MS)
})

test('rotation never lengthens a life', async () => {
  const old = await create({ lifetimeSeconds: 60 })
  await manage('POST', `/tokens/${old.id}/rotate`, { overlapSeconds: 3600 })
  const { tokens } = (await manage('GET', '/tokens')).body
  expect(tokens.find(({ id }: { id: string }) => id === old.id).expiresAt).toBe(old.expiresAt)
})

test('a revoked token stays listed with the moment of its end, which a second call does not move', async () => {
  const { id } = await create()
  const first = await manage('DELETE', `/tokens/${id}`)
  expect([first.status, Date.parse(first.body.revokedAt)]).toEqual([200, clock.nowMs])
  clock.nowMs += 1000
  expect((await manage('DELETE', `/tokens/${id}`)).body).toEqual(first.body)
})

test('a revocation holds, whatever happens at the same time', async () => {
  const { id } = await create()
  await Promise.all([manage('DELETE', `/tokens/${id}`), manage('POST', `/tokens/${id}/rotate`, {})])
  const { tokens } = (await manage('GET', '/tokens')).body
  expect(tokens.find((token: { id: string }) => token.id === id).revokedAt).not.toBeNull()
})

describe('wrong requests', () => {
  test.each<{ what: string; body: object; status: number }>([
    { what: 'no entity', body: {}, status: 400 },
    { what: 'an entity that is not there', body: { entityId: UNKNOWN_ID }, status: 404 },
    { what: 'a life too short', body: { entityId: sandboxIds.merchant, lifetimeSeconds: 59 }, status: 400 },
    { what: 'a life of text', body: { entityId: sandboxIds.merchant, lifetimeSeconds: '60' }, status: 400 },
    { what: 'a right that is none', body: { entityId: sandboxIds.merchant, rights: ['refund'] }, status: 400 },
    { what: 'a right twice', body: { entityId: sandboxIds.merchant, rights: ['system', 'system'] }, status: 400 },
    { what: 'a field that is none', body: { entityId: sandboxIds.merchant, token: 'mine' }, status: 400 },
  ])('$what: $status', async ({ body, status }) => {
    const answer = await manage('POST', '/tokens', body)
    expect([answer.status, answer.body.error.status]).toEqual([status, status])
  })

  test('a token that is not there: 404', async () => {
    expect((await manage('POST', `/tokens/${UNKNOWN_ID}/rotate`, {})).status).toBe(404)
    expect((await manage('DELETE', `/tokens/${UNKNOWN_ID}`)).status).toBe(404)
  })

  test('an overlap too long: 400', async () => {
    const { id } = await create()
    expect((await manage('POST', `/tokens/${id}/rotate`, { overlapSeconds: 2_592_001 })).status).toBe(400)
  })

  test('a token that has ended is not rotated: 409', async () => {
    const revoked = await create()
    await manage('DELETE', `/tokens/${revoked.id}`)
    const expired = await create({ lifetimeSeconds: 60 })
    clock.nowMs += 60_000
    for (const { id } of [revoked, expired]) {
      const answer = await manage('POST', `/tokens/${id}/rotate`, {})
      expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('no longer valid')])
    }
  })
})
