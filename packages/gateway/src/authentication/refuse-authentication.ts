import {
  billingUnavailable,
  type CurrencyCode,
  missingForAuthentication,
  tooLongForAuthentication,
} from '@tollgate/contract'
import { type Refused, refused } from '@tollgate/domain'
import type { Channel } from '../directory.ts'
import type { Call } from '../http/public/route.ts'
import { authenticatedAmount, type Device } from './authentication-request.ts'
import { networkOf } from './network.ts'

interface Wanted {
  readonly call: Pick<Call, 'form' | 'ndc'>
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
  const amount = authenticatedAmount(call.form.values, { amountMinor, currency })
  if (amount.kind === 'refused') return amount
  const network = networkOf(brand)
  const [long] = network ? tooLongForAuthentication(call.form, network) : []
  if (long) return refused('200.300.404', `${long.name} must have at most ${long.charsMax} characters in 3-D Secure`)
  if (channel.settings.compatibility === 'legacy') return undefined
  const names = missingForAuthentication(call.form, {
    network,
    attended: device?.channel !== '03',
    inCheckout: call.ndc !== undefined,
  })
  if (names.length === 0) return undefined
  const hint = names.some((name) => name.startsWith('billing.'))
    ? `; ${billingUnavailable} names what the address does not have`
    : ''
  return refused('200.300.404', `${names.join(', ')} may not be empty: mandatory for 3D Secure v2${hint}`)
}
