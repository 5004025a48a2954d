import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { slowStorage } from '../../testing/slow-storage.ts'
import { cardPayment, testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway({ storage: slowStorage() })
afterAll(() => tollgate.close())
const { manage, send } = tollgate

const UNKNOWN_ID = '0'.repeat(32)

test('the entities of the sandbox are listed', async () => {
  const { status, body } = await manage('GET', '/entities')
  expect([status, body.total]).toEqual([200, 8])
  expect(body.entities).toContainEqual({
    id: sandboxIds.psp,
    kind: 'psp',
    name: 'Sandbox PSP',
    parentId: null,
    settings: {},
    createdAt: '2026-05-04T03:02:01.000Z',
  })
})

test.each([
  { query: '?kind=channel', total: 5 },
  { query: `?parentId=${sandboxIds.merchant}`, total: 5 },
  { query: `?kind=channel&parentId=${sandboxIds.psp}`, total: 0 },
])('the list with the query $query has $total entities', async ({ query, total }) => {
  const { body } = await manage('GET', `/entities${query}`)
  expect([body.total, body.entities.length]).toEqual([total, total])
})

test('entities are created from the psp downwards, and read by id', async () => {
  let parentId: string | undefined
  for (const kind of ['psp', 'division', 'merchant', 'channel']) {
    const { status, body } = await manage('POST', '/entities', { kind, name: `My ${kind}`, parentId })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        kind,
        name: `My ${kind}`,
        parentId: parentId ?? null,
        settings: {},
        createdAt: expect.any(String),
      },
    ])
    expect((await manage('GET', `/entities/${body.id}`)).body).toEqual(body)
    parentId = body.id
  }
})

describe('wrong requests', () => {
  test.each<{ fault: string; body: object; status: number; message: RegExp }>([
    { fault: 'an empty body', body: {}, status: 400, message: /kind/ },
    { fault: 'an unknown kind', body: { kind: 'shop', name: 'x' }, status: 400, message: /kind/ },
    { fault: 'an empty name', body: { kind: 'psp', name: '' }, status: 400, message: /name/ },
    { fault: 'an overlong name', body: { kind: 'psp', name: 'x'.repeat(101) }, status: 400, message: /name/ },
    {
      fault: 'an unknown field',
      body: { kind: 'psp', name: 'x', colour: 'red' },
      status: 400,
      message: /additional/,
    },
    {
      fault: 'a psp with a parent',
      body: { kind: 'psp', name: 'x', parentId: sandboxIds.psp },
      status: 400,
      message: /no parent/,
    },
    {
      fault: 'a name with control characters',
      body: { kind: 'psp', name: 'a\u0000b' },
      status: 400,
      message: /name/,
    },
    { fault: 'a channel without a parent', body: { kind: 'channel', name: 'x' }, status: 400, message: /the merchant/ },
    {
      fault: 'a channel below a psp',
      body: { kind: 'channel', name: 'x', parentId: sandboxIds.psp },
      status: 400,
      message: /is a psp/,
    },
    {
      fault: 'an unknown parent',
      body: { kind: 'channel', name: 'x', parentId: UNKNOWN_ID },
      status: 404,
      message: /no entity/,
    },
    {
      fault: 'an unknown setting',
      body: { kind: 'psp', name: 'x', settings: { colour: 'red' } },
      status: 400,
      message: /settings/,
    },
    {
      fault: 'an unknown brand',
      body: { kind: 'psp', name: 'x', settings: { brands: ['MASTERCARD'] } },
      status: 400,
      message: /brands/,
    },
    {
      fault: 'an unknown currency',
      body: { kind: 'psp', name: 'x', settings: { currencies: ['XXQ'] } },
      status: 400,
      message: /currencies/,
    },
    {
      fault: 'a cut-off above the maximum',
      body: { kind: 'psp', name: 'x', settings: { clearingCutOffHours: 241 } },
      status: 400,
      message: /clearingCutOffHours/,
    },
    {
      fault: 'an unknown time zone',
      body: { kind: 'psp', name: 'x', settings: { timeZone: 'Europe/Berlim' } },
      status: 400,
      message: /^settings\.timeZone must be a name such as Europe\/Berlin\.$/,
    },
    {
      fault: 'an offset as time zone',
      body: { kind: 'psp', name: 'x', settings: { timeZone: '+01:00' } },
      status: 400,
      message: /timeZone/,
    },
    {
      fault: 'an unknown treatment of missed runs',
      body: { kind: 'psp', name: 'x', settings: { missedRuns: 'TWICE' } },
      status: 400,
      message: /missedRuns/,
    },
  ])('$fault is refused with $status', async ({ body, status, message }) => {
    const before = (await manage('GET', '/entities')).body.total
    const answer = await manage('POST', '/entities', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error: { status, message: expect.stringMatching(message) } })
    expect((await manage('GET', '/entities')).body.total).toBe(before)
  })

  test.each([
    { path: `/entities/${UNKNOWN_ID}`, status: 404 },
    { path: '/entities/x', status: 400 },
    { path: '/entities?kind=shop', status: 400 },
    { path: '/entities?colour=red', status: 400 },
  ])('GET $path is refused with $status', async ({ path, status }) => {
    const answer = await manage('GET', path)
    expect([answer.status, answer.body.error.status]).toEqual([status, status])
  })

  test('a change to an unknown time zone keeps the previous time zone', async () => {
    const path = `/entities/${sandboxIds.channel}`
    expect((await manage('PATCH', path, { settings: { timeZone: 'Europe/Berlin' } })).status).toBe(200)
    expect((await manage('PATCH', path, { settings: { timeZone: 'Mars/Olympus' } })).body.error.message).toMatch(
      /timeZone/,
    )
    const { settings } = (await manage('PATCH', path, { settings: { missedRuns: 'ALL' } })).body
    expect(settings).toMatchObject({ timeZone: 'Europe/Berlin', missedRuns: 'ALL' })
    await manage('PATCH', path, { settings: { timeZone: null, missedRuns: null } })
  })

  test('a change of an unknown entity is refused with 404', async () => {
    expect((await manage('PATCH', `/entities/${UNKNOWN_ID}`, { name: 'x' })).status).toBe(404)
  })
})

