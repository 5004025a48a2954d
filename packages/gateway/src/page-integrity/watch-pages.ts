import { createHash } from 'node:crypto'
import { audit } from '../audit.ts'
import type { Gateway } from '../gateway.ts'
import { fieldPageWith, fieldPolicy } from '../http/pages/widget-files.ts'
import { pageHeaders } from '../http/pages/page-headers.ts'
import { limits } from '../limits.ts'
import type { Work } from '../workers/workers.ts'
import type { Difference, PageCheck } from './page-integrity.ts'

/** A page or file as a browser gets it. */
export interface Fetched {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** Asks for a path of ours as a shopper's browser would. undefined: there is no answer. */
export type FetchPage = (path: string) => Promise<Fetched | undefined>

/** One page or file that is looked at. */
interface Watched {
  readonly path: string
  readonly status: number
  readonly headersOf: (fetched: Fetched) => Readonly<Record<string, string>>
  readonly isBody: (fetched: Fetched) => boolean
}

/**
 * Looks at the payment pages as browsers get them, through whatever stands before the gateway, and holds scripts,
 * styles and security headers against what the build has made (PCI DSS 11.6.1: "tamper-detection mechanism"). What
 * differs is told by the audit log, a metric and the management API; the pages are served on, for whoever has changed
 * them has not asked us.
 */
export function watchPages(gateway: Gateway, fetchPage: FetchPage = fetchFrom(gateway)): Work {
  const { pageIntegrity: known, clock, log } = gateway
  let left: Watched[] = []
  let isUnderWay = false
  let found: Difference[] = []
  let isReachable = true

  function finish(): void {
    const outcome: PageCheck['outcome'] = found.length > 0 ? 'changed' : isReachable ? 'same' : 'unreachable'
    if (outcome === 'unreachable' && known.last?.outcome !== outcome) log.info({ pages: 'cannot be reached from here' })
    for (const { path, what } of found) audit(log, 'payment page changed', { path, what })
    known.checks.add(outcome)
    known.last = { atMs: clock.now(), outcome, differences: found }
  }

  return {
    name: 'payment pages',
    /** Where there was no answer the way may not lead here yet. */
    get everyMs() {
      return known.last?.outcome === 'unreachable' ? limits.pagesRetryMs : limits.pagesEveryMs
    },
    pauseMs: limits.pagesPauseMs,
    async step() {
      if (!isUnderWay) {
        isUnderWay = true
        left = watched(gateway)
        found = []
        isReachable = true
        return 'more'
      }
      const [page] = left.splice(0, 1)
      const fetched = page && (await fetchPage(page.path))
      // Of a gateway that cannot be reached nothing more is to be found out.
      if (!fetched) {
        isReachable = false
        left = []
      } else found.push(...differencesOf(page, fetched))
      if (left.length > 0) return 'more'
      finish()
      isUnderWay = false
      return 'done'
    },
  }
}

function differencesOf(page: Watched, fetched: Fetched): readonly Difference[] {
  const [path = ''] = page.path.split('?', 1)
  if (fetched.status !== page.status) return [{ path, what: 'status' }]
  const wrong = Object.entries(page.headersOf(fetched)).filter(([name, value]) => fetched.headers[name] !== value)
  const differences = wrong.map(([what]) => ({ path, what }))
  return page.isBody(fetched) ? differences : [...differences, { path, what: 'body' }]
}

/** What there is to look at: scripts and styles by the build's list of them, and pages with a policy of their own. */
function watched({ assets }: Gateway): Watched[] {
  const files = [...assets.built].filter(([name]) => /\.(?:js|css)$/.test(name))
  const file = (path: string, integrity: string): Watched => ({
    path,
    status: 200,
    headersOf: () => ({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' }),
    isBody: ({ body }) => `sha384-${createHash('sha384').update(body).digest('base64')}` === integrity,
  })
  const field = (path: string, name: 'cardNumber' | 'cvv'): Watched => ({
    path,
    status: 200,
    headersOf: (fetched) => ({ ...pageHeaders, 'content-security-policy': fieldPolicy(nonceOf(fetched)) }),
    isBody: (fetched) => fetched.body.toString('utf8') === fieldPageWith(assets, name, 'en', nonceOf(fetched)),
  })
  const nowhere: Watched = {
    path: '/pages/return/0',
    status: 404,
    headersOf: () => pageHeaders,
    isBody: ({ body }) => !body.toString('utf8').includes('<script'),
  }
  return [
    ...files.map(([name, integrity]) => file(`/pages/assets/${name}`, integrity)),
    file('/v1/paymentWidgets.js', assets.built.get('paymentWidgets.js') ?? ''),
    field('/pages/fields/number', 'cardNumber'),
    field('/pages/fields/cvv', 'cvv'),
    nowhere,
  ]
}

const nonceOf = ({ body }: Fetched): string => /nonce="([A-Za-z0-9+/=]{24})"/.exec(body.toString('utf8'))?.[1] ?? ''

const fetchFrom =
  ({ address }: Gateway): FetchPage =>
  async (path) => {
    try {
      const signal = AbortSignal.timeout(limits.pageFetchMs)
      const answer = await fetch(`${address.url}${path}`, { redirect: 'manual', signal })
      if (Number(answer.headers.get('content-length')) > limits.pageBytesMax) return undefined
      const body = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body }
    } catch {
      return undefined
    }
  }
