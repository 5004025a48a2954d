import { DAY_MS } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { slowStorage } from '../../testing/slow-storage.ts'
import { testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway({ storage: slowStorage() })
afterAll(() => tollgate.close())
const { manage, clock, gateway } = tollgate

const UNKNOWN_ID = '0'.repeat(32)
const createToken = async (fields: object = {}) =>
  (await manage('POST', '/tokens', { entityId: sandboxIds.merchant, ...fields })).body

test('a new token is shown only at its creation, and is stored as a hash of 32 bytes', async () => {
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

test('the rights of a token are shown, and its successor has the same rights', async () => {
  const { id, rights, token } = await createToken({ rights: ['chargeback', 'system'] })
  expect(rights).toEqual(['chargeback', 'system'])
  const { body } = await manage('POST', `/tokens/${id}/rotate`, {})
  expect(body.rights).toEqual(rights)
  const ordinary = await createToken({ rights: [] })
  for (const [bearer, expected] of [
    [token, rights],
    [body.token, rights],
    [ordinary.token, []],
  ]) {
    expect(gateway.directory.authenticate(`Bearer ${bearer}`, clock.nowMs)).toMatchObject({ rights: expected })
  }
})

test('all tokens are listed without their values, and an unknown entity has none', async () => {
  const { body } = await manage('GET', '/tokens')
  expect(body.tokens).toContainEqual(expect.objectContaining({ id: sandboxIds.user }))
  expect(JSON.stringify(body)).not.toContain(sandboxToken)
  expect((await manage('GET', `/tokens?entityId=${UNKNOWN_ID}`)).body).toEqual({ tokens: [], total: 0 })
})

test('a rotated token expires after the default overlap of a day', async () => {
  const old = await createToken()
  const { status, body } = await manage('POST', `/tokens/${old.id}/rotate`, {})
  expect([status, body.entityId, body.expiresAt]).toEqual([201, sandboxIds.merchant, null])
  expect(body.token).not.toBe(old.token)
  const { tokens } = (await manage('GET', '/tokens')).body
  const expiry = tokens.find(({ id }: { id: string }) => id === old.id).expiresAt
  expect(Date.parse(expiry)).toBe(clock.nowMs + DAY_MS)
})

test('a rotation needs no body', async () => {
  const { id } = await createToken()
  expect((await manage('POST', `/tokens/${id}/rotate`)).status).toBe(201)
  const { tokens } = (await manage('GET', '/tokens')).body
  const expiry = tokens.find((token: { id: string }) => token.id === id).expiresAt
  expect(Date.parse(expiry)).toBe(clock.nowMs + DAY_MS)
})

test('a rotation never extends the lifetime of the old token', async () => {
  const old = await createToken({ lifetimeSeconds: 60 })
  await manage('POST', `/tokens/${old.id}/rotate`, { overlapSeconds: 3600 })
  const { tokens } = (await manage('GET', '/tokens')).body
  expect(tokens.find(({ id }: { id: string }) => id === old.id).expiresAt).toBe(old.expiresAt)
})

test('a second revocation keeps the time of the first one', async () => {
  const { id } = await createToken()
  const first = await manage('DELETE', `/tokens/${id}`)
  expect([first.status, Date.parse(first.body.revokedAt)]).toEqual([200, clock.nowMs])
  clock.nowMs += 1000
  expect((await manage('DELETE', `/tokens/${id}`)).body).toEqual(first.body)
})

test('a revocation prevails over a concurrent rotation', async () => {
  const { id } = await createToken()
  await Promise.all([manage('DELETE', `/tokens/${id}`), manage('POST', `/tokens/${id}/rotate`, {})])
  const { tokens } = (await manage('GET', '/tokens')).body
  expect(tokens.find((token: { id: string }) => token.id === id).revokedAt).not.toBeNull()
})

describe('wrong requests', () => {
  test.each<{ fault: string; body: object; status: number }>([
    { fault: 'a body without an entity', body: {}, status: 400 },
    { fault: 'an unknown entity', body: { entityId: UNKNOWN_ID }, status: 404 },
    {
      fault: 'a lifetime below the minimum',
      body: { entityId: sandboxIds.merchant, lifetimeSeconds: 59 },
      status: 400,
    },
    { fault: 'a lifetime as text', body: { entityId: sandboxIds.merchant, lifetimeSeconds: '60' }, status: 400 },
    { fault: 'an unknown right', body: { entityId: sandboxIds.merchant, rights: ['refund'] }, status: 400 },
    { fault: 'a repeated right', body: { entityId: sandboxIds.merchant, rights: ['system', 'system'] }, status: 400 },
    { fault: 'an unknown field', body: { entityId: sandboxIds.merchant, token: 'mine' }, status: 400 },
  ])('$fault is refused with $status', async ({ body, status }) => {
    const answer = await manage('POST', '/tokens', body)
    expect([answer.status, answer.body.error.status]).toEqual([status, status])
  })

  test('the rotation or revocation of an unknown token is answered with 404', async () => {
    expect((await manage('POST', `/tokens/${UNKNOWN_ID}/rotate`, {})).status).toBe(404)
    expect((await manage('DELETE', `/tokens/${UNKNOWN_ID}`)).status).toBe(404)
  })

  test('an overlap above the maximum is refused with 400', async () => {
    const { id } = await createToken()
    expect((await manage('POST', `/tokens/${id}/rotate`, { overlapSeconds: 2_592_001 })).status).toBe(400)
  })

  test('the rotation of a revoked or expired token is refused with 409', async () => {
    const revoked = await createToken()
    await manage('DELETE', `/tokens/${revoked.id}`)
    const expired = await createToken({ lifetimeSeconds: 60 })
    clock.nowMs += 60_000
    for (const { id } of [revoked, expired]) {
      const answer = await manage('POST', `/tokens/${id}/rotate`, {})
      expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('no longer valid')])
    }
  })
})
