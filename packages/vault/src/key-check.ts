import { createHmac } from 'node:crypto'
import { currentNames, keyName, type KeyRing, type KeySetName, namedKeys } from './key-ring.ts'
import { limits } from './limits.ts'

/**
 * A key-check value names every key that stored data needs, with 64 bits of a code made under it: `name=code name=code
 * …`. It reveals nothing of the keys and is stored beside the data, so that a wrong or missing key is found before it
 * does harm.
 */
const entryForm = /^([a-z0-9.-]{1,64})=([0-9a-f]{16})$/
const constant = 'tollgate key check v1'

/**
 * The key-check value of data that is written with this ring from now on: the keys so far, and the current ones.
 *
 * @param stored the value so far, accepted by `compareKeyCheck`; undefined for new data
 */
export function writeKeyCheck(ring: KeyRing, stored?: string): string {
  const codes = codesOf(ring)
  const entries = new Map(stored === undefined ? [] : readKeyCheck(stored))
  for (const name of currentNames(ring)) entries.set(name, codes.get(name) ?? '')
  return text(entries)
}

/**
 * Compares a stored value with the ring at hand. Returns one sentence a problem, none if every key that the stored
 * value names is in the ring unchanged. A key that only the ring has is no problem: it is new.
 */
export function compareKeyCheck(stored: string, ring: KeyRing): readonly string[] {
  const entries = readKeyCheck(stored)
  if (entries === undefined) return ['the stored key-check value is unreadable']
  const codes = codesOf(ring)
  return [...entries].flatMap(([name, expected]) => {
    const found = codes.get(name)
    if (found === undefined) return [`${name} is missing: stored data needs it`]
    return found === expected ? [] : [`${name} is not the key that stored data was written with`]
  })
}

/** The key-check value once no record needs that key any more. */
export function dropFromKeyCheck(stored: string, set: KeySetName, id: string): string {
  const entries = new Map(readKeyCheck(stored))
  entries.delete(keyName(set, id))
  return text(entries)
}

/** The codes by name, or undefined when the text is no key-check value. */
function readKeyCheck(value: string): ReadonlyMap<string, string> | undefined {
  if (value.length > limits.keyCheckTextMax) return undefined
  const codes = new Map<string, string>()
  for (const entry of value.split(' ')) {
    const [, name, found] = entryForm.exec(entry) ?? []
    if (name === undefined || found === undefined) return undefined
    codes.set(name, found)
  }
  return codes
}

function codesOf(ring: KeyRing): ReadonlyMap<string, string> {
  return new Map(namedKeys(ring).map(([name, key]) => [name, code(key)]))
}

function code(key: Uint8Array): string {
  return createHmac('sha256', key).update(constant).digest('hex').slice(0, 16)
}

function text(codes: ReadonlyMap<string, string>): string {
  return [...codes].map(([name, value]) => `${name}=${value}`).join(' ')
}
