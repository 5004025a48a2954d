import type { ParameterName } from '@tollgate/contract'
import type { AcquirerRequest } from '../port.ts'

const table = {
  forceResultCode: 'customParameters[forceResultCode]',
  forceAcquirerResponse: 'customParameters[forceAcquirerResponse]',
  forceMerchantAdviceCode: 'customParameters[forceMerchantAdviceCode]',
  forceAvsResponse: 'customParameters[forceAvsResponse]',
  forceCvvResponse: 'customParameters[forceCvvResponse]',
} as const

/** Custom parameters that tell the simulator what to answer. */
export type ForcedParameter = keyof typeof table

/** Their names in a request. */
export const forcedParameters: Readonly<Record<ForcedParameter, ParameterName>> = table

/** The value that the request gives it, undefined when there is none. */
export function forced(request: AcquirerRequest, parameter: ForcedParameter): string | undefined {
  return request.parameters.get(forcedParameters[parameter])
}
