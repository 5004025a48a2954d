import { type Form, marksMerchantInitiated } from '@tollgate/contract'
import type { Device } from './authentication-request.ts'
import { readAppDevice } from '@tollgate/three-d-secure'

/** A charge that the merchant makes while the shopper is not there. */
export const isMerchantInitiated = (form: Form): boolean =>
  form.values.get('standingInstruction.source') === 'MIT' || marksMerchantInitiated(form)

/** Whether the SDK of an app tells of its device. */
export const hasDevice = (form: Form): boolean => form.values.has('threeDSecure.deviceInfo')

/** The device channel of a request that needs no page: merchant-initiated (3RI) or an app. undefined: a browser. */
export function deviceOf(form: Form): Exclude<Device, { channel: '02' }> | undefined {
  if (isMerchantInitiated(form)) return { channel: '03' }
  const told = form.values.get('threeDSecure.deviceInfo')
  const app = told === undefined ? undefined : readAppDevice(told)
  return app && { channel: '01', app }
}
