import {
  isSepaBrand,
  isSepaRejectReason,
  type ResultCode,
  sepaRejectReasons,
  unknownResponse,
} from '@tollgate/contract'
import { successIn } from '@tollgate/domain'
import {
  approvedInternally,
  noResponse,
  outcomeOfResponse,
  type ResponseOutcome,
  typicalResponse,
} from './responses.ts'

/** In whose words an acquirer answers. */
export interface Dialect {
  /** The response that approves. */
  readonly approval: string
  /** Whether a test may force this response. */
  readonly canBeForced: (response: string) => boolean
  /** What a response leads to, for a `paymentBrand`, and where the approval of a part is welcome or not. */
  readonly outcomeOf: (response: string, brand: string, partialApproval: boolean) => ResponseOutcome
  /** The response that usually leads to a result code; `noResponse` if none does. */
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

/** Where several reasons mean one result code, the first by the alphabet. */
const typicalReasons: ReadonlyMap<ResultCode, string> = new Map<ResultCode, string>([
  ...Object.entries(sepaRejectReasons)
    .toReversed()
    .map(([reason, { resultCode }]): [ResultCode, string] => [resultCode, reason]),
  [approvedInternally, accepted],
  [successIn('EXTERNAL'), accepted],
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

/** The words of a brand's acquirers: those of SEPA for its payments, those of ISO 8583 for all others. */
export const dialectOf = (brand: string): Dialect => (isSepaBrand(brand) ? sepa : iso8583)
