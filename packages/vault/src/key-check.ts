import { createHmac } from 'node:crypto'
import { currentNames, keyName, type KeyRing, type KeySetName, namedKeys } from './key-ring.ts'
import { limits } from './limits.ts'

/**
 * A key-check value contains the name of every key that stored data needs, and the first 64 bits of an HMAC under that
 * key: `name=code name=code …`. It reveals nothing of the keys and is stored with the data, so that a wrong or missing
 * key is detected before it is used.
 */
const entryForm = /^([a-z0-9.-]{1,64})=([0-9a-f]{16})$/
const checkText = 'tollgate key check v1'

/**
 * The key-check value to store before data are written with a ring. It contains the keys of the stored value, and the
 * current keys of the ring.
 *
 * @param stored the stored value, which `compareKeyCheck` has accepted; undefined for new data
 */
export function writeKeyCheck(ring: KeyRing, stored?: string): string {
  const codes = codesOf(ring)
  const entries = new Map(stored === undefined ? [] : readKeyCheck(stored))
  for (const name of currentNames(ring)) entries.set(name, codes.get(name) ?? '')
  return textOf(entries)
}

/**
 * Compares a stored value with a ring. Returns one sentence per problem, and none if the ring has every key of the
 * stored value unchanged. Further keys of the ring are no problem: they are new.
 */
export function compareKeyCheck(stored: string, ring: KeyRing): readonly string[] {
  const entries = readKeyCheck(stored)
  if (entries === undefined) return ['the stored key-check value is unreadable']
  const codes = codesOf(ring)
  return [...entries].flatMap(([name, expected]) => {
    const actual = codes.get(name)
    if (actual === undefined) return [`${name} is missing: stored data needs it`]
    return actual === expected ? [] : [`${name} is not the key that stored data was written with`]
  })
}

/** The key-check value without a key that no record needs any more. */
export function dropFromKeyCheck(stored: string, set: KeySetName, id: string): string {
  const entries = new Map(readKeyCheck(stored))
  entries.delete(keyName(set, id))
  return textOf(entries)
}

/** The codes by name, or undefined if the text is not a key-check value. */
function readKeyCheck(value: string): ReadonlyMap<string, string> | undefined {
  if (value.length > limits.keyCheckTextMax) return undefined
  const codes = new Map<string, string>()
  for (const entry of value.split(' ')) {
    const [, name, code] = entryForm.exec(entry) ?? []
    if (name === undefined || code === undefined) return undefined
    codes.set(name, code)
  }
  return codes
}

function codesOf(ring: KeyRing): ReadonlyMap<string, string> {
  return new Map(namedKeys(ring).map(([name, key]) => [name, codeOf(key)]))
}

function codeOf(key: Uint8Array): string {
  return createHmac('sha256', key).update(checkText).digest('hex').slice(0, 16)
}

function textOf(codes: ReadonlyMap<string, string>): string {
  return [...codes].map(([name, code]) => `${name}=${code}`).join(' ')
}
