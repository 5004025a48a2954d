import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limits } from '../../limits.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { type OtherMerchant, otherMerchant } from '../../testing/other-merchant.ts'
import {
  cardPayment,
  FORM,
  formOf,
  summary,
  testGateway,
  type TestAnswer,
  type TestGateway,
} from '../../testing/test-gateway.ts'
import { sendUnfinishedBodies } from '../../testing/unfinished-bodies.ts'
import { faults } from '../faults.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

/** Sets the rate limits of an entity: requests per minute, by operation. */
const setThrottle = async (throttle: object | null, id: string = sandboxIds.merchant) =>
  expect((await tollgate.manage('PATCH', `/entities/${id}`, { settings: { throttle } })).status).toBe(200)
const pay = (changes = {}, headers = {}) => tollgate.send('POST', '/v1/payments', cardPayment(changes), headers)
const statuses = async (count: number, send: () => Promise<TestAnswer>) => {
  const received: number[] = []
  for (let sent = 0; sent < count; sent += 1) received.push((await send()).status)
  return received
}

describe('the rate limit of an operation', () => {
  test('refuses requests above it with 429, 800.120.100 and a Retry-After', async () => {
    await setThrottle({ createPayment: 2 })
    expect(await statuses(2, pay)).toEqual([200, 200])
    tollgate.clock.nowMs += 12_345
    const refused = await pay()
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('48')
    expect(refused.body).toMatchObject({
      result: { code: '800.120.100', description: 'Too many requests. Please try again later.' },
      resultDetails: { ExtendedDescription: faults.throttled.reason },
    })
    tollgate.clock.nowMs += 47_654
    expect((await pay()).headers['retry-after']).toBe('1')
    tollgate.clock.nowMs += 1
    expect(await statuses(3, pay)).toEqual([200, 200, 429])
  })

  test('is measured by the test clock', async () => {
    await setThrottle({ createPayment: 1 })
    expect(await statuses(2, pay)).toEqual([200, 429])
    await tollgate.manage('POST', '/clock', { advance: 'PT1M' })
    expect((await pay()).status).toBe(200)
  })

  test('counts each operation separately', async () => {
    await setThrottle({ createPayment: 1, getPayment: 2 })
    const { body } = await pay()
    expect((await pay()).status).toBe(429)
    expect(await statuses(3, () => tollgate.send('GET', `/v1/payments/${body.id}`))).toEqual([200, 200, 429])
    const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' }
    expect((await tollgate.send('POST', `/v1/payments/${body.id}`, refund)).status).toBe(200)
  })

  test('counts invalid requests like valid ones, and not those of other entities', async () => {
    const other = await otherMerchant(tollgate)
    await setThrottle({ createPayment: 2 })
    expect(await statuses(3, () => pay({ amount: 'x' }))).toEqual([400, 400, 429])
    const otherEntity = { entityId: other.channel }
    expect((await pay(otherEntity, { authorization: `Bearer ${other.token}` })).status).toBe(200)
  })

  test('is shared by all tokens of an entity', async () => {
    await setThrottle({ createPayment: 1 })
    const { body } = await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant })
    const headers = { authorization: `Bearer ${body.token}` }
    expect([(await pay()).status, (await pay({}, headers)).status]).toEqual([200, 429])
  })

  test('has its refusals logged with the entity and the operation', async () => {
    await setThrottle({ createPayment: 1 })
    await statuses(2, pay)
    const { ms, ...line } = tollgate.logged.at(-2) ?? {}
    expect([ms, line['status']]).toEqual([expect.any(Number), 200])
    expect(tollgate.logged.at(-1)).toEqual({
      level: 'info',
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      code: '800.120.100',
      status: 429,
      entity: sandboxIds.merchant,
      operation: 'createPayment',
    })
  })
})

