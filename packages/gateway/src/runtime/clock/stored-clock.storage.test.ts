import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS, HOUR_MS, SECOND_MS } from '@tollgate/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '@tollgate/storage'
import { limits } from '../../limits.ts'
import { sandboxIds } from '@tollgate/operations'
import { CLOCK_OFFSET, CLOCK_LATEST, CLOCK_REPAIR, storeTime } from './stored-clock.ts'
import { cardPayment, type TestGateway, testGateway } from '../../testing/test-gateway.ts'
import { testStorage } from '../../testing/test-storage.ts'

let folder: string
let storage: Storage
let tollgate: TestGateway

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-clock-'))
  storage = await testStorage()
  tollgate = await testGateway({ storage, data: folder })
})
afterEach(async () => {
  await tollgate.close()
  rmSync(folder, { recursive: true })
})

const issueToken = async (options: object = {}) =>
  (await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant, ...options })).body
const paymentStatus = async (token: string, { send }: TestGateway = tollgate) =>
  (await send('POST', '/v1/payments', cardPayment(), { authorization: `Bearer ${token}` })).status
/** Starts another process on the same data, on a machine with a clock of its own. */
const startProcess = async (aheadMs: number) => {
  const other = await testGateway({ storage, data: folder })
  other.clock.nowMs = tollgate.clock.nowMs + aheadMs
  return other
}

describe('on a machine whose clock jumps both ways', () => {
  const jumps = [-5 * SECOND_MS, 60 * SECOND_MS, -30 * SECOND_MS, HOUR_MS, -limits.clockBackMsMax, -DAY_MS]

  test('a revoked token stays revoked, for every process and after a restart', async () => {
    const { id, token } = await issueToken()
    expect(await paymentStatus(token)).toBe(200)
    expect((await tollgate.manage('DELETE', `/tokens/${id}`)).status).toBe(200)
    for (const jump of jumps) {
      tollgate.clock.nowMs += jump
      expect([jump, await paymentStatus(token)]).toEqual([jump, 403])
    }
    const slow = await startProcess(-DAY_MS)
    expect(await paymentStatus(token, slow)).toBe(403)
  })

  test('a token that was rotated without an overlap stays invalid', async () => {
    const { id, token } = await issueToken()
    const rotated = await tollgate.manage('POST', `/tokens/${id}/rotate`, { overlapSeconds: 0 })
    for (const jump of jumps) {
      tollgate.clock.nowMs += jump
      expect([jump, await paymentStatus(token), await paymentStatus(rotated.body.token)]).toEqual([jump, 403, 200])
    }
  })

  test('expired tokens stay expired, also after a restart', async () => {
    const { token } = await issueToken({ lifetimeSeconds: 60 })
    const { id, token: rotatedToken } = await issueToken()
    await tollgate.manage('POST', `/tokens/${id}/rotate`, { overlapSeconds: 60 })
    tollgate.clock.nowMs += 61 * SECOND_MS
    expect([await paymentStatus(token), await paymentStatus(rotatedToken)]).toEqual([403, 403])
    tollgate.clock.nowMs -= 30 * SECOND_MS
    expect([await paymentStatus(token), await paymentStatus(rotatedToken)]).toEqual([403, 403])
    await storeTime(tollgate.gateway)
    const restarted = await startProcess(-30 * SECOND_MS)
    expect([await paymentStatus(token, restarted), await paymentStatus(rotatedToken, restarted)]).toEqual([403, 403])
  })

  test('ids and times of payments ascend', async () => {
    const ids: string[] = []
    for (const jump of jumps.slice(0, 4)) {
      tollgate.clock.nowMs += jump
      ids.push((await tollgate.send('POST', '/v1/payments', cardPayment())).body.id)
      // Within a millisecond ids have no order.
      tollgate.clock.nowMs += SECOND_MS
      tollgate.gateway.clock.now()
    }
    const stored = await storage.transactions(ids)
    const times = ids.map((id) => stored.find((row) => row.id === id)?.created_at_ms ?? 0)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(ids).toEqual(ids.toSorted())
  })

  test('a throttled merchant waits no longer than the window', async () => {
    await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, {
      settings: { throttle: { createPayment: 1 } },
    })
    const pay = async () => (await tollgate.send('POST', '/v1/payments', cardPayment())).status
    expect([await pay(), await pay()]).toEqual([200, 429])
    tollgate.clock.nowMs -= DAY_MS
    expect(await pay()).toBe(200)
    tollgate.clock.nowMs -= 5 * SECOND_MS
    expect(await pay()).toBe(429)
    tollgate.clock.nowMs += 5 * SECOND_MS + limits.throttleWindowMs
    expect(await pay()).toBe(200)
  })

  test('steps back are logged, small ones at most once a minute', async () => {
    for (const jump of jumps) {
      tollgate.clock.nowMs += jump
      tollgate.gateway.clock.now()
    }
    const lines = tollgate.logged.filter(({ clock }) => clock === 'the clock of the machine went back')
    expect(lines.map(({ level, behindMs, response }) => [level, behindMs, response])).toEqual([
      ['warn', 5_000, 'slowed'],
      ['warn', limits.clockBackMsMax, 'slowed'],
      ['warn', expect.any(Number), 'followed'],
    ])
  })
})

