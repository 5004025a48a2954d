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

/** Their names in a request. */
export const forcedParameters: Readonly<Record<ForcedParameter, ParameterName>> = table

/** Its value in the request. */
export function forced(request: AcquirerRequest, parameter: ForcedParameter): string | undefined {
  return request.parameters.get(forcedParameters[parameter])
}
