import { encodesName, unescapeBytes } from './decode-bytes.ts'
import { NAME_ESCAPED, type Pair, splitPairs } from './decode-pairs.ts'
import { limits } from './limits.ts'
import { login } from './parameters/login.ts'
import type { Row } from './row.ts'
import { Secret } from './secret.ts'

/** Credentials in the parameters of older clients; missing or malformed credentials are undefined. */
export interface Login {
  readonly entityId: string | undefined
  readonly userId: string | undefined
  /** The caller of `decodeLogin` wipes it. */
  readonly password: Secret | undefined
}

/**
 * Reads the login from an undecoded form, so that forms of unauthenticated clients need no decoding.
 *
 * @param body as for `decodeForm`, which can decode it afterwards; the password is erased in it
 * @returns undefined if there are no login parameters; never throws
 */
export const decodeLogin = (body: Uint8Array): Login | undefined =>
  extractLogin(body, splitPairs(body, limits.pairsMax))

/** As `decodeLogin`, for bytes that are already split. */
export function extractLogin(body: Uint8Array, pairs: readonly Pair[]): Login | undefined {
  let credentials: Map<string, Uint8Array | undefined> | undefined
  for (const pair of pairs) {
    const row = loginRowAt(body, pair)
    if (row === undefined) continue
    credentials ??= new Map()
    // The last of repeated parameters counts, as in every form on the channels that accept logins (`legacy`).
    credentials.get(row.name)?.fill(0)
    const bytes = unescapeBytes(body, pair.equals + 1, pair.end)
    const isValid = bytes !== undefined && row.format.acceptsBytes?.(bytes) === true
    if (!isValid) bytes?.fill(0)
    credentials.set(row.name, isValid ? bytes : undefined)
    if (row.secret !== undefined) body.fill(0, pair.start, pair.end)
  }
  return credentials && loginOf(credentials)
}

function loginOf(credentials: ReadonlyMap<string, Uint8Array | undefined>): Login {
  const textOf = (name: string): string | undefined => {
    const bytes = credentials.get(name)
    return bytes && utf8.decode(bytes)
  }
  const password = credentials.get('authentication.password')
  return {
    entityId: textOf('authentication.entityId'),
    userId: textOf('authentication.userId'),
    password: password && new Secret(password),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const names = login.rows.map((row) => ({ row, bytes: new TextEncoder().encode(row.name) }))
const lengths = new Set(names.map(({ bytes }) => bytes.length))

/** The row of a login with the name of the pair, compared by bytes. The length of the name excludes most pairs. */
function loginRowAt(body: Uint8Array, { start, equals, flags }: Pair): Row | undefined {
  if ((flags & NAME_ESCAPED) === 0 && !lengths.has(equals - start)) return undefined
  return names.find(({ bytes }) => encodesName(body, start, equals, bytes))?.row
}