describe('the stored time', () => {
  const storedTime = () => storage.installation(CLOCK_LATEST)
  const nowMs = () => tollgate.clock.nowMs

  test('does not contain the offset of the test clock', async () => {
    await tollgate.gateway.jobs.fastForward(nowMs() + DAY_MS)
    await storeTime(tollgate.gateway)
    expect(await storedTime()).toBe(String(nowMs()))
  })

  test('is not lowered by a process whose clock is behind, unless the stored time is far ahead', async () => {
    await storeTime(tollgate.gateway)
    const first = await storedTime()
    const slow = await startProcess(-SECOND_MS)
    await storeTime(slow.gateway)
    expect(await storedTime()).toBe(first)
    tollgate.clock.nowMs += limits.clockBackMsMax + SECOND_MS
    await storeTime(tollgate.gateway)
    await storeTime(slow.gateway)
    expect(await storedTime()).toBe(String(slow.gateway.clock.now()))
  })

  test.each(['NaN', '', '-5', '1e30', 'Infinity'])('is ignored if it is %j', async (value) => {
    await storage.commit({ id: 'u', expectedVersions: [], rows: { installation: [{ name: CLOCK_LATEST, value }] } })
    const other = await startProcess(0)
    expect(other.gateway.clock.now()).toBe(nowMs())
    await storeTime(other.gateway)
    expect(await storedTime()).toBe(String(nowMs()))
  })
})

describe('an invalid stored offset of the test clock', () => {
  test.each(['NaN', 'Infinity', '-1', '1e400', ''])(
    'is logged at the start and replaced by the next advance: %j',
    async (value) => {
      await storage.commit({ id: 'u', expectedVersions: [], rows: { installation: [{ name: CLOCK_OFFSET, value }] } })
      const other = await startProcess(0)
      expect(other.logged).toContainEqual({ level: 'error', clock: CLOCK_OFFSET, error: CLOCK_REPAIR })
      expect((await other.send('POST', '/v1/payments', cardPayment())).status).toBe(200)
      const moved = await other.manage('POST', '/clock', { to: '2026-05-05T00:00:00Z' })
      expect([moved.status, moved.body.now]).toEqual([200, '2026-05-05T00:00:00.000Z'])
      expect(Number(await storage.installation(CLOCK_OFFSET))).toBeGreaterThan(0)
      const third = await startProcess(0)
      expect(third.logged).toEqual([])
      expect(third.gateway.clock.now()).toBe(Date.parse('2026-05-05T00:00:00Z'))
    },
  )
})

test('the clock cannot be advanced beyond the year 2099', async () => {
  const late = await startProcess(Date.parse('2095-01-01T00:00:00Z') - tollgate.clock.nowMs)
  const move = async (body: object) => {
    const { status, body: answer } = await late.manage('POST', '/clock', body)
    return [status, answer.error?.message ?? answer.now]
  }
  const tooFar = (name: string) => [400, `${name} is too far: the clock ends at 2099-12-31T23:59:59.999Z.`]
  expect(await move({ advance: 'P5Y' })).toEqual(tooFar('advance'))
  expect(await move({ to: '2100-01-01T00:00:00Z' })).toEqual(tooFar('to'))
  expect(await move({ to: '2099-12-31T23:59:59.999Z' })).toEqual([200, '2099-12-31T23:59:59.999Z'])
  expect(await move({ advance: 'PT1S' })).toEqual(tooFar('advance'))
})

test('the clock accepts only whole milliseconds', () => {
  for (const atMs of [Number.NaN, Number.POSITIVE_INFINITY, 0.5]) {
    expect(() => tollgate.gateway.clock.moveTo(atMs)).toThrow('is no whole number of milliseconds')
  }
  expect(tollgate.gateway.clock.offsetMs()).toBe(0)
})
