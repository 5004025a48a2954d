import { openMemory, StorageError } from '@tollgate/storage'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { cardPayment, FORM, formOf, testGateway, type TestRequest } from '../testing/test-gateway.ts'
import { faultOf, faults } from './faults.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { request, logged } = tollgate

const authorization = `Bearer ${sandboxToken}`
const payment = formOf({ entityId: sandboxIds.channel, ...cardPayment() })

describe('paths', () => {
  test.each<{ method: TestRequest['method']; url: string }>([
    { method: 'GET', url: '/' },
    { method: 'GET', url: '/v1' },
    { method: 'GET', url: '/v1/payment/x' },
    { method: 'POST', url: '/v1/payment' },
    { method: 'GET', url: '/v2/payments/x' },
    { method: 'GET', url: '/v1/payments/x/y' },
    { method: 'GET', url: '/v1/payments/%zz' },
    { method: 'GET', url: '/manage/v1/entities' },
    { method: 'GET', url: '//' },
    { method: 'POST', url: '/openapi_json' },
  ])('$method $url is answered with 404', async ({ method, url }) => {
    const headers = { authorization, ...(method === 'POST' && { 'content-type': FORM }) }
    const answer = await request({ method, url, headers, ...(method === 'POST' && { payload: payment }) })
    expect([answer.status, answer.body.result.code]).toEqual([404, '200.100.199'])
  })

  test.each<{ method: TestRequest['method']; url: string; allow: string }>([
    { method: 'GET', url: '/v1/payments', allow: 'POST' },
    { method: 'GET', url: '/v1/payments/', allow: 'POST' },
    { method: 'PUT', url: '/v1/payments/x', allow: 'GET, POST' },
    { method: 'PATCH', url: '/v1/payments/x?a=b', allow: 'GET, POST' },
    { method: 'DELETE', url: '/v1/payments/x', allow: 'GET, POST' },
    { method: 'OPTIONS', url: '/v1/payments/x', allow: 'GET, POST' },
    { method: 'HEAD', url: '/v1/payments/x', allow: 'GET, POST' },
    { method: 'GET', url: '/v1/registrations', allow: 'POST' },
    { method: 'PUT', url: '/v1/registrations/x', allow: 'DELETE, GET, POST' },
    { method: 'DELETE', url: '/v1/registrations/x/extendlife', allow: 'POST' },
    { method: 'DELETE', url: '/v1/registrations/x/payments', allow: 'POST' },
    { method: 'POST', url: '/v1/resultcodes', allow: 'GET' },
    { method: 'POST', url: '/openapi.json', allow: 'GET' },
    { method: 'POST', url: '/healthz?a=b', allow: 'GET' },
  ])('$method $url is answered with 405 and the allowed methods', async ({ method, url, allow }) => {
    const answer = await request({ method, url, headers: { authorization } })
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow])
    if (method !== 'HEAD') expect(answer.body.result.code).toBe('200.300.403')
  })
})

describe('content types', () => {
  test.each([
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'application/x-www-form-urlencoded; charset="utf-8"',
    'application/x-www-form-urlencoded; charset=utf8',
    'Application/X-WWW-Form-Urlencoded; Charset=Utf-8',
  ])('%s is accepted', async (contentType) => {
    const headers = { authorization, 'content-type': contentType }
    const answer = await request({ method: 'POST', url: '/v1/payments', headers, payload: payment })
    expect(answer.status).toBe(200)
  })

  test.each([
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded; charset=ISO-8859-1',
    'nonsense',
    undefined,
  ])('%s is refused with 415', async (contentType) => {
    const headers = { authorization, 'content-type': contentType }
    const answer = await request({ method: 'POST', url: '/v1/payments', headers, payload: payment })
    expect([answer.status, answer.body.result.code]).toEqual([415, '200.100.103'])
    expect(answer.headers['connection']).toBe('close')
  })

  test.each([
    { coding: 'gzip', status: 415 },
    { coding: 'identity', status: 200 },
  ])('a body with Content-Encoding $coding is answered with $status', async ({ coding, status }) => {
    const headers = { authorization, 'content-type': FORM, 'content-encoding': coding }
    const answer = await request({ method: 'POST', url: '/v1/payments', headers, payload: payment })
    expect(answer.status).toBe(status)
  })

  test('a POST without a body is refused for its missing parameters', async () => {
    const answer = await request({ method: 'POST', url: '/v1/payments', headers: { authorization } })
    expect([answer.status, answer.body.result.code]).toEqual([400, '200.300.404'])
  })

  test('a DELETE has its parameters in the query, and a form in its body is ignored', async () => {
    const headers = { authorization, 'content-type': FORM }
    const url = `/v1/registrations/${'0'.repeat(32)}?entityId=${sandboxIds.channel}`
    const answer = await request({ method: 'DELETE', url, headers, payload: payment })
    expect([answer.status, answer.body.result.code]).toEqual([404, '100.350.303'])
  })
})

