import { billingUnavailable, missingForAuthentication, tooLongForAuthentication } from '@tollgate/contract'
import { missingParameter, type Refused, refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { Head } from '../request-head.ts'
import type { Device } from './authentication-request.ts'
import { authenticationNetworkOf } from './authentication-network.ts'

interface AuthenticationSubject {
  readonly request: Pick<Head, 'parameters' | 'ndc'>
  readonly channel: Channel
  readonly brand: string
  /** undefined: a browser. */
  readonly device: Device | undefined
}

/**
 * The refusal of a request from which no authentication request (AReq) can be made: a parameter is too long for the
 * AReq, or a mandatory parameter is missing. On legacy channels missing parameters are not refused.
 */
export function authenticationRefusal(subject: AuthenticationSubject): Refused | undefined {
  const { request, channel, brand, device } = subject
  const { parameters } = request
  const network = authenticationNetworkOf(brand)
  const tooLong = (network ? tooLongForAuthentication(parameters, network) : []).map(({ name, value, charsMax }) => ({
    name,
    value,
    message: `must have at most ${charsMax} characters in 3-D Secure`,
  }))
  if (tooLong.length > 0) {
    return refused('200.300.404', tooLong.map(({ name, message }) => `${name} ${message}`).join(', '), tooLong)
  }
  if (channel.settings.compatibility === 'legacy') return undefined
  const names = missingForAuthentication(parameters, {
    network,
    isCardholderPresent: device?.channel !== '03',
    isInCheckout: request.ndc !== undefined,
  })
  if (names.length === 0) return undefined
  const hint = names.some((name) => name.startsWith('billing.'))
    ? `; list the parts that the address does not have, such as postcode,city, in ${billingUnavailable}`
    : ''
  const reason = `${names.join(', ')} may not be empty: mandatory for 3D Secure v2${hint}`
  return refused('200.300.404', reason, names.map(missingParameter))
}
