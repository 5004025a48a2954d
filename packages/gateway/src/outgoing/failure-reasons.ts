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
const REFUSED = 'the server refused the certificate of the client: '
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
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server requires another version of TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server requires another version of TLS',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server requires a certificate of the client',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: `${REFUSED}its authority is unknown`,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: `${REFUSED}it has expired`,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED: `${REFUSED}it was revoked`,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: `${REFUSED}it is not accepted`,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: `${REFUSED}it is damaged`,
  ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE: `${REFUSED}its kind is not supported`,
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: `${REFUSED}it has no access`,
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
  return reasonOfCode(code) ?? `there was no answer (${code})`
}

/** The reason by the error code of the system or of OpenSSL; undefined for other texts. */
export const reasonOfCode = (code: string): string | undefined =>
  Object.hasOwn(reasons, code) ? reasons[code] : families.find(([prefix]) => code.startsWith(prefix))?.[1]

/** The code of an error if it consists of capitals, digits and underscores; otherwise 'unknown'. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown'
}
