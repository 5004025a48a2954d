import type { ParameterName } from '@tollgate/contract'
import type { AcquirerRequest } from '../port.ts'

const table = {
  forceResultCode: 'customParameters[forceResultCode]',
  forceAcquirerResponse: 'customParameters[forceAcquirerResponse]',
  forceMerchantAdviceCode: 'customParameters[forceMerchantAdviceCode]',
  forceAvsResponse: 'customParameters[forceAvsResponse]',
  forceCvvResponse: 'customParameters[forceCvvResponse]',
} as const

/** Custom parameters that force an answer of the simulator. */
export type ForcedParameter = keyof typeof table

/** Name of each forced parameter in a request. */
export const forcedParameters: Readonly<Record<ForcedParameter, ParameterName>> = table

/** Value of a forced parameter in the request. */
export function forcedValue(request: AcquirerRequest, parameter: ForcedParameter): string | undefined {
  return request.parameters.get(forcedParameters[parameter])
}
