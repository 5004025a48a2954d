import { limits } from './limits.ts'
import type { Random } from './random-pool.ts'
import { VaultError } from './vault-error.ts'

/**
 * Every key of an installation, 32 bytes each, one purpose each.
 *
 * `encryption` wraps the data keys: new records use `current`, the others still open what they once sealed.
 */
export interface KeyRing {
  readonly encryption: { readonly current: string; readonly keys: Readonly<Record<string, Uint8Array>> }
  /** Keys the fingerprint by which the same number is recognised. */
  readonly fingerprint: Uint8Array
  /** Keys the hashes of access tokens. */
  readonly token: Uint8Array
  /** Keys the hashes of idempotency keys and of the requests they were sent with. */
  readonly idempotency: Uint8Array
}

/** The keys that make message authentication codes, in the order of the text form. */
export const macKeys = ['fingerprint', 'token', 'idempotency'] as const

/** Bytes of every key. */
export const keyBytes = 32
const version = 1
/** Shorter than a key in hexadecimal, so that a key pasted in the place of an id can never be printed as one. */
const keyIdForm = /^[a-z0-9-]{1,32}$/
const keyForm = /^[0-9a-f]{64}$/

function fail(message: string): never {
  throw new VaultError('key ring', `key ring: ${message}`)
}

/** A new ring with one encryption key. `random` must be cryptographically strong. */
export function generateKeyRing(random: Random): KeyRing {
  const id = `kek-${toHex(random(4))}`
  return checkKeyRing({
    encryption: { current: id, keys: { [id]: random(keyBytes) } },
    fingerprint: random(keyBytes),
    token: random(keyBytes),
    idempotency: random(keyBytes),
  })
}

/** The ring as JSON text of version 1, keys in lower-case hexadecimal. The text is as secret as the keys. */
export function writeKeyRing(ring: KeyRing): string {
  const { current, keys } = ring.encryption
  const text = {
    version,
    encryption: { current, keys: Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, toHex(key)])) },
    ...Object.fromEntries(macKeys.map((name) => [name, toHex(ring[name])])),
  }
  return `${JSON.stringify(text, null, 2)}\n`
}

/**
 * Reads what `writeKeyRing` wrote. Throws VaultError ('key ring') naming the member that is wrong; no message, and no
 * cause of one, repeats any part of the text.
 */
export function readKeyRing(text: string): KeyRing {
  if (text.length > limits.keyRingTextMax) fail(`more than ${limits.keyRingTextMax} characters`)
  const top = members(parse(text), 'the text', ['version', 'encryption', ...macKeys])
  if (top.version !== version) fail(`version must be ${version}`)
  const encryption = members(top.encryption, 'encryption', ['current', 'keys'])
  const { current } = encryption
  if (typeof current !== 'string') return fail('encryption.current must be a key id')
  const keys: Record<string, Uint8Array> = {}
  for (const [id, key] of Object.entries(object(encryption.keys, 'encryption.keys'))) {
    checkKeyId(id)
    keys[id] = fromHex(key, `encryption.keys.${id}`)
  }
  return checkKeyRing({
    encryption: { current, keys },
    fingerprint: fromHex(top.fingerprint, 'fingerprint'),
    token: fromHex(top.token, 'token'),
    idempotency: fromHex(top.idempotency, 'idempotency'),
  })
}

/**
 * Returns the ring if it can be used: forms, lengths, one key a purpose, no placeholder. Throws VaultError ('key
 * ring').
 */
export function checkKeyRing(ring: KeyRing): KeyRing {
  const ids = Object.keys(ring.encryption.keys)
  ids.forEach(checkKeyId)
  if (ids.length > limits.encryptionKeysMax) fail(`encryption.keys holds more than ${limits.encryptionKeysMax} keys`)
  if (!ids.includes(ring.encryption.current)) fail('encryption.current names no key of encryption.keys')
  const seen = new Map<string, string>()
  for (const [name, key] of namedKeys(ring)) {
    if (key.length !== keyBytes) fail(`${name} must be ${keyBytes} bytes`)
    // 32 random bytes hold fewer than 8 distinct values about once in 10^42 draws; "000…" and "abab…" always do.
    if (new Set(key).size < 8) fail(`${name} is a placeholder, not a random key`)
    const twin = seen.get(toHex(key))
    if (twin !== undefined) fail(`${twin} and ${name} are the same key; every key has one purpose`)
    seen.set(toHex(key), name)
  }
  return ring
}

/** Every key with the name that messages and the key-check value use. */
export function namedKeys(ring: KeyRing): [name: string, key: Uint8Array][] {
  return [
    ...Object.entries(ring.encryption.keys).map(([id, key]): [string, Uint8Array] => [`encryption.keys.${id}`, key]),
    ...macKeys.map((name): [string, Uint8Array] => [name, ring[name]]),
  ]
}

function checkKeyId(id: string): void {
  if (!keyIdForm.test(id)) fail(`a key id in encryption.keys must match ${keyIdForm.source}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text.
    return fail('the text is not valid JSON')
  }
}

function object(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(`${name} must be an object`)
  return { ...value }
}

/** An object with exactly these members; a stranger is not named, for it may be a misplaced key. */
function members<Name extends string>(value: unknown, name: string, names: readonly Name[]): Record<Name, unknown> {
  const found = object(value, name)
  for (const member of names) if (!Object.hasOwn(found, member)) fail(`${name} lacks ${member}`)
  if (Object.keys(found).length > names.length) fail(`${name} may hold only ${names.join(', ')}`)
  return found
}

function fromHex(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' || !keyForm.test(value)) return fail(`${name} must be 64 lower-case hexadecimal digits`)
  return Uint8Array.from(Buffer.from(value, 'hex'))
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
