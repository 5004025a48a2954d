import type { ResultCode } from '@tollgate/contract'
import type { AcquirerRequest } from '../port.ts'
import { forcedValue } from './forced-parameters.ts'

/** Results of the verification of the billing address (contract: Response fields, result.avsResponse). */
export const avsResponses = {
  A: 'the address matches, the postcode does not',
  Z: 'the postcode matches, the address does not',
  N: 'neither matches',
  U: 'not checked: technical error, not applicable, or issuer not available',
  F: 'address and postcode match',
} as const

/** `result.avsResponse`. */
export type AvsResponse = keyof typeof avsResponses

/** Results of the verification of the cvv. */
export const cvvResponses = {
  M: 'match',
  N: 'no match',
  P: 'not processed',
  S: 'the card has a cvv, but none was sent',
  U: 'not checked: the issuer does not support it',
} as const

/** `result.cvvResponse`. */
export type CvvResponse = keyof typeof cvvResponses

export const isAvsResponse = (value: string): value is AvsResponse => Object.hasOwn(avsResponses, value)
export const isCvvResponse = (value: string): value is CvvResponse => Object.hasOwn(cvvResponses, value)

/** `billing.postcode` that forces an AVS response: `AVSA`, `AVSZ`, `AVSN`, `AVSU`, `AVSF`. */
export const postcodeTrigger = (response: AvsResponse): string => `AVS${response}`

const postcodes: ReadonlyMap<string, AvsResponse> = new Map(
  Object.keys(avsResponses)
    .filter(isAvsResponse)
    .map((response) => [postcodeTrigger(response), response]),
)

/** Result codes that imply a mismatch of the address or the cvv. */
const impliedResults: Partial<
  Readonly<Record<ResultCode, { readonly avs?: AvsResponse; readonly cvv?: CvvResponse }>>
> = {
  '000.400.010': { avs: 'N' },
  '000.400.020': { cvv: 'N' },
  '800.100.153': { cvv: 'N' },
  '800.100.192': { cvv: 'N' },
  '800.400.100': { avs: 'N' },
  '800.400.101': { avs: 'Z' },
  '800.400.102': { avs: 'Z' },
  '800.400.104': { avs: 'A' },
  '800.400.110': { avs: 'N' },
}

/**
 * The result of the address verification: the forced result, if any, even without a billing address. Without it, for a
 * billing address: the result that the postcode triggers, else the one that the result code implies, else a match.
 *
 * @returns undefined if the request has neither a forced result nor a billing address
 */
export function checkAddress(request: AcquirerRequest, code: ResultCode): AvsResponse | undefined {
  const { parameters } = request
  const forced = forcedValue(request, 'forceAvsResponse')
  if (forced !== undefined && isAvsResponse(forced)) return forced
  const postcode = parameters.get('billing.postcode')
  if (postcode === undefined && !parameters.has('billing.street1')) return undefined
  return postcodes.get(postcode ?? '') ?? impliedResults[code]?.avs ?? 'F'
}

/**
 * The result of the cvv verification: the forced result, if any, even without a cvv. Without it, for a cvv: the result
 * that the result code implies, else a match.
 *
 * @returns undefined if the request has neither a forced result nor a cvv
 */
export function checkCvv(request: AcquirerRequest, code: ResultCode): CvvResponse | undefined {
  const forced = forcedValue(request, 'forceCvvResponse')
  if (forced !== undefined && isCvvResponse(forced)) return forced
  return request.account?.cvv === undefined ? undefined : (impliedResults[code]?.cvv ?? 'M')
}
