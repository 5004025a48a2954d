import { StorageError, type StorageErrorKind } from '@tollgate/storage'
import type { ResultCode } from '@tollgate/contract'
import { limits } from '../limits.ts'

/**
 * The answer to a request that the HTTP layer refuses, or that fails with an error. `description` replaces the result
 * code's text; `reason` becomes its ExtendedDescription.
 */
export interface Fault {
  readonly status: number
  readonly code: ResultCode
  readonly description?: string
  readonly reason?: string
}

/**
 * All faults of the HTTP layer. Their statuses are those of the contract (Errors), and of the HTTP standard if the
 * contract has none.
 */
export const faults = {
  unauthorized: { status: 401, code: '800.900.300' },
  forbidden: { status: 403, code: '800.900.300' },
  plainHttp: { status: 403, code: '800.900.300', reason: 'requests must come over TLS' },
  unknownPath: { status: 404, code: '200.100.199' },
  methodNotAllowed: { status: 405, code: '200.300.403' },
  malformedHttp: { status: 400, code: '200.100.103', description: 'The request is not well-formed HTTP.' },
  incompleteBody: { status: 400, code: '200.100.103', description: 'The request body ended early.' },
  requestTimeout: { status: 408, code: '200.100.103', description: 'The request did not arrive in time.' },
  headersTooLarge: { status: 431, code: '200.100.103', description: 'The request headers are too large.' },
  bodyTooLarge: {
    status: 413,
    code: '200.100.103',
    description: `The request body is larger than ${limits.bodyBytesMax} bytes.`,
  },
  unsupportedMediaType: {
    status: 415,
    code: '200.100.103',
    description: 'The request body must be application/x-www-form-urlencoded; charset=UTF-8.',
  },
  tooManyInProgress: { status: 429, code: '800.120.100', reason: 'too many requests are in progress' },
  throttled: {
    status: 429,
    code: '800.120.100',
    reason: 'the limit of requests per minute for this operation is reached',
  },
  addressThrottled: {
    status: 429,
    code: '800.120.100',
    reason: 'too many requests without an access token come from this address',
  },
  tooManyFailedLogins: {
    status: 429,
    code: '800.120.100',
    reason: 'wrong credentials came from this address too often',
  },
  storageFull: {
    status: 503,
    code: '999.999.888',
    description: 'The data store is full. The request was not processed.',
  },
  storageDown: {
    status: 503,
    code: '999.999.888',
    description: 'The data store is not available. The request was not processed.',
  },
  storageInDoubt: {
    status: 500,
    code: '900.100.300',
    description: 'The data store failed during the request. Whether the request was processed is not certain.',
  },
  unexpected: { status: 500, code: '600.100.100' },
} as const satisfies Record<string, Fault>

/** An error with its fault, which Fastify passes to the error handler. */
export class FaultError extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.code)
    this.fault = fault
  }
}

/** Faults by error codes of Fastify and of Node's HTTP parser. */
const faultsByErrorCode: Readonly<Record<string, Fault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: faults.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: faults.unsupportedMediaType,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: faults.unsupportedMediaType,
  FST_ERR_CTP_EMPTY_TYPE: faults.unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: faults.incompleteBody,
  FST_ERR_BAD_URL: faults.unknownPath,
  FST_ERR_MAX_PARAM_LENGTH: faults.unknownPath,
  FST_ERR_ASYNC_CONSTRAINT: faults.unknownPath,
  HPE_HEADER_OVERFLOW: faults.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: faults.requestTimeout,
}

/** Faults by kind of storage error. Errors of every other kind are answered as an unavailable storage. */
const faultsByStorageError: Readonly<Partial<Record<StorageErrorKind, Fault>>> = {
  full: faults.storageFull,
  unknown: faults.storageInDoubt,
}

/** Maps a thrown or reported error to its fault. */
export function faultOf(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault
  if (error instanceof StorageError) return faultsByStorageError[error.kind] ?? faults.storageDown
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return faultsByErrorCode[code] ?? (code.startsWith('HPE_') ? faults.malformedHttp : faults.unexpected)
}
