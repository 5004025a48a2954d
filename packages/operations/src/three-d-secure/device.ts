import { marksMerchantInitiated, type RequestParameters } from '@tollgate/contract'
import type { Device } from './authentication-request.ts'
import { readAppDevice } from '@tollgate/three-d-secure'

/** A charge that the merchant makes while the shopper is not there. */
export const isMerchantInitiated = (parameters: RequestParameters): boolean =>
  parameters.values.get('standingInstruction.source') === 'MIT' || marksMerchantInitiated(parameters)

/** Whether the SDK of an app tells of its device. */
export const hasDevice = (parameters: RequestParameters): boolean => parameters.values.has('threeDSecure.deviceInfo')

/** The device channel of a request that needs no page: merchant-initiated (3RI) or an app. undefined: a browser. */
export function deviceOf(parameters: RequestParameters): Exclude<Device, { channel: '02' }> | undefined {
  if (isMerchantInitiated(parameters)) return { channel: '03' }
  const told = parameters.values.get('threeDSecure.deviceInfo')
  const app = told === undefined ? undefined : readAppDevice(told)
  return app && { channel: '01', app }
}