describe('changes', () => {
  const createChannel = async (settings: object) => {
    const parentId = sandboxIds.merchant
    const { body } = await manage('POST', '/entities', { kind: 'channel', name: 'Before', parentId, settings })
    return body.id
  }
  const change = async (id: string, body: object) => (await manage('PATCH', `/entities/${id}`, body)).body

  test('settings in the request are changed, and all other settings are kept', async () => {
    const id = await createChannel({ brands: ['VISA'], compatibility: 'legacy' })
    expect(await change(id, { name: 'After' })).toMatchObject({ name: 'After', settings: { brands: ['VISA'] } })
    const changed = await change(id, { settings: { brands: ['MASTER'] } })
    expect(changed).toMatchObject({ name: 'After', settings: { brands: ['MASTER'], compatibility: 'legacy' } })
  })

  test('no concurrent change is lost', async () => {
    const id = await createChannel({})
    await Promise.all([
      change(id, { settings: { brands: ['VISA'] } }),
      change(id, { name: 'After' }),
      change(id, { settings: { currencies: ['EUR'] } }),
    ])
    const { name, settings } = (await manage('GET', `/entities/${id}`)).body
    expect({ name, settings }).toEqual({ name: 'After', settings: { brands: ['VISA'], currencies: ['EUR'] } })
  })

  test('null removes a setting, with effect from the next payment', async () => {
    const id = await createChannel({ brands: ['MASTER'] })
    const pay = async () => (await send('POST', '/v1/payments', cardPayment({ entityId: id }))).body.result.code
    expect(await pay()).toBe('600.200.500')
    expect((await change(id, { settings: { brands: null } })).settings).toEqual({})
    expect(await pay()).toBe('000.100.110')
  })

  test('a channel inherits a setting of its psp unless it has a value of its own', async () => {
    const id = await createChannel({})
    const resultCode = async () => {
      const payment = cardPayment({ entityId: id, merchantTransactionId: '7' })
      return (await send('POST', '/v1/payments', payment)).body.result.code
    }
    expect(await resultCode()).toBe('200.300.404')
    await change(sandboxIds.psp, { settings: { compatibility: 'legacy' } })
    expect(await resultCode()).toBe('000.100.110')
    await change(id, { settings: { compatibility: 'strict' } })
    expect(await resultCode()).toBe('200.300.404')
    await change(sandboxIds.psp, { settings: { compatibility: null } })
  })
})
