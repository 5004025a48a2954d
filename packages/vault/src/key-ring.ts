import { limits } from './limits.ts'
import { VaultError } from './vault-error.ts'

/** Returns `size` new, cryptographically random bytes in a new array. */
export type Random = (size: number) => Uint8Array

/** Keys of one purpose by their ids: new records use `current`, existing records may use the other keys. */
export interface KeySet<Key = Uint8Array> {
  readonly current: string
  readonly keys: Readonly<Record<string, Key>>
}

/** All keys of an installation, as bytes or as the handles of an open ring. Each has 32 bytes and one purpose. */
export interface KeyRing<Key = Uint8Array> {
  /** Keys that wrap the data keys under which numbers are encrypted. */
  readonly encryption: KeySet<Key>
  /** Keys of the fingerprints by which the same number is recognised. */
  readonly fingerprint: KeySet<Key>
  /** Key of the hashes of access tokens. */
  readonly token: Key
  /** Key of the hashes of idempotency keys and of the requests with which they were sent. */
  readonly idempotency: Key
}

/** Properties of a purpose with several keys: the prefix of its ids, and the maximum number of keys. */
const keySets = {
  encryption: { prefix: 'kek', keysMax: limits.encryptionKeysMax },
  fingerprint: { prefix: 'fpk', keysMax: limits.fingerprintKeysMax },
} as const

/** The purposes whose keys are rotated. */
export type KeySetName = keyof typeof keySets

/** The purposes whose keys are rotated, in the order of the text form. */
export const keySetNames = ['encryption', 'fingerprint'] as const satisfies readonly KeySetName[]

/** The purposes with a single key. */
const singleKeys = ['token', 'idempotency'] as const

/** Bytes of every key. */
export const keyBytes = 32
const version = 2
/** An id is shorter than a key in hexadecimal, so that a key in the place of an id is never printed. */
const keyIdForm = /^[a-z0-9-]{1,32}$/
const keyForm = /^[0-9a-f]{64}$/
/** The id of the single fingerprint key of version 1, which has no id in the text. */
const idOfVersion1 = `${keySets.fingerprint.prefix}-1`

function fail(message: string): never {
  throw new VaultError('key ring', `key ring: ${message}`)
}

/** A new ring with one key for each purpose. `random` must be cryptographically strong. */
export function generateKeyRing(random: Random): KeyRing {
  const empty = { current: '', keys: {} }
  return checkKeyRing({
    encryption: withKey('encryption', empty, random),
    fingerprint: withKey('fingerprint', empty, random),
    token: random(keyBytes),
    idempotency: random(keyBytes),
  })
}

/**
 * The ring with a new current key for a purpose; the previous keys stay. Throws VaultError ('key ring') if the purpose
 * already has the maximum number of keys, or a key with the new id.
 */
export function withNewKey(ring: KeyRing, name: KeySetName, random: Random): KeyRing {
  return checkKeyRing({ ...ring, [name]: withKey(name, ring[name], random) })
}

function withKey(name: KeySetName, { keys }: KeySet, random: Random): KeySet {
  const id = `${keySets[name].prefix}-${toHex(random(4))}`
  if (Object.hasOwn(keys, id)) fail(`${name}.keys already has a key ${id}; try again`)
  return { current: id, keys: { ...keys, [id]: random(keyBytes) } }
}

/** The ring without one of its keys, which must not be a current key. */
export function withoutKey<Key>(ring: KeyRing<Key>, name: KeySetName, id: string): KeyRing<Key> {
  const { current, keys } = ring[name]
  const remaining = Object.fromEntries(Object.entries(keys).filter(([keyId]) => keyId !== id))
  return { ...ring, [name]: { current, keys: remaining } }
}

/** The ring as JSON text of version 2, keys in lower-case hexadecimal. The text is as secret as the keys. */
export function writeKeyRing(ring: KeyRing): string {
  const textOfSet = ({ current, keys }: KeySet) => ({
    current,
    keys: Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, toHex(key)])),
  })
  const text = {
    version,
    ...Object.fromEntries(keySetNames.map((name) => [name, textOfSet(ring[name])])),
    ...Object.fromEntries(singleKeys.map((name) => [name, toHex(ring[name])])),
  }
  return `${JSON.stringify(text, null, 2)}\n`
}

/**
 * Parses the output of `writeKeyRing`, of this version or the previous version. Throws VaultError ('key ring') with the
 * name of the invalid member; the error contains no part of a key, and nothing of a text that is not JSON.
 */
