import {
  isSepaBrand,
  isSepaRejectReason,
  type ResultCode,
  sepaRejectReasons,
  unknownResponse,
} from '@tollgate/contract'
import { successCode } from '@tollgate/domain'
import {
  approvedInternally,
  noResponse,
  outcomeOfResponse,
  type ResponseOutcome,
  typicalResponse,
} from './responses.ts'

/** The response codes of a kind of acquirer. */
export interface Dialect {
  /** The response of an approval. */
  readonly approval: string
  /** Whether a test may force this response. */
  readonly canBeForced: (response: string) => boolean
  /** The outcome of a response for a `paymentBrand`, and with or without partial approvals. */
  readonly outcomeOf: (response: string, brand: string, partialApproval: boolean) => ResponseOutcome
  /** The usual response of a result code; `noResponse` if there is none. */
  readonly typicalOf: (code: ResultCode) => string
}

const iso8583: Dialect = {
  approval: '00',
  canBeForced: (response) => /^[0-9A-Z]{2}$/.test(response),
  outcomeOf: outcomeOfResponse,
  typicalOf: typicalResponse,
}

/** The status of a payment that passed the checks of the bank (ISO 20022, pain.002). */
const accepted = 'ACCP'

/** The response of each result code: ACCP for approvals, otherwise the alphabetically first reason with that code. */
const typicalReasons: ReadonlyMap<ResultCode, string> = new Map<ResultCode, string>([
  ...Object.entries(sepaRejectReasons)
    .toReversed()
    .map(([reason, { resultCode }]): [ResultCode, string] => [resultCode, reason]),
  [approvedInternally, accepted],
  [successCode('EXTERNAL'), accepted],
  ['000.000.000', accepted],
])

const sepa: Dialect = {
  approval: accepted,
  canBeForced: (response) => response === accepted || isSepaRejectReason(response),
  outcomeOf: outcomeOfReason,
  typicalOf: (code) => typicalReasons.get(code) ?? noResponse,
}

function outcomeOfReason(response: string): ResponseOutcome {
  if (response === accepted) return { code: approvedInternally, explanation: 'Accepted for execution' }
  const { resultCode, text } = isSepaRejectReason(response) ? sepaRejectReasons[response] : unknownResponse
  return { code: resultCode, explanation: text }
}

/** The dialect of a brand: SEPA for the SEPA brands, ISO 8583 for all other brands. */
export const dialectOf = (brand: string): Dialect => (isSepaBrand(brand) ? sepa : iso8583)
