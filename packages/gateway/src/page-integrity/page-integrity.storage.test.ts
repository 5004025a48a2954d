import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectedPages } from '../http/pages/expected-pages.ts'
import { limits } from '../limits.ts'
import { type TestGateway, testGateway } from '../testing/test-gateway.ts'
import { pageScripts } from './scripts.ts'
import { violationsIn } from './violations.ts'
import { type FetchedPage, type FetchPage, watchPages } from './watch-pages.ts'

const GATEWAY = 'https://pay.example'

let tollgate: TestGateway

beforeAll(async () => (tollgate = await testGateway({ env: { TOLLGATE_PUBLIC_URL: GATEWAY } })))
afterAll(() => tollgate.close())

const fetchPage: FetchPage = async (path) => {
  const { statusCode, headers, rawPayload } = await tollgate.server.inject({ method: 'GET', url: path })
  return { status: statusCode, headers, body: rawPayload }
}

describe('the inventory', () => {
  test('names exactly the scripts of the build', () => {
    const built = [...tollgate.gateway.assets.integrityAtBuild.keys()].filter((name) => name.endsWith('.js'))
    expect(pageScripts.map(({ name }) => name).toSorted()).toEqual(built.toSorted())
  })

  test.each(['/pages/fields/number', '/pages/fields/cvv'])(
    'is complete for %s: it loads only frame.js',
    async (path) => {
      const html = String((await fetchPage(path))?.body)
      const sources = Array.from(html.matchAll(/<script[^>]*src="\/pages\/assets\/([^?"]+)/g), ([, name]) => name)
      expect([sources, html.match(/<script/g)?.length]).toEqual([['frame.js'], 1])
    },
  )

  test('shows operators the digest and the purpose of each script', async () => {
    const { body } = await tollgate.manage('GET', '/payment-page')
    expect(body.scripts).toHaveLength(pageScripts.length)
    for (const { name, integrity, purpose } of body.scripts) {
      expect([integrity, purpose.length > 20]).toEqual([tollgate.gateway.assets.integrityAtBuild.get(name), true])
    }
  })
})

describe('the check of the payment pages', () => {
  const countAuditLines = () => tollgate.logged.filter((line) => 'audit' in line).length

  /** Runs one sweep. @returns its result, and the interval until the next sweep */
  async function sweep(fetch: FetchPage) {
    const task = watchPages(tollgate.gateway, expectedPages(tollgate.gateway.assets), fetch)
    let steps = 0
    while ((await task.step()) === 'more' && steps < 50) steps += 1
    const { lastCheck } = tollgate.gateway.pageIntegrity
    return { outcome: lastCheck?.outcome, differences: lastCheck?.differences, everyMs: task.everyMs }
  }

  /** Fetches pages as the gateway serves them, except for a change of one page. */
  const fetchWithChange =
    (path: string, change: (fetched: FetchedPage) => FetchedPage): FetchPage =>
    async (requestedPath) => {
      const fetched = await fetchPage(requestedPath)
      return fetched && requestedPath === path ? change(fetched) : fetched
    }

  test('finds no difference in pages that are served as built', async () => {
    const lines = countAuditLines()
    expect(await sweep(fetchPage)).toEqual({ outcome: 'same', differences: [], everyMs: limits.pagesEveryMs })
    expect(countAuditLines()).toBe(lines)
  })

  test.each([
    ['/pages/assets/frame.js', 'a changed script', (text: string) => `${text};fetch('https://evil.example')`],
    ['/v1/paymentWidgets.js', 'a changed widget script', (text: string) => text.replace('/', '//')],
    [
      '/pages/fields/cvv',
      'a page with an added script',
      (text: string) => text.replace('</head>', '<script></script></head>'),
    ],
    [
      '/pages/return/0',
      'a plain page with an added script',
      (text: string) => text.replace('</head>', '<script></script></head>'),
    ],
  ])('audits %s with the fault: %s', async (path, _fault, change) => {
    const check = await sweep(
      fetchWithChange(path, (fetched) => ({ ...fetched, body: Buffer.from(change(fetched.body.toString('utf8'))) })),
    )
    expect(check).toMatchObject({ outcome: 'changed', differences: [{ path, what: 'body' }] })
    expect(tollgate.logged.at(-1)).toEqual({ level: 'error', audit: 'payment page changed', path, what: 'body' })
    const { body } = await tollgate.manage('GET', '/payment-page')
    expect(body.check).toMatchObject({ outcome: 'changed', differences: [{ path, what: 'body' }] })
  })

  test.each([
    ['/pages/fields/number', 'content-security-policy'],
    ['/pages/fields/number', 'x-content-type-options'],
    ['/pages/assets/form.js', 'x-content-type-options'],
    ['/pages/return/0', 'content-security-policy'],
  ])('reports %s without its header %s', async (path, name) => {
    const without = (fetched: FetchedPage) => ({ ...fetched, headers: { ...fetched.headers, [name]: undefined } })
    expect(await sweep(fetchWithChange(path, without))).toMatchObject({ differences: [{ path, what: name }] })
  })

  test('reports a missing page as a difference, and an unreachable gateway as unreachable', async () => {
    const path = '/pages/assets/widget.css'
    const missingPage = fetchWithChange(path, (fetched) => ({ ...fetched, status: 404 }))
    expect((await sweep(missingPage)).differences).toEqual([{ path, what: 'status' }])
    expect(await sweep(async () => undefined)).toEqual({
      outcome: 'unreachable',
      differences: [],
      everyMs: limits.pagesRetryMs,
    })
  })
})

