import { StorageError, type StorageErrorKind } from '@tollgate/storage'
import type { ResultCode } from '@tollgate/contract'
import { limits } from '../limits.ts'

/** How a request that never became an operation is answered. `description` replaces the registry's. */
export interface Fault {
  readonly status: number
  readonly code: ResultCode
  readonly description?: string
  readonly reason?: string
}

/** Every fault of the edge, by name. Statuses as in the contract, Errors, and the HTTP standard where it is silent. */
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
  tooMany: { status: 429, code: '800.120.100', reason: 'too much is under way at once' },
  throttled: {
    status: 429,
    code: '800.120.100',
    reason: 'the requests of this kind that may be sent in a minute are used up',
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

/** A fault on its way through the HTTP framework. */
export class FaultError extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.code)
    this.fault = fault
  }
}

/** Faults of the HTTP framework and of Node's parser, by their own codes. */
const reported: Readonly<Record<string, Fault>> = {
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

/** The answer to a fault of the storage, except that it is unavailable. */
const ofStorage: Readonly<Partial<Record<StorageErrorKind, Fault>>> = {
  full: faults.storageFull,
  unknown: faults.storageInDoubt,
}

/** The fault behind anything that was thrown or reported. */
export function faultOf(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault
  if (error instanceof StorageError) return ofStorage[error.kind] ?? faults.storageDown
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reported[code] ?? (code.startsWith('HPE_') ? faults.malformedHttp : faults.unexpected)
}
