import {
  describeResult,
  resultsWithoutResponse,
  type MerchantAdviceCode,
  type ResponseClass,
  type ResponseCode,
  type ResultCode,
  responseCodes,
  resultOfResponse,
  unknownResponse,
} from '@tollgate/contract'
import { successCode } from '@tollgate/domain'

/** Outcome of a response code. */
export interface ResponseOutcome {
  readonly code: ResultCode
  /** One sentence for `resultDetails.ExtendedDescription`. */
  readonly explanation: string
  /** The usual merchant advice of the response. */
  readonly advice?: MerchantAdviceCode | undefined
  /** Whether the response is a partial approval. */
  readonly isPartial?: boolean | undefined
}

/** Response code of result codes that have none; no network assigns it. */
export const noResponse = 'ZZ'

/** Result code of approvals by a simulator (contract: testMode INTERNAL). */
export const approvedInternally: ResultCode = successCode('INTERNAL')

/** The only result code of partial approvals ("succeeded but partially approved"), also in test environments. */
export const approvedInPart: ResultCode = '000.000.001'

/** The typical responses of result codes that several responses have. Without a preference the last row is typical. */
const preferred = '04 19 25 30 46 55 75 89 92 98 00 05 14 51 54 57 59 61 62 91 96 N7 1A'.split(' ')

const typical: ReadonlyMap<ResultCode, string> = new Map<ResultCode, string>([
  ...[...Object.keys(responseCodes), ...preferred].map((response): [ResultCode, string] => [
    readResponse(response).resultCode,
    response,
  ]),
  [approvedInternally, '00'],
  [successCode('EXTERNAL'), '00'],
  [approvedInPart, '10'],
  [resultsWithoutResponse.reversed.resultCode, '68'],
])

/** The response code that usually leads to a result code; `noResponse` if none does. */
export function typicalResponse(code: ResultCode): string {
  return typical.get(code) ?? noResponse
}

/** Outcomes by class, from the row, its result code for the brand, and whether partial approvals are accepted. */
const outcomes: Readonly<
  Record<ResponseClass, (row: ResponseCode, code: ResultCode, partialApproval: boolean) => ResponseOutcome>
> = {
  approved: ({ text }) => ({ code: approvedInternally, explanation: text }),
  partial: ({ text }, _code, partialApproval) =>
    partialApproval
      ? { code: approvedInPart, explanation: text, isPartial: true }
      : { code: '800.100.155', explanation: `${text}; reversed, because partial approval is off` },
  declined,
  softDecline: declined,
  pickUp: declined,
  error: (row, code) => (row.retry === 'reconcile' ? reversed : declined(row, code)),
  notice: () => declined(unknownResponse, unknownResponse.resultCode),
}

/**
 * The outcome of a response code for a `paymentBrand`. As with real acquirers, unknown codes and codes of reversals and
 * reconciliations are declines; a late answer is reversed, and so is a partial approval, unless the channel accepts it.
 */
export function outcomeOfResponse(response: string, brand: string, partialApproval = false): ResponseOutcome {
  const row = readResponse(response)
  return outcomes[row.class](row, resultOfResponse(response, brand), partialApproval)
}

const reversed: ResponseOutcome = {
  code: resultsWithoutResponse.reversed.resultCode,
  explanation: resultsWithoutResponse.reversed.text,
}

function declined(row: ResponseCode, code: ResultCode): ResponseOutcome {
  // A network with another meaning of the code also has another text.
  const explanation = code === row.resultCode ? row.text : describeResult(code)
  return { code, explanation, advice: row.advice }
}

function readResponse(response: string): ResponseCode {
  return (Object.hasOwn(responseCodes, response) ? responseCodes[response] : undefined) ?? unknownResponse
}
