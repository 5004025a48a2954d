import { type BlockList, isIP } from 'node:net'
import { parseStrictUrl } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { type AddressRange, nonPublicRangeOf } from './address-ranges.ts'

/** The rules for URLs of merchants, and for the addresses of connectors. */
export interface Rules {
  /**
   * test permits more than live: loopback addresses and `localhost`, at any port; other names that resolve to
   * loopback, at the usual ports; and http. Both refuse private addresses, because a gateway may run in a company's
   * network.
   */
  readonly environment: 'test' | 'live'
  /** The permitted ports by scheme, except for loopback addresses. */
  readonly ports: Readonly<Record<string, readonly number[]>>
  /** Addresses that are permitted although they are not public; undefined: none. */
  readonly networks?: BlockList | undefined
}

export const usualPorts: Rules['ports'] = { 'https:': [443, 8443], 'http:': [80, 8080] }

/** A permitted URL, in parts. */
export interface Target {
  /** Scheme, host and port as the URL standard writes them. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

const localhost = { name: 'a loopback address', source: 'RFC 6761', isLoopback: true }

/**
 * Whether a name denotes this machine by definition; name servers are not queried for it (RFC 6761, section 6.3).
 */
export const isLocalhost = (host: string): boolean => /(^|\.)localhost$/.test(host)

/** The range that forbids an address; undefined if the address is permitted. */
export function forbiddenRange(address: string, rules: Rules): AddressRange | undefined {
  const range = nonPublicRangeOf(address)
  return range && isPermitted(address, range, rules) ? undefined : range
}

function isPermitted(
  address: string,
  range: Pick<AddressRange, 'isLoopback'>,
  { environment, networks }: Rules,
): boolean {
  if (environment === 'test' && range.isLoopback) return true
  return networks?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false
}

/**
 * Parses a URL and checks it, as far as that needs no name server. Scheme, host and port are parsed once, by the URL
 * standard, so that the check and the connection interpret every spelling alike.
 *
 * @returns the target, or the reason of its refusal
 */
export function targetOf(text: string, rules: Rules): Target | string {
  const { urlCharsMax } = limits.outgoing
  if (text.length > urlCharsMax) return `the URL is longer than ${urlCharsMax} characters`
  const url = parseStrictUrl(text)
  if (!url) return 'the URL is malformed'
  const refusalReason = refusalReasonOf(url, rules)
  return refusalReason ?? { origin: url.origin, path: url.pathname + url.search }
}

function refusalReasonOf(url: URL, rules: Rules): string | undefined {
  const isTest = rules.environment === 'test'
  const ports = rules.ports[url.protocol]
  if (!ports || (url.protocol !== 'https:' && !isTest)) return 'the scheme of the URL is not https'
  if (url.username !== '' || url.password !== '') return 'the URL contains credentials'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host.split('.').includes('')) return 'the host has an empty label or ends in a dot'
  const range = rangeOfHost(host)
  const refusal = range && hostRefusal(host, rules)
  if (refusal !== undefined) return refusal
  // The URL standard omits the default port of a scheme.
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return range || ports.includes(port) ? undefined : `the port is not one of ${ports.join(', ')}`
}

/** The range of a host that needs no look-up: `localhost`, or a literal address without brackets. */
function rangeOfHost(host: string): Pick<AddressRange, 'name' | 'source' | 'isLoopback'> | undefined {
  if (isLocalhost(host)) return localhost
  return isIP(host) === 0 ? undefined : nonPublicRangeOf(host)
}

/**
 * The reason why a host is refused, as far as that needs no name server; undefined: it is permitted.
 *
 * @param host a name, or an address without brackets
 */
export function hostRefusal(host: string, rules: Rules): string | undefined {
  const range = rangeOfHost(host)
  if (!range || isPermitted(isIP(host) === 0 ? LOOPBACK : host, range, rules)) return undefined
  return `the host is ${range.name} (${range.source})`
}

const LOOPBACK = '127.0.0.1'