describe('bodies', () => {
  const post = (payload: string | Buffer) =>
    request({ method: 'POST', url: '/v1/payments', headers: { authorization, 'content-type': FORM }, payload })

  test('10,000 parameters are read', async () => {
    const unknownParameters = Array.from({ length: 10_000 }, (_, index) => `unknown[${index}]=${index}`).join('&')
    expect((await post(`${unknownParameters}&${payment}`)).status).toBe(200)
  })

  test('20,001 parameters are refused', async () => {
    const { status, body } = await post('a=1&'.repeat(20_001))
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
  })

  test('a body larger than the limit is refused with 413', async () => {
    const { status, body, headers } = await post(`${payment}&x=${'x'.repeat(limits.bodyBytesMax)}`)
    expect([status, body.result.code, headers['connection']]).toEqual([413, '200.100.103', 'close'])
    expect(body.result.description).toContain(String(limits.bodyBytesMax))
  })

  test.each([
    { fault: 'a broken escape', pair: 'descriptor=50%', name: 'descriptor' },
    { fault: 'invalid UTF-8', pair: 'descriptor=%ff%fe', name: 'descriptor' },
    { fault: 'a NUL character', pair: 'descriptor=a%00b', name: 'descriptor' },
    { fault: 'a second value', pair: 'descriptor=a&descriptor=b', name: 'descriptor' },
    { fault: 'a second card number', pair: 'card.number=4200000000000000', name: 'card.number' },
    { fault: 'a card number in invalid UTF-8', pair: 'card%2Enumber=%ff', name: 'card.number' },
    { fault: 'an invalid index', pair: 'cart.items[1000].name=x', name: 'cart.items[1000].name' },
    { fault: 'an invalid key', pair: 'customParameters[a b]=x', name: 'customParameters[a b]' },
  ])('$fault is reported as an error of its parameter', async ({ pair, name }) => {
    const { status, body } = await post(`${payment}&${pair}`)
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors.map((error: { name: string }) => error.name)).toEqual([name])
  })

  test.each([
    '&&&',
    '=',
    '=&=',
    '%',
    '%%%=%%%',
    '[]=1&a[=2&]=3',
    'card.number',
    '\0\0\0',
    '{"entityId":"x"}',
    '<xml/>',
    'é=ü',
  ])('the malformed body %j is refused as an invalid form', async (form) => {
    const { status, body } = await post(form)
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
  })

  test('a body of arbitrary bytes is refused as an invalid form', async () => {
    const bytes = Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 31 + (index >> 8)) % 256))
    const { status, body } = await post(bytes)
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
  })
})

describe('a request that is refused before its operation is logged with only its id, code and status', () => {
  test.each<{ name: string; request: TestRequest }>([
    { name: 'a request without a token', request: { method: 'GET', url: '/v1/payments/x' } },
    {
      name: 'a request with a wrong token',
      request: { method: 'GET', url: '/v1/payments/x', headers: { authorization: 'Bearer x' } },
    },
    { name: 'an unknown path', request: { method: 'GET', url: '/v1/4200000000000000' } },
    { name: 'a malformed path', request: { method: 'GET', url: '/%zz' } },
    {
      name: 'an unsupported media type',
      request: { method: 'POST', url: '/v1/payments', headers: { authorization }, payload: '{}' },
    },
  ])('$name', async ({ request: refused }) => {
    const { status, body } = await request(refused)
    const { code } = body.result
    expect(logged.at(-1)).toEqual({ level: 'info', requestId: body.id, code, status })
  })
})

test('while the process drains, each answer closes its connection', async () => {
  const { readiness } = tollgate.gateway
  const connection = async () => (await request({ method: 'GET', url: '/v1/resultcodes' })).headers['connection']
  const before = await connection()
  readiness.ready = false
  const draining = await connection()
  readiness.ready = true
  expect([before, draining]).toEqual(['keep-alive', 'close'])
})