describe('reports of browsers', () => {
  const page = `${GATEWAY}/pages/fields/number?checkoutId=0123456789ABCDEF`
  /** A report in the format of CSP 2. */
  const cspReport = (changes: object = {}) =>
    JSON.stringify({
      'csp-report': {
        'document-uri': page,
        'violated-directive': 'script-src-elem',
        'blocked-uri': 'https://cdn.evil.example/skim.js?to=1',
        ...changes,
      },
    })
  /** A report in the format of the Reporting API. */
  const apiReport = (changes: object = {}) => ({
    type: 'csp-violation',
    age: 1,
    url: page,
    body: { documentURL: page, effectiveDirective: 'connect-src', blockedURL: 'inline', sample: '4200…', ...changes },
  })
  const read = (text: string) => violationsIn(Buffer.from(text), GATEWAY)

  test('are read in two formats', () => {
    expect(read(cspReport())).toEqual([
      { page: 'number', directive: 'script-src-elem', blocked: 'https://cdn.evil.example' },
    ])
    expect(
      read(JSON.stringify([apiReport(), { type: 'deprecation', body: {} }, apiReport({ blockedURL: 'eval' })])),
    ).toEqual([
      { page: 'number', directive: 'connect-src', blocked: 'inline' },
      { page: 'number', directive: 'connect-src', blocked: 'eval' },
    ])
  })

  test('name a page by its path, whose slashes may be doubled', () => {
    const doubled = page.replace('/pages/', '//pages//')
    expect(read(cspReport({ 'document-uri': doubled }))).toMatchObject([{ page: 'number' }])
  })

  test.each([
    ['about another site', cspReport({ 'document-uri': 'https://pay.example.evil.example/pages/fields/number' })],
    ['about another page', cspReport({ 'document-uri': `${GATEWAY}/docs` })],
    ['in malformed JSON', '{"csp-report":'],
    ['of null', 'null'],
    ['of a list of invalid items', '[null, 1, {"type":"csp-violation"}, {"type":"csp-violation","body":7}]'],
    ['whose page is not a string', cspReport({ 'document-uri': { toString: 'x' } })],
  ])('%s are ignored', (_name, text) => expect(read(text)).toEqual([]))

  test.each([
    ['with an unknown directive', { 'violated-directive': '<b>' }, { directive: 'other' }],
    ['with the sources of the directive', { 'violated-directive': "img-src 'self'" }, { directive: 'img-src' }],
    ['with a blocked resource that is no URL', { 'blocked-uri': 'javascript:alert(1)' }, { blocked: 'other' }],
    [
      'with a number in the host name',
      { 'blocked-uri': 'https://4200000000000042.evil.example/' },
      { blocked: 'https://….evil.example' },
    ],
    [
      'with a long host name',
      { 'blocked-uri': `https://${'a'.repeat(60)}.evil.example/` },
      { blocked: 'https://….evil.example' },
    ],
  ])('%s are reduced to known words and short parts of host names', (_name, changes, expected) =>
    expect(read(cspReport(changes))[0]).toMatchObject(expected),
  )

  test('are bounded in one body', () => {
    expect(read(JSON.stringify(Array.from({ length: 1_000 }, () => apiReport())))).toHaveLength(limits.reportsPerBody)
  })

  describe('at their endpoint', () => {
    beforeEach(() => (tollgate.clock.nowMs += 2 * limits.throttleWindowMs))

    const report = (payload: string, type = 'application/csp-report') =>
      tollgate.server.inject({ method: 'POST', url: '/pages/reports', headers: { 'content-type': type }, payload })

    test('are counted and logged without data that could be secret', async () => {
      expect((await report(cspReport())).statusCode).toBe(204)
      expect((await report(JSON.stringify([apiReport()]), 'application/reports+json')).statusCode).toBe(204)
      expect(tollgate.logged.slice(-2)).toEqual([
        { level: 'warn', pages: 'number', directive: 'script-src-elem', blocked: 'https://cdn.evil.example' },
        { level: 'warn', pages: 'number', directive: 'connect-src', blocked: 'inline' },
      ])
      const { body } = await tollgate.manage('GET', '/payment-page')
      expect(body.violations).toContainEqual({ page: 'number', directive: 'connect-src', count: 1 })
    })

    test('are bounded in size and rate', async () => {
      expect((await report(cspReport({ sample: 'x'.repeat(limits.reportBytesMax) }))).statusCode).toBe(413)
      const codes: number[] = []
      for (let sent = 0; sent < limits.reportsPerMinute + 5; sent += 1) codes.push((await report('{}')).statusCode)
      expect([codes[0], codes.at(-1)]).toEqual([204, 429])
    })

    test('are bounded in the log', async () => {
      const before = tollgate.logged.length
      const longest = JSON.stringify(Array.from({ length: limits.reportsPerBody }, () => apiReport()))
      for (let sent = 0; sent < 10; sent += 1) await report(longest)
      expect(tollgate.logged.length - before).toBe(limits.reportLinesPerMinute)
    })

    test.each(['/pages/fields/number', '/pages/fields/cvv', '/pages/authentications/0', '/pages/return/0'])(
      'are requested by the headers of %s',
      async (path) => {
        const headers = (await fetchPage(path))?.headers
        expect(headers).toMatchObject({
          'content-security-policy': expect.stringContaining('; report-uri /pages/reports; report-to reports'),
          'reporting-endpoints': 'reports="/pages/reports"',
        })
      },
    )
  })
})
