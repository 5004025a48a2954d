import type { Fingerprint } from '@tollgate/vault'
import { hex } from './hex.ts'

/**
 * A fingerprint in the form for operators and blocklists: the id of its key, such as `fpk-79121125`, a colon, and 64
 * hexadecimal digits. The id is included because only fingerprints made with the same key can be compared.
 */
export const fingerprintText = ({ keyId, code }: Fingerprint): string => `${keyId}:${hex(code)}`

/** The format of fingerprints, in lower or upper case. */
export const fingerprintPattern = /^[a-z0-9-]{1,32}:[0-9a-f]{64}$/i

/** The id of the key that a fingerprint was made with. */
export const keyIdOf = (fingerprint: string): string => fingerprint.slice(0, fingerprint.indexOf(':'))
