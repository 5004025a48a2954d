import { isEnrolled } from '@tollgate/connectors'
import { demandsThreeDSecure, type DuplicateSubject, type PaymentSubject, type PaymentType } from '@tollgate/domain'
import { routingOf } from '../acquirer/connector-of.ts'
import { hasIssuer, type UsableInstrument } from '../accounts/instrument.ts'
import { isProcessedByProvider, isRedirected } from '../accounts/redirected.ts'
import type { Acquirers, Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { OfflineSale } from '../parameters/offline-sale.ts'
import { hasInvalidDeviceInfo, isMerchantInitiated } from '../three-d-secure/device.ts'
import { isRequestorRegistered } from '../three-d-secure/requestor.ts'

/** The part of the context on which acceptance depends. */
export interface AcceptanceContext extends Pick<Context, 'issuers' | 'environment'> {
  readonly acquirers: Omit<Acquirers, 'startTimer'>
}

/** A request for a payment or a registration, which the acceptance rules of its channel accept or refuse. */
interface AcceptanceRequest {
  readonly request: AccountRequest
  readonly channel: Channel
  /** undefined: the request is for a registration. */
  readonly type: PaymentType | undefined
}

/**
 * The subject of the acceptance rules of a channel.
 *
 * @param hasConnector whether a connector can process the payment; by default by the routes of the channel
 */
export function acceptanceSubject(
  context: AcceptanceContext,
  { request, channel, type }: AcceptanceRequest,
  instrument: UsableInstrument,
  hasConnector = routingOf(context, { request, channel, id: request.requestId }, instrument) !== undefined,
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
      context.issuers !== undefined ||
      // Without a directory server, a card counts as enrolled only in the test environment: if it is an enrolled test
      // card, or if the request has the test parameter for enrolment.
      (context.environment === 'test' &&
        (authentication.isEnrolmentForced || (number !== undefined && isEnrolled(number)))),
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
    hasConnector,
    hasIssuer: instrumentHasIssuer,
    hasNumber: number !== undefined,
    hasDirectoryServers: context.issuers !== undefined,
    processingCode: purpose.processingCode,
    demandsThreeDSecure: isDemanded,
    marksMerchantInitiated: authentication.marksMerchantInitiated,
    hasProof,
    isCardPresent,
    isApprovedOffline: offlineSaleOf(request) !== undefined,
    hasTerminalNumber: request.offlineSale?.sequenceNumber !== undefined,
    canAuthenticate,
    isRequestorRegistered: isDemanded && isRequestorRegistered(context.environment, channel, brand),
    hasInvalidDeviceInfo: isDemanded && hasInvalidDeviceInfo(request),
  }
}

/** The offline sale of a request; undefined if no terminal read the account, such as that of a registration. */
export const offlineSaleOf = ({ account, offlineSale }: AccountRequest): OfflineSale | undefined =>
  account.structure === 'pos' ? offlineSale : undefined

/** The terminal's reference of an offline sale; undefined for other payments. */
export function terminalReferenceOf(request: AccountRequest): DuplicateSubject['terminalReference'] {
  const { terminalId = '', sequenceNumber, approval } = offlineSaleOf(request) ?? {}
  return approval && sequenceNumber !== undefined ? { terminalId, sequenceNumber, date: approval.date } : undefined
}
