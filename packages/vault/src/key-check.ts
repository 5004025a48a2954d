import { createHmac } from 'node:crypto'
import { type KeyRing, namedKeys } from './key-ring.ts'
import { limits } from './limits.ts'

/**
 * A key-check value names every key of a ring with 64 bits of a code made under it: `name=code name=code …`. It reveals
 * nothing of the keys and is stored beside the data, so that a wrong or missing key is found before it does harm.
 */
const entryForm = /^([a-z0-9.-]{1,64})=([0-9a-f]{16})$/
const constant = 'tollgate key check v1'

/** The key-check value of a ring. */
export function writeKeyCheck(ring: KeyRing): string {
  return namedKeys(ring)
    .map(([name, key]) => `${name}=${code(key)}`)
    .join(' ')
}

/**
 * Compares a stored value with that of the ring at hand. Returns one sentence a problem, none if every key that the
 * stored value names is in the ring unchanged. A key that only the ring has is no problem: that is what adding one
 * looks like.
 */
export function compareKeyCheck(stored: string, own: string): readonly string[] {
  const entries = readKeyCheck(stored)
  if (entries === undefined) return ['the stored key-check value is unreadable']
  const codes = readKeyCheck(own)
  return [...entries].flatMap(([name, expected]) => {
    const found = codes?.get(name)
    if (found === undefined) return [`${name} is missing: stored data needs it`]
    return found === expected ? [] : [`${name} is not the key that stored data was written with`]
  })
}

/** The codes by name, or undefined when the text is no key-check value. */
function readKeyCheck(text: string): ReadonlyMap<string, string> | undefined {
  if (text.length > limits.keyCheckTextMax) return undefined
  const codes = new Map<string, string>()
  for (const entry of text.split(' ')) {
    const [, name, value] = entryForm.exec(entry) ?? []
    if (name === undefined || value === undefined) return undefined
    codes.set(name, value)
  }
  return codes
}

function code(key: Uint8Array): string {
  return createHmac('sha256', key).update(constant).digest('hex').slice(0, 16)
}
