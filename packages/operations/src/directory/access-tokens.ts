import { timingSafeEqual } from 'node:crypto'
import type { AccessTokenRow } from '@tollgate/storage'
import { limits } from '../limits.ts'

/** All access tokens, valid or not, by their keyed hashes. */
export interface AccessTokens {
  /** missing: the header contains no token. */
  findByHeader(authorization: string | undefined): AccessTokenRow | 'missing' | 'unknown'
  findByToken(token: Uint8Array | string): AccessTokenRow | 'unknown'
  all(): readonly AccessTokenRow[]
  put(row: AccessTokenRow): void
}

/** @param hash computes the keyed hash under which a token is stored */
export function createAccessTokens(hash: (token: string | Uint8Array) => Uint8Array): AccessTokens {
  const tokens = new Map<string, AccessTokenRow>()
  const tokensByHash = new Map<string, AccessTokenRow>()
  /** Recent headers with a stored token, valid or not, so that a token is not hashed for every request. */
  const recent = new Map<string, AccessTokenRow>()

  function findByToken(token: string | Uint8Array): AccessTokenRow | 'unknown' {
    const hashed = hash(token)
    const row = tokensByHash.get(keyOf(hashed))
    return row && timingSafeEqual(row.hash, hashed) ? row : 'unknown'
  }

  return {
    findByHeader(header) {
      const cached = header && recent.get(header)
      if (cached) return cached
      const token = bearerToken(header)
      if (header === undefined || token === undefined) return 'missing'
      const row = findByToken(token)
      if (row === 'unknown' || header.length > limits.recentHeaderCharsMax) return row
      if (recent.size >= limits.recentHeadersMax) recent.clear()
      recent.set(header, row)
      return row
    },
    findByToken,
    all: () => [...tokens.values()],
    put(row) {
      recent.clear()
      tokens.set(row.id, row)
      tokensByHash.set(keyOf(row.hash), row)
    },
  }
}

/**
 * The access token in a header: "Authorization header with the Bearer scheme and an access token" (contract,
 * Authentication 2). The HTTP listener bounds the length of the header.
 */
function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const space = authorization.indexOf(' ')
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== 'bearer') return undefined
  return authorization.slice(space + 1).trim() || undefined
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
}
