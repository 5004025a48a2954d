import { isEnrolled } from '@tollgate/connectors'
import { isTrue, marksMerchantInitiated, type RequestParameters } from '@tollgate/contract'
import { demandsThreeDSecure, type PaymentSubject, type PaymentType } from '@tollgate/domain'
import { hasIssuer, type UsableInstrument } from '../accounts/instrument.ts'
import { isAtProvider, isRedirected } from '../accounts/redirected.ts'
import type { Acquirers, Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'
import { deviceOf, hasDevice, isMerchantInitiated } from '../three-d-secure/device.ts'
import { isRegistered } from '../three-d-secure/requestor.ts'

/** Whom shoppers can be sent to from here: banks and wallets, and the issuers of their cards. */
export interface Reach extends Pick<Context, 'issuers' | 'environment'> {
  readonly acquirers: Pick<Acquirers, 'redirect'>
}

/** A payment or registration that a channel is asked to take; a registration has no type. */
interface Offer {
  readonly reach: Reach
  readonly channel: Channel
  readonly parameters: RequestParameters
  readonly instrument: UsableInstrument
  readonly type: PaymentType | undefined
}

/** The subject of the channel's rules. */
export function acceptanceSubject({ reach, channel, parameters, instrument, type }: Offer): PaymentSubject {
  const { values } = parameters
  const { settings: terms } = channel
  const { brand, number } = instrument
  const marked = marksMerchantInitiated(parameters)
  const merchantInitiated = isMerchantInitiated(parameters)
  const returnAddress = values.get('shopperResultUrl')
  const issued = hasIssuer(instrument)
  const hasProof = values.has('threeDSecure.eci') && values.has('threeDSecure.verificationId')
  const cardPresent = values.has('pos.entryMode')
  const sendsDevice = hasDevice(parameters)
  const reachesShopper = returnAddress !== undefined || merchantInitiated || sendsDevice
  const isDemanded = demandsThreeDSecure({
    terms,
    type,
    hasIssuer: issued,
    cardPresent,
    merchantInitiated,
    authenticatesMerchantInitiated: authenticatesMerchantInitiated(channel, parameters),
    hasProof,
    reachesShopper,
    mayTakePart: terms.threeDSecure !== 'enrolled' || reach.issuers !== undefined || takesPart(parameters, instrument),
  })
  return {
    terms,
    type,
    brand,
    currency: values.get('currency'),
    returnAddress,
    createRegistration: type === undefined || isTrue(parameters, 'createRegistration'),
    redirected: isRedirected(instrument),
    atProvider: isAtProvider(instrument),
    providersConnected: reach.acquirers.redirect !== undefined,
    hasIssuer: issued,
    hasNumber: number !== undefined,
    issuersConnected: reach.issuers !== undefined,
    processingCode: values.get('transactionProcessingCode'),
    demandsThreeDSecure: isDemanded,
    marksMerchantInitiated: marked,
    hasProof,
    cardPresent,
    reachesShopper,
    isRegistered: isDemanded && isRegistered(reach.environment, channel, brand),
    hasWrongDevice: isDemanded && sendsDevice && deviceOf(parameters) === undefined,
  }
}

/** 3RI: where the channel is set to it, or the request asks for it. */
const authenticatesMerchantInitiated = ({ settings }: Channel, { values }: RequestParameters): boolean =>
  settings.authentication.merchantInitiated === true ||
  values.has('threeDSecure.channel') ||
  values.has('threeDSecure.threeRIInd')

/** Without a directory server, which would know, the test cards that take part do. */
function takesPart(parameters: RequestParameters, { number }: UsableInstrument): boolean {
  return (
    parameters.values.get('customParameters[3DS2_enrolled]') === 'true' || (number !== undefined && isEnrolled(number))
  )
}
