import { errors } from 'undici'

/** The reason why a request got no answer, in words for an operator. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly kind: 'failed' | 'refused'

  constructor(kind: 'failed' | 'refused', reason: string) {
    super(reason)
    this.kind = kind
  }
}

const CERTIFICATE = 'the certificate is not valid: '
const NOT_REACHED = 'the address cannot be reached'
const CLOSED = 'the connection was closed before the whole answer had come'

/** By the error code of the system, of OpenSSL or of undici. Their texts may quote the other side. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EHOSTUNREACH: NOT_REACHED,
  ENETUNREACH: NOT_REACHED,
  EADDRNOTAVAIL: NOT_REACHED,
  EACCES: NOT_REACHED,
  EPERM: NOT_REACHED,
  ETIMEDOUT: 'the connection got no answer',
  EMFILE: 'too many files are open on this machine',
  DEPTH_ZERO_SELF_SIGNED_CERT: `${CERTIFICATE}it is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: `${CERTIFICATE}its chain ends in an unknown authority`,
  UNABLE_TO_GET_ISSUER_CERT: `${CERTIFICATE}its chain is incomplete`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${CERTIFICATE}its authority is unknown, or its chain is incomplete`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${CERTIFICATE}its authority is unknown, or its chain is incomplete`,
  CERT_HAS_EXPIRED: `${CERTIFICATE}it has expired`,
  CERT_NOT_YET_VALID: `${CERTIFICATE}it is not valid yet`,
  CERT_REVOKED: `${CERTIFICATE}it was revoked`,
  CERT_SIGNATURE_FAILURE: `${CERTIFICATE}its signature is wrong`,
  ERR_TLS_CERT_ALTNAME_INVALID: `${CERTIFICATE}it is for another name`,
  EPROTO: 'the other side speaks no TLS that we take',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not as long as it says',
  UND_ERR_INVALID_ARG: 'the request cannot be written as HTTP',
}

/** Prefix of a family of codes. */
const families: readonly (readonly [prefix: string, reason: string])[] = [
  ['ERR_SSL_', 'the other side speaks no TLS that we take'],
  ['ERR_TLS_', 'the other side speaks no TLS that we take'],
  ['CERT_', 'the certificate is not valid'],
]

/** Never the text of a foreign error, which may contain addresses and bytes of the other side: its code at most. */
export function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message
  if (error instanceof errors.HTTPParserError) return 'the answer is no HTTP'
  const code = codeOf(error)
  const known = reasons[code] ?? families.find(([prefix]) => code.startsWith(prefix))?.[1]
  return known ?? `there was no answer (${code})`
}

/** Codes are capitals; any other text is not shown. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown'
}