describe('settings of rate limits', () => {
  let other: OtherMerchant
  const payAsMerchant = () => pay({ entityId: other.channel }, { authorization: `Bearer ${other.token}` })
  beforeEach(async () => {
    other = await otherMerchant(tollgate)
  })

  test('the nearest value applies, for each operation separately', async () => {
    await setThrottle({ createPayment: 1, getPayment: 1 }, other.psp)
    await setThrottle({ createPayment: 3 }, other.division)
    expect(await statuses(4, payAsMerchant)).toEqual([200, 200, 200, 429])
    const read = () =>
      tollgate.request({ method: 'GET', url: '/v1/payments/x', headers: { authorization: `Bearer ${other.token}` } })
    expect(await statuses(2, read)).toEqual([404, 429])
  })

  test('the limit of a channel applies to its own tokens only', async () => {
    await setThrottle({ createPayment: 1 }, other.channel)
    expect(await statuses(2, payAsMerchant)).toEqual([200, 200])
    const { body } = await tollgate.manage('POST', '/tokens', { entityId: other.channel })
    const payAsChannel = () => pay({ entityId: other.channel }, { authorization: `Bearer ${body.token}` })
    expect(await statuses(2, payAsChannel)).toEqual([200, 429])
  })

  test('off removes an inherited limit, and null restores it', async () => {
    await setThrottle({ createPayment: 1 }, other.psp)
    await setThrottle({ createPayment: 'off' }, other.merchant)
    expect(await statuses(3, payAsMerchant)).toEqual([200, 200, 200])
    await setThrottle(null, other.merchant)
    expect(await statuses(2, payAsMerchant)).toEqual([200, 429])
  })

  test('a change applies from the next request on', async () => {
    await setThrottle({ createPayment: 1 }, other.merchant)
    expect(await statuses(2, payAsMerchant)).toEqual([200, 429])
    await setThrottle({ createPayment: 2 }, other.merchant)
    expect(await statuses(2, payAsMerchant)).toEqual([200, 429])
  })

  test.each([
    [{ createPayment: 0 }, 'body/settings/throttle/createPayment must be >= 1'],
    [{ createPayment: 1.5 }, 'body/settings/throttle/createPayment must be integer,string'],
    [{ createPayment: 'on' }, 'body/settings/throttle/createPayment must match pattern "^off$"'],
    [{ createPayments: 1 }, 'body/settings/throttle must NOT have additional properties (createPayments)'],
  ])('%j is refused', async (throttle, message) => {
    const { status, body } = await tollgate.manage('PATCH', `/entities/${other.psp}`, { settings: { throttle } })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('a request that is refused by a rate limit', () => {
  test('stores no idempotency key, payment or event', async () => {
    await setThrottle({ createPayment: 1 })
    await pay()
    const commits = countCommits(tollgate)
    const once = { 'idempotency-key': 'once' }
    expect((await pay({}, once)).status).toBe(429)
    expect(commits.count).toBe(0)
    tollgate.clock.nowMs += limits.throttleWindowMs
    // If the key had been claimed, another request with it would be refused.
    expect(summary(await pay({ amount: '1.00' }, once))).toEqual([200, '000.100.110'])
  })

  test('is refused before its body is read', async () => {
    await setThrottle({ createPayment: 1 })
    await pay()
    const headers = { authorization: `Bearer ${sandboxToken}`, 'content-type': 'text/html' }
    // If the body were read first, the answer would be 415.
    const { status } = await tollgate.request({ method: 'POST', url: '/v1/payments', headers, payload: '<' })
    expect(status).toBe(429)
  })
})

test('requests of older clients are counted once their login is authenticated', async () => {
  await setThrottle({ createPayment: 2 })
  const login = (password: string) =>
    tollgate.request({
      method: 'POST',
      url: '/v1/payments',
      headers: { 'content-type': FORM },
      payload: formOf({
        ...cardPayment(),
        'authentication.entityId': sandboxIds.legacyChannel,
        'authentication.userId': sandboxIds.user,
        'authentication.password': password,
      }),
    })
  expect(await statuses(3, () => login('wrong'))).toEqual([403, 403, 403])
  expect(await statuses(3, () => login('sandbox'))).toEqual([200, 200, 429])
  const refused = await login('sandbox')
  expect([refused.headers['retry-after'], refused.body.result.code]).toEqual(['60', '800.120.100'])
  // The login counts for its channel, and the token of the sandbox for its merchant.
  expect((await pay()).status).toBe(200)
})

describe('wrong credentials', () => {
  const wrong = (header = 'Bearer wrong') => tollgate.send('GET', '/v1/payments/x', {}, { authorization: header })

  test('are answered with 429 above a limit that both listeners share', async () => {
    const half = limits.failedLoginsPerMinute / 2
    expect(new Set(await statuses(half, wrong))).toEqual(new Set([403]))
    expect(new Set(await statuses(half, () => tollgate.manage('GET', '/entities', undefined, 'wrong')))).toEqual(
      new Set([401]),
    )
    tollgate.clock.nowMs += 500
    const refused = await wrong()
    expect(summary(refused)).toEqual([429, '800.120.100'])
    expect([refused.headers['retry-after'], refused.headers['connection']]).toEqual(['60', 'close'])
    const managed = await tollgate.manage('GET', '/entities', undefined, 'wrong')
    expect([managed.status, managed.headers['retry-after'], managed.headers['connection']]).toEqual([
      429,
      '60',
      'close',
    ])
    expect(managed.body.error.message).toContain('try again later')
    tollgate.clock.nowMs += limits.throttleWindowMs
    expect((await wrong()).status).toBe(403)
  })

  test('do not affect requests with valid credentials or without credentials', async () => {
    await statuses(limits.failedLoginsPerMinute + 1, wrong)
    expect((await pay()).status).toBe(200)
    expect((await tollgate.manage('GET', '/entities')).status).toBe(200)
    expect((await wrong('')).status).toBe(401)
    expect((await tollgate.manage('GET', '/entities', undefined, '')).status).toBe(401)
  })

  test('are also counted in parameters of older clients', async () => {
    const login = (password: string) =>
      tollgate.request({
        method: 'GET',
        url: `/v1/payments/x?${formOf({
          'authentication.entityId': sandboxIds.legacyChannel,
          'authentication.userId': sandboxIds.user,
          'authentication.password': password,
        })}`,
      })
    const answered = await statuses(limits.failedLoginsPerMinute + 1, () => login('wrong'))
    expect([answered[0], answered.at(-1)]).toEqual([403, 429])
    expect((await login('sandbox')).status).toBe(404)
  })
})

test('unfinished bodies of one merchant do not use up the budget of another', async () => {
  const other = await otherMerchant(tollgate)
  const { server } = tollgate
  await server.listen({ port: 0, host: '127.0.0.1' })
  const [address] = server.addresses()
  const port = typeof address === 'object' ? address.port : 0
  const send = async (entityId: string, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': FORM }
    const body = formOf({ ...cardPayment(), entityId })
    return (await fetch(`http://127.0.0.1:${port}/v1/payments`, { method: 'POST', headers, body })).status
  }
  const end = await sendUnfinishedBodies(
    server.server,
    `Host: localhost\r\nAuthorization: Bearer ${sandboxToken}\r\nContent-Type: ${FORM}\r\n`,
    limits.merchantBodiesBytesMax / limits.bodyBytesMax,
  )
  expect(await send(sandboxIds.channel, sandboxToken)).toBe(429)
  expect(await send(other.channel, other.token)).toBe(200)
  await end()
  expect(await send(sandboxIds.channel, sandboxToken)).toBe(200)
})

test('a merchant that fills the whole queue does not block the payments of another', async () => {
  const other = await otherMerchant(tollgate)
  // The time stands still, so that no request waits for longer than the queue allows.
  const time = vi.spyOn(performance, 'now').mockReturnValue(0)
  const { storage } = tollgate.gateway
  const commit = storage.commit.bind(storage)
  const pendingCommits: (() => void)[] = []
  Object.assign(storage, {
    async commit(...unit: Parameters<typeof commit>) {
      await new Promise<void>((resolve) => void pendingCommits.push(resolve))
      return commit(...unit)
    },
  })
  /** Sender and status of each answer, in the order of the answers. */
  const answered: string[] = []
  const recordAnswer = async (sender: string, answer: Promise<TestAnswer>) => {
    const { status } = await answer
    answered.push(`${sender} ${status}`)
  }
  const capacity = limits.admittedRequestsMax + limits.queuedRequestsMax
  const all = Array.from({ length: capacity + 10 }, () => recordAnswer('flood', pay()))
  await expect.poll(() => [pendingCommits.length, answered.length]).toEqual([limits.admittedRequestsMax, 10])

  all.push(recordAnswer('other', pay({ entityId: other.channel }, { authorization: `Bearer ${other.token}` })))
  await expect.poll(() => answered.length).toBe(11)
  expect(new Set(answered)).toEqual(new Set(['flood 429']))
  // One commit completes; its place goes to the other merchant, whose commit is then the last one pending.
  pendingCommits.shift()?.()
  await expect.poll(() => pendingCommits.length).toBe(limits.admittedRequestsMax)
  pendingCommits.pop()?.()
  await expect.poll(() => answered.slice(11)).toEqual(['flood 200', 'other 200'])

  while (answered.length < all.length) {
    for (const resume of pendingCommits.splice(0)) resume()
    await new Promise((resolve) => void setImmediate(resolve))
  }
  expect(answered.filter((line) => line === 'flood 200').length).toBe(capacity - 1)
  await Promise.all(all)
  time.mockRestore()
})

/** Counts the units of work that are committed after this call. */
function countCommits({ gateway }: TestGateway): { count: number } {
  const commits = { count: 0 }
  const { storage } = gateway
  const commit = storage.commit.bind(storage)
  Object.assign(storage, {
    commit: (...unit: Parameters<typeof commit>) => {
      commits.count += 1
      return commit(...unit)
    },
  })
  return commits
}
