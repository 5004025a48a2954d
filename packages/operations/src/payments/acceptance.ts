import { isEnrolled } from '@tollgate/connectors'
import { demandsThreeDSecure, type PaymentSubject, type PaymentType } from '@tollgate/domain'
import { hasIssuer, type UsableInstrument } from '../accounts/instrument.ts'
import { isProcessedByProvider, isRedirected } from '../accounts/redirected.ts'
import type { Acquirers, Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { hasInvalidDeviceInfo, isMerchantInitiated } from '../three-d-secure/device.ts'
import { isRequestorRegistered } from '../three-d-secure/requestor.ts'

/** The parts of the context that acceptance needs: the environment, redirect providers and directory servers. */
export interface Connections extends Pick<Context, 'issuers' | 'environment'> {
  readonly acquirers: Pick<Acquirers, 'redirect'>
}

/** A request for a payment or a registration, which the acceptance rules of its channel accept or refuse. */
interface AcceptanceRequest {
  readonly request: AccountRequest
  readonly channel: Channel
  /** undefined: the request is for a registration. */
  readonly type: PaymentType | undefined
}

/** The subject of the acceptance rules of a channel. */
export function acceptanceSubject(
  connections: Connections,
  { request, channel, type }: AcceptanceRequest,
  instrument: UsableInstrument,
): PaymentSubject {
  const { settings } = channel
  const { brand, number } = instrument
  const { authentication, capture, reference, purpose } = request
  const { hasProof, app } = authentication
  const { isCardPresent } = capture
  const { shopperResultUrl: returnAddress } = reference
  const merchantInitiated = isMerchantInitiated(request)
  const instrumentHasIssuer = hasIssuer(instrument)
  const canAuthenticate = returnAddress !== undefined || merchantInitiated || app !== undefined
  const isDemanded = demandsThreeDSecure({
    settings,
    type,
    hasIssuer: instrumentHasIssuer,
    isCardPresent,
    merchantInitiated,
    authenticatesMerchantInitiated:
      settings.authentication.merchantInitiated === true || authentication.requestsMerchantInitiated,
    hasProof,
    canAuthenticate,
    mayBeEnrolled:
      settings.threeDSecure !== 'enrolled' ||
      connections.issuers !== undefined ||
      // Without a directory server, only the enrolled test cards count as enrolled, or any card by a test parameter.
      authentication.isEnrolmentForced ||
      (number !== undefined && isEnrolled(number)),
  })
  return {
    settings,
    type,
    brand,
    currency: request.money.currency,
    returnAddress,
    createRegistration: type === undefined || request.createRegistration,
    redirected: isRedirected(instrument),
    isProcessedByProvider: isProcessedByProvider(instrument),
    hasProviders: connections.acquirers.redirect !== undefined,
    hasIssuer: instrumentHasIssuer,
    hasNumber: number !== undefined,
    hasDirectoryServers: connections.issuers !== undefined,
    processingCode: purpose.processingCode,
    demandsThreeDSecure: isDemanded,
    marksMerchantInitiated: authentication.marksMerchantInitiated,
    hasProof,
    isCardPresent,
    canAuthenticate,
    isRequestorRegistered: isDemanded && isRequestorRegistered(connections.environment, channel, brand),
    hasInvalidDeviceInfo: isDemanded && hasInvalidDeviceInfo(request),
  }
}
