import { StorageError, type StorageErrorKind } from '@tollgate/storage'
import type { ResultCode } from '@tollgate/contract'
import { limits } from '../limits.ts'

/** The answer to a request that is refused before its operation. `description` replaces the result code's text. */
export interface Fault {
  readonly status: number
  readonly code: ResultCode
  readonly description?: string
  readonly reason?: string
}

/** All faults of the HTTP layer. Statuses are those of the contract, Errors, and otherwise of the HTTP standard. */
export const faults = {
  unauthorized: { status: 401, code: '800.900.300' },
  forbidden: { status: 403, code: '800.900.300' },
  plain: { status: 403, code: '800.900.300', reason: 'requests must come over TLS' },
  noSuchPath: { status: 404, code: '200.100.199' },
  wrongMethod: { status: 405, code: '200.300.403' },
  malformedHttp: { status: 400, code: '200.100.103', description: 'The request is not well-formed HTTP.' },
  cutOff: { status: 400, code: '200.100.103', description: 'The request body ended early.' },
  slow: { status: 408, code: '200.100.103', description: 'The request did not arrive in time.' },
  headersTooLarge: { status: 431, code: '200.100.103', description: 'The request headers are too large.' },
  tooLarge: {
    status: 413,
    code: '200.100.103',
    description: `The request body is larger than ${limits.bodyBytesMax} bytes.`,
  },
  mediaType: {
    status: 415,
    code: '200.100.103',
    description: 'The request body must be application/x-www-form-urlencoded; charset=UTF-8.',
  },
  tooMany: { status: 429, code: '800.120.100', reason: 'too many requests are in progress' },
  throttled: {
    status: 429,
    code: '800.120.100',
    reason: 'the limit of requests per minute for this operation is reached',
  },
  addressTooFast: {
    status: 429,
    code: '800.120.100',
    reason: 'too many requests without an access token come from this address',
  },
  wrongTooOften: {
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
    description: 'The data store did not answer in time. Whether the request was processed is not certain.',
  },
  unexpected: { status: 500, code: '600.100.100' },
} as const satisfies Record<string, Fault>

/** Carries a fault through the HTTP framework. */
export class FaultError extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.code)
    this.fault = fault
  }
}

/** Faults by error codes of Fastify and of Node's HTTP parser. */
const faultsByErrorCode: Readonly<Record<string, Fault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: faults.tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: faults.mediaType,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: faults.mediaType,
  FST_ERR_CTP_EMPTY_TYPE: faults.mediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: faults.cutOff,
  FST_ERR_BAD_URL: faults.noSuchPath,
  FST_ERR_MAX_PARAM_LENGTH: faults.noSuchPath,
  FST_ERR_ASYNC_CONSTRAINT: faults.noSuchPath,
  HPE_HEADER_OVERFLOW: faults.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: faults.slow,
}

/** Faults by kind of storage error. Every other kind is answered as unavailable. */
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
