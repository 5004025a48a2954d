import { parseUrl } from '@tollgate/contract'
import { withSingleSlashes } from '../single-slashes.ts'
import { limits } from '../limits.ts'

/**
 * A violation of the content security policy of a page, which a browser reported. It repeats no text of the report but
 * known words and an origin, without parts of the host name that could contain data.
 */
export interface Violation {
  readonly page: string
  readonly directive: string
  /** A keyword such as `inline`, an origin without its path, which could contain an account number, or `other`. */
  readonly blocked: string
}

/** The pages whose policy has a report address, by the prefixes of their paths. */
const pages = [
  ['/pages/fields/number', 'number'],
  ['/pages/fields/cvv', 'cvv'],
  ['/pages/authentications/', 'authentication'],
  ['/pages/return/', 'return'],
] as const

const directives: ReadonlySet<string> = new Set([
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
])

/** Texts for blocked resources that have no URL. */
const keywords: ReadonlySet<string> = new Set([
  'blob',
  'data',
  'eval',
  'inline',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
  'wasm-eval',
])

/**
 * The violations in a browser's report, in either format: `application/csp-report` (CSP 2, `report-uri`) or
 * `application/reports+json` (Reporting API, `report-to`). Reports about other pages, and bodies in another format, are
 * ignored.
 *
 * @param url the URL of this gateway, as browsers use it
 */
export function violationsIn(body: Uint8Array, url: string): readonly Violation[] {
  return reportsIn(body)
    .slice(0, limits.reportsPerBody)
    .flatMap((report) => violationOf(report, url) ?? [])
}

function reportsIn(body: Uint8Array): readonly object[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    if (!Array.isArray(parsed)) return [memberOf(parsed, 'csp-report')].filter(isObject)
    return parsed
      .filter((report) => memberOf(report, 'type') === 'csp-violation')
      .map((report) => memberOf(report, 'body'))
      .filter(isObject)
  } catch {
    return []
  }
}

function violationOf(report: object, url: string): Violation | undefined {
  const text = (...names: readonly string[]): string => {
    const isText = (value: unknown): value is string => typeof value === 'string'
    return names.map((name) => memberOf(report, name)).find(isText) ?? ''
  }
  const page = pageAt(text('documentURL', 'document-uri'), url)
  if (page === undefined) return undefined
  // Older browsers report the directive with its sources.
  const [directive = ''] = text('effectiveDirective', 'effective-directive', 'violated-directive').split(' ', 1)
  return {
    page,
    directive: directives.has(directive) ? directive : 'other',
    blocked: blockedTextOf(text('blockedURL', 'blocked-uri')),
  }
}

function pageAt(address: string, url: string): string | undefined {
  const parsed = parseUrl(address)
  if (parsed?.origin !== new URL(url).origin) return undefined
  const path = withSingleSlashes(parsed.pathname)
  return pages.find(([prefix]) => path.startsWith(prefix))?.[1]
}

function blockedTextOf(resource: string): string {
  if (keywords.has(resource)) return resource
  const parsed = parseUrl(resource)
  if (!parsed) return 'other'
  const { protocol, hostname } = parsed
  if (protocol !== 'https:' && protocol !== 'http:' && protocol !== 'wss:' && protocol !== 'ws:') return 'other'
  // A host name may contain data that an injected script tried to send.
  const labels = hostname.split('.').map((label) => (label.length > 24 || /\d{4}/.test(label) ? '…' : label))
  return `${protocol}//${labels.slice(-4).join('.')}`
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? Reflect.get(value, name) : undefined)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
