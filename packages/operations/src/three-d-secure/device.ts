import type { AccountRequest } from '../parameters/account-request.ts'
import type { Device } from './authentication-request.ts'

type AuthenticationRequest = Pick<AccountRequest, 'instruction' | 'authentication'>

/** Whether the merchant initiates the charge, without the shopper. */
export const isMerchantInitiated = ({ instruction, authentication }: AuthenticationRequest): boolean =>
  instruction.source === 'MIT' || authentication.marksMerchantInitiated

/** Whether the shopper initiates the request and its threeDSecure.deviceInfo is invalid. */
export const hasInvalidDeviceInfo = (request: AuthenticationRequest): boolean =>
  request.authentication.app === 'invalid' && !isMerchantInitiated(request)

/**
 * The device of a request without a browser: an app, or none (3RI) if the merchant initiates the charge.
 *
 * @returns undefined: the device is a browser
 */
export function deviceOf(request: AuthenticationRequest): Exclude<Device, { channel: '02' }> | undefined {
  if (isMerchantInitiated(request)) return { channel: '03' }
  const { app } = request.authentication
  return app === undefined || app === 'invalid' ? undefined : { channel: '01', app }
}