describe('internal faults', () => {
  const createGatewayWithFailingCommit = async (commit: () => Promise<never>) => {
    const memory = openMemory()
    let isBroken = false
    const gateway = await testGateway({
      storage: { ...memory, commit: (unit) => (isBroken ? commit() : memory.commit(unit)) },
    })
    isBroken = true
    return gateway
  }

  test.each([
    { cause: 'a full disk', error: new StorageError('full', 'no space'), status: 503, code: '999.999.888' },
    {
      cause: 'an unavailable data store',
      error: new StorageError('unavailable', 'gone'),
      status: 503,
      code: '999.999.888',
    },
    { cause: 'a commit in doubt', error: new StorageError('unknown', 'lost'), status: 500, code: '900.100.300' },
    { cause: 'a defect', error: new TypeError('card 4200000000000000'), status: 500, code: '600.100.100' },
  ])(
    '$cause is answered with $status and logged in one line without data of the request',
    async ({ error, status, code }) => {
      const gateway = await createGatewayWithFailingCommit(() => Promise.reject(error))
      const answer = await gateway.send('POST', '/v1/payments', cardPayment())
      expect([answer.status, answer.body.result.code]).toEqual([status, code])
      expect(answer.text).not.toContain('42000000')
      expect(gateway.logged).toEqual([
        expect.objectContaining({ requestId: answer.body.id, error: error.name, level: 'error' }),
      ])
      expect(JSON.stringify(gateway.logged)).not.toContain('42000000')
      await gateway.close()
    },
  )
})

describe('overload and shutdown', () => {
  test('a request during a backlog of commits is refused with 429 and a Retry-After', async () => {
    const memory = openMemory()
    let depth = 0
    const gateway = await testGateway({ storage: { ...memory, depth: () => depth } })
    depth = limits.commitDepthMax
    const refused = await gateway.send('POST', '/v1/payments', cardPayment())
    expect([refused.status, refused.headers['retry-after'], refused.body.result]).toEqual([
      429,
      String(limits.retryAfterMs / 1000),
      { code: '800.120.100', description: 'Too many requests. Please try again later.' },
    ])
    depth = 0
    expect((await gateway.send('POST', '/v1/payments', cardPayment())).status).toBe(200)
    await gateway.close()
  })

  test('requests above the limit of concurrent requests are refused with 429', async () => {
    const memory = openMemory()
    const pendingCommits: (() => void)[] = []
    let isSlow = false
    const gateway = await testGateway({
      storage: {
        ...memory,
        async commit(unit) {
          if (isSlow) await new Promise<void>((resolve) => void pendingCommits.push(resolve))
          return memory.commit(unit)
        },
      },
    })
    isSlow = true
    // The time does not advance, so that no request times out in the queue.
    const time = vi.spyOn(performance, 'now').mockReturnValue(0)
    const capacity = limits.admittedRequestsMax + limits.queuedRequestsMax
    const sent = Array.from({ length: capacity }, () => gateway.send('POST', '/v1/payments', cardPayment()))
    while (pendingCommits.length < limits.admittedRequestsMax)
      await new Promise((resolve) => void setImmediate(resolve))
    const refused = await gateway.send('POST', '/v1/payments', cardPayment())
    expect([refused.status, refused.headers['retry-after'], refused.body.resultDetails]).toEqual([
      429,
      '1',
      { ExtendedDescription: faults.tooManyInProgress.reason },
    ])
    expect(gateway.logged).toEqual([
      expect.objectContaining({ status: 429, entity: sandboxIds.merchant, operation: 'createPayment' }),
    ])
    isSlow = false
    for (const resume of pendingCommits) resume()
    expect((await Promise.all(sent)).every(({ status }) => status === 200)).toBe(true)
    expect((await gateway.send('POST', '/v1/payments', cardPayment())).status).toBe(200)
    time.mockRestore()
    await gateway.close()
  })

  test('a draining process reports that it is not ready, and still answers requests', async () => {
    const gateway = await testGateway()
    expect((await gateway.request({ method: 'GET', url: '/readyz' })).status).toBe(200)
    gateway.gateway.readiness.ready = false
    expect((await gateway.request({ method: 'GET', url: '/readyz' })).status).toBe(503)
    expect((await gateway.request({ method: 'GET', url: '/healthz' })).status).toBe(200)
    expect((await gateway.send('POST', '/v1/payments', cardPayment())).status).toBe(200)
    await gateway.close()
  })
})

describe('thrown values', () => {
  test.each([
    { code: 'ERR_HTTP_REQUEST_TIMEOUT', fault: faults.requestTimeout },
    { code: 'HPE_HEADER_OVERFLOW', fault: faults.headersTooLarge },
    { code: 'HPE_INVALID_METHOD', fault: faults.malformedHttp },
    { code: 'EPIPE', fault: faults.unexpected },
  ])('$code is mapped to its fault', ({ code, fault }) => {
    expect(faultOf(Object.assign(new Error('x'), { code }))).toBe(fault)
  })

  test('a thrown value that is not an Error is mapped to the unexpected fault', () => {
    expect(faultOf('text')).toBe(faults.unexpected)
  })
})
