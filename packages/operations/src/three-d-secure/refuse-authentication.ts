import {
  billingUnavailable,
  type CurrencyCode,
  missingForAuthentication,
  tooLongForAuthentication,
} from '@tollgate/contract'
import { missingParameter, type Refused, refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { Call } from '../request.ts'
import { authenticatedAmount, type Device } from './authentication-request.ts'
import { authenticationNetworkOf } from './authentication-network.ts'

interface Wanted {
  readonly call: Pick<Call, 'parameters' | 'ndc'>
  readonly channel: Channel
  readonly brand: string
  /** undefined: a browser whose data a page of ours has still to collect. */
  readonly device: Device | undefined
  readonly amountMinor: number
  readonly currency: CurrencyCode
}

/**
 * Why an issuer cannot be asked: the amount to be authenticated does not fit its currency, a parameter does not fit the
 * message, or one is missing that is "mandatory for 3D Secure v2". Legacy channels do not check the latter.
 */
export function refusalToAuthenticate(wanted: Wanted): Refused | undefined {
  const { call, channel, brand, device, amountMinor, currency } = wanted
  const amount = authenticatedAmount(call.parameters.values, { amountMinor, currency })
  if (amount.kind === 'refused') return amount
  const network = authenticationNetworkOf(brand)
  const tooLong = (network ? tooLongForAuthentication(call.parameters, network) : []).map(({ name, charsMax }) => ({
    name,
    value: call.parameters.values.get(name) ?? '',
    message: `must have at most ${charsMax} characters in 3-D Secure`,
  }))
  if (tooLong.length > 0) {
    return refused('200.300.404', tooLong.map(({ name, message }) => `${name} ${message}`).join(', '), tooLong)
  }
  if (channel.settings.compatibility === 'legacy') return undefined
  const names = missingForAuthentication(call.parameters, {
    network,
    attended: device?.channel !== '03',
    inCheckout: call.ndc !== undefined,
  })
  if (names.length === 0) return undefined
  const hint = names.some((name) => name.startsWith('billing.'))
    ? `; ${billingUnavailable} names what the address does not have`
    : ''
  const reason = `${names.join(', ')} may not be empty: mandatory for 3D Secure v2${hint}`
  return refused('200.300.404', reason, names.map(missingParameter))
}