export function readKeyRing(text: string): KeyRing {
  if (text.length > limits.keyRingTextMax) fail(`more than ${limits.keyRingTextMax} characters`)
  const top = readMembers(parse(text), 'the text', ['version', ...keySetNames, ...singleKeys])
  if (top.version !== version && top.version !== 1) fail(`version must be 1 or ${version}`)
  return checkKeyRing({
    encryption: readKeySet(top.encryption, 'encryption'),
    fingerprint:
      top.version === 1
        ? { current: idOfVersion1, keys: { [idOfVersion1]: fromHex(top.fingerprint, 'fingerprint') } }
        : readKeySet(top.fingerprint, 'fingerprint'),
    token: fromHex(top.token, 'token'),
    idempotency: fromHex(top.idempotency, 'idempotency'),
  })
}

function readKeySet(value: unknown, name: KeySetName): KeySet {
  const { current, keys: keysById } = readMembers(value, name, ['current', 'keys'])
  if (typeof current !== 'string') return fail(`${name}.current must be a key id`)
  const keys: Record<string, Uint8Array> = {}
  for (const [id, key] of Object.entries(readObject(keysById, `${name}.keys`))) {
    checkKeyId(id, name)
    keys[id] = fromHex(key, `${name}.keys.${id}`)
  }
  return { current, keys }
}

/**
 * Validates a ring and returns it: formats, lengths, one purpose per key, unique ids, no placeholders. Throws
 * VaultError ('key ring').
 */
export function checkKeyRing(ring: KeyRing): KeyRing {
  const ids = keySetNames.flatMap((name) => checkKeySet(ring[name], name))
  if (new Set(ids).size < ids.length) fail('two keys have the same id')
  const namesByKey = new Map<string, string>()
  for (const [name, key] of namedKeys(ring)) {
    if (key.length !== keyBytes) fail(`${name} must be ${keyBytes} bytes`)
    // A placeholder such as "abab…" has fewer than 8 distinct bytes; 32 random bytes have so few once in 10^37 times.
    if (new Set(key).size < 8) fail(`${name} is a placeholder, not a random key`)
    const sameKey = namesByKey.get(toHex(key))
    if (sameKey !== undefined) fail(`${sameKey} and ${name} are the same key; every key has one purpose`)
    namesByKey.set(toHex(key), name)
  }
  return ring
}

/** Validates a key set and returns its ids. */
function checkKeySet({ current, keys }: KeySet, name: KeySetName): readonly string[] {
  const ids = Object.keys(keys)
  for (const id of ids) checkKeyId(id, name)
  const { keysMax } = keySets[name]
  if (ids.length > keysMax) fail(`${name}.keys holds more than ${keysMax} keys; retire one first`)
  if (!ids.includes(current)) fail(`${name}.current names no key of ${name}.keys`)
  return ids
}

/** The name of a key of a set, in messages and in the key-check value. */
export const keyName = (name: KeySetName, id: string): string => `${name}.keys.${id}`

/** Every key with its name. */
export function namedKeys(ring: KeyRing): readonly (readonly [name: string, key: Uint8Array])[] {
  return [
    ...keySetNames.flatMap((name) =>
      Object.entries(ring[name].keys).map(([id, key]) => [keyName(name, id), key] as const),
    ),
    ...singleKeys.map((name) => [name, ring[name]] as const),
  ]
}

/** The names of the keys for new records. */
export const currentNames = (ring: KeyRing): readonly string[] => [
  ...keySetNames.map((name) => keyName(name, ring[name].current)),
  ...singleKeys,
]

function checkKeyId(id: string, name: KeySetName): void {
  if (!keyIdForm.test(id)) fail(`a key id in ${name}.keys must match ${keyIdForm.source}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser quotes the text.
    return fail('the text is not valid JSON')
  }
}

function readObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(`${name} must be an object`)
  return { ...value }
}

/** Reads an object with exactly these members. The error does not name another member, which may be a misplaced key. */
function readMembers<Name extends string>(value: unknown, name: string, names: readonly Name[]): Record<Name, unknown> {
  const members = readObject(value, name)
  for (const member of names) if (!Object.hasOwn(members, member)) fail(`${name} has no member ${member}`)
  if (Object.keys(members).length > names.length) fail(`${name} may hold only ${names.join(', ')}`)
  return members
}

function fromHex(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' || !keyForm.test(value)) return fail(`${name} must be 64 lower-case hexadecimal digits`)
  return Uint8Array.from(Buffer.from(value, 'hex'))
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
