import { audit, type BackgroundTask, type Clock, type Log } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { Difference, PageCheck, PageIntegrity } from './page-integrity.ts'

/** A page or file as a browser receives it. */
export interface FetchedPage {
  readonly status: number
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** Requests a path of this gateway as a shopper's browser would; resolves to undefined without a usable answer. */
export type FetchPage = (path: string) => Promise<FetchedPage | undefined>

/** A page or file as it must be served. */
export interface ExpectedPage {
  readonly path: string
  readonly status: number
  readonly expectedHeadersOf: (fetched: FetchedPage) => Readonly<Record<string, string>>
  readonly isExpectedBody: (fetched: FetchedPage) => boolean
}

interface Parts {
  readonly pageIntegrity: PageIntegrity
  readonly clock: Clock
  readonly log: Log
  /** The URL of this gateway for browsers, without a trailing slash; set once it listens. */
  readonly pages: { readonly url: string }
}

/**
 * Fetches the payment pages as browsers do, through any proxy before the gateway, and compares their status,
 * security headers and bodies with the build (PCI DSS 11.6.1: "tamper-detection mechanism"). Differences are reported
 * in the audit log, a metric and the management API. The pages stay in service, because the cause may be outside of the
 * gateway.
 */
export function watchPages(
  { pageIntegrity, clock, log, pages }: Parts,
  expected: readonly ExpectedPage[],
  fetchPage: FetchPage = fetchFrom(pages),
): BackgroundTask {
  let remaining: ExpectedPage[] = []
  let isInProgress = false
  let differences: Difference[] = []
  let isReachable = true

  function finish(): void {
    const outcome: PageCheck['outcome'] = differences.length > 0 ? 'changed' : isReachable ? 'same' : 'unreachable'
    if (outcome === 'unreachable' && pageIntegrity.lastCheck?.outcome !== outcome)
      log.info({ pages: 'unreachable at the public address' })
    for (const { path, what } of differences) audit(log, 'payment page changed', { path, what })
    pageIntegrity.checks.add(outcome)
    pageIntegrity.lastCheck = { atMs: clock.now(), outcome, differences }
  }

  return {
    name: 'payment pages',
    /** The interval is shorter while the public address is unreachable, for instance until the proxy is set up. */
    get everyMs() {
      return pageIntegrity.lastCheck?.outcome === 'unreachable' ? limits.pagesRetryMs : limits.pagesEveryMs
    },
    pauseMs: limits.pagesPauseMs,
    async step() {
      if (!isInProgress) {
        isInProgress = true
        remaining = [...expected]
        differences = []
        isReachable = true
        return 'more'
      }
      const [page] = remaining.splice(0, 1)
      const fetched = page && (await fetchPage(page.path))
      // After a page without an answer, the remaining pages are not requested.
      if (!fetched) {
        isReachable = false
        remaining = []
      } else differences.push(...differencesOf(page, fetched))
      if (remaining.length > 0) return 'more'
      finish()
      isInProgress = false
      return 'done'
    },
  }
}

function differencesOf(page: ExpectedPage, fetched: FetchedPage): readonly Difference[] {
  const [path = ''] = page.path.split('?', 1)
  if (fetched.status !== page.status) return [{ path, what: 'status' }]
  const wrong = Object.entries(page.expectedHeadersOf(fetched)).filter(
    ([name, value]) => fetched.headers[name] !== value,
  )
  const differences = wrong.map(([what]) => ({ path, what }))
  return page.isExpectedBody(fetched) ? differences : [...differences, { path, what: 'body' }]
}

const fetchFrom =
  (pages: Parts['pages']): FetchPage =>
  async (path) => {
    try {
      const signal = AbortSignal.timeout(limits.pageFetchMs)
      const answer = await fetch(`${pages.url}${path}`, { redirect: 'manual', signal })
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await bodyOf(answer) }
    } catch {
      return undefined
    }
  }

/** Reads a body up to the bound. A longer body differs from the page of the build, so its rest is not read. */
async function bodyOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > limits.pageBytesMax) break
  }
  return Buffer.concat(chunks)
}
