import { Resolver } from 'node:dns/promises'
import { limits } from '../limits.ts'
import { codeOf } from './failure-reasons.ts'

/** Returns all addresses of a name; rejects with an error whose `code` is one of node:dns. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Error codes of a name without an address. */
export const noSuchName: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Queries the machine's name servers for A and AAAA. It does not use `lookup`, which runs in the thread pool, where
 * four names with silent servers would block other names and file access. Names in the machine's `hosts` file or search
 * list are not those of a merchant, and are not resolved. Each name has a resolver of its own, because the servers may
 * change while the process runs. One address family is enough: connections are only opened to the returned addresses.
 *
 * @param servers addresses of name servers; those of the machine by default
 */
export async function resolveName(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: limits.outgoing.connectTimeoutMs / 2, tries: 2 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), limits.outgoing.connectTimeoutMs)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const errors: unknown[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    throw errors.find((error) => !noSuchName.has(codeOf(error))) ?? errors[0]
  } finally {
    clearTimeout(timer)
  }
}
