import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { codeOf, NoAnswer } from './failure-reasons.ts'
import { noSuchName, type Resolve } from './resolve.ts'
import { forbiddenRange, isLocalhost, type Rules } from './target.ts'

/**
 * Creates the look-up of a socket: it resolves the name, and returns its addresses if all of them are permitted. The
 * socket needs the option `autoSelectFamily`, and connects to these addresses only.
 */
export function createCheckedLookup(rules: Rules, resolve: Resolve): LookupFunction {
  async function answer(name: string, callback: Parameters<LookupFunction>[2]): Promise<void> {
    const addresses = await checkedAddresses(name, rules, resolve)
    if (addresses instanceof NoAnswer) callback(addresses, [])
    else callback(null, addresses)
  }
  return (name, _, callback) => void answer(name, callback)
}

/** The addresses of a name; no answer if its look-up fails or one of its addresses is forbidden. */
async function checkedAddresses(name: string, rules: Rules, resolve: Resolve): Promise<LookupAddress[] | NoAnswer> {
  const addresses = isLocalhost(name) ? loopbackAddresses : await lookUp(name, resolve)
  if (addresses instanceof NoAnswer) return addresses
  for (const address of addresses) {
    if (isIP(address) === 0) return new NoAnswer('refused', 'the name resolves to an invalid address')
    const range = forbiddenRange(address, rules)
    if (range) return new NoAnswer('refused', `the name resolves to ${range.name} (${range.source})`)
  }
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

const loopbackAddresses = ['127.0.0.1', '::1']

async function lookUp(name: string, resolve: Resolve): Promise<readonly string[] | NoAnswer> {
  try {
    const addresses = await resolve(name)
    return addresses.length > 0 ? addresses : new NoAnswer('failed', 'the name does not resolve')
  } catch (error) {
    const isUnknown = noSuchName.has(codeOf(error))
    return new NoAnswer('failed', isUnknown ? 'the name does not resolve' : 'the look-up of the name failed')
  }
}
