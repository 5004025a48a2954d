import { errors } from 'undici'

/** The failure of a request without an answer. The message is the reason, in words for an operator. */
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
const CLOSED = 'the connection was closed before the answer was complete'

/** Reasons by the error code of the system, of OpenSSL or of undici, whose messages may quote the server. */
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
  EPROTO: 'the TLS handshake failed',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer differs from its Content-Length',
  UND_ERR_INVALID_ARG: 'the request cannot be written as HTTP',
}

/** Reasons by the prefix of an error code. */
const families: readonly (readonly [prefix: string, reason: string])[] = [
  ['ERR_SSL_', 'the TLS handshake failed'],
  ['ERR_TLS_', 'the TLS handshake failed'],
  ['CERT_', 'the certificate is not valid'],
]

/**
 * The reason of a failure. Of an error of a library it contains at most the code, because the message may quote the
 * server.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message
  if (error instanceof errors.HTTPParserError) return 'the answer is not valid HTTP'
  const code = codeOf(error)
  const reason = reasons[code] ?? families.find(([prefix]) => code.startsWith(prefix))?.[1]
  return reason ?? `there was no answer (${code})`
}

/** The code of an error if it consists of capitals, digits and underscores; otherwise 'unknown'. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown'
}
