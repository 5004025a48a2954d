import { isEnrolled } from '@tollgate/connectors'
import { type Form, isTrue, marksMerchantInitiated } from '@tollgate/contract'
import {
  firstFailure,
  type Guard,
  methodGroupOf,
  methodRefusal,
  missingParameter,
  type PaymentType,
  type Refused,
} from '@tollgate/domain'
import { isAtProvider, isRedirected } from '../accounts/redirected.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import { hasIssuer, type UsableInstrument } from '../accounts/instrument.ts'
import { wrongReturn } from '../records/result-address.ts'
import { deviceOf, hasDevice, isMerchantInitiated, needsNoPage, wrongDevice } from '../three-d-secure/device.ts'
import { isRegistered } from '../three-d-secure/requestor.ts'

/** Whom shoppers can be sent to from here: banks and wallets, and the issuers of their cards. */
export type Reach = Pick<Context, 'redirects' | 'issuers' | 'config'>

/** A payment or registration that a channel is asked to take; a registration has no type. */
export interface Offer {
  readonly reach: Reach
  readonly channel: Channel
  readonly form: Form
  readonly instrument: UsableInstrument
  readonly type: PaymentType | undefined
}

/** An offer, and what three of the guards ask of it. */
interface Weighed extends Offer {
  readonly demandsThreeDSecure: boolean
}

/** Which channels take what, in order; what needs a part that this version lacks is refused, never just approved. */
const guards: readonly Guard<Weighed>[] = [
  {
    code: '600.200.201',
    reason: 'the channel is disabled',
    holds: ({ channel }) => channel.settings.enabled,
  },
  {
    code: '600.200.500',
    reason: 'the channel does not take this paymentBrand',
    holds: ({ channel, instrument }) => channel.settings.brands?.has(instrument.brand) ?? true,
  },
  {
    code: '600.200.200',
    reason: 'no connector of this channel takes the paymentBrand',
    holds: ({ reach, instrument }) => reach.redirects !== undefined || !isAtProvider(instrument),
  },
  {
    code: '200.300.404',
    reason: 'shopperResultUrl may not be empty: the shopper is sent elsewhere to pay, and comes back there',
    parameterErrors: [missingParameter('shopperResultUrl')],
    holds: ({ form, instrument }) => !isRedirected(instrument) || form.values.has('shopperResultUrl'),
  },
  {
    code: '600.200.310',
    reason: 'transactionProcessingCode FUNDING takes money (paymentType PA or DB), PAYMENT pays it out (CD)',
    holds: ({ form, type }) => fitsProcessing(form.values.get('transactionProcessingCode'), type),
  },
  {
    code: '600.200.500',
    reason: 'the channel does not take this currency',
    holds: ({ channel, form, type }) =>
      type === undefined || (channel.settings.currencies?.has(form.values.get('currency') ?? '') ?? true),
  },
  {
    code: '600.200.201',
    reason:
      'threeDSecure.channel=3 and threeDSecure.threeRIInd ask for an authentication without the shopper (3RI): the ' +
      'channel is not set to threeDSecure, or not connected to it',
    holds: (offer) => offer.demandsThreeDSecure || !asksForMerchantInitiated(offer),
  },
  {
    code: '600.200.201',
    reason: 'the channel demands 3-D Secure: only one that is set to pointOfSale takes pos.entryMode without',
    holds: (offer) => !offer.demandsThreeDSecure || !offer.form.values.has('pos.entryMode'),
  },
  {
    code: '600.200.201',
    reason:
      'the channel demands 3-D Secure, which it is not connected to: send threeDSecure.eci and ' +
      'threeDSecure.verificationId of an external 3-D Secure server',
    holds: (offer) => !offer.demandsThreeDSecure || offer.reach.issuers !== undefined,
  },
  {
    code: '100.390.106',
    reason:
      'the setting authentication of the channel must tell what acquirer and networks have registered the merchant ' +
      'under: acquirerBin, acquirerMerchantId, mcc, country, merchantName, requestorId, requestorName, requestorUrl',
    holds: (offer) =>
      !offer.demandsThreeDSecure || isRegistered(offer.reach.config.environment, offer.channel, offer.instrument.brand),
  },
  {
    code: '200.300.404',
    reason: `threeDSecure.deviceInfo ${wrongDevice.message}`,
    parameterErrors: [wrongDevice],
    holds: (offer) => !offer.demandsThreeDSecure || !hasDevice(offer.form) || deviceOf(offer.form) !== undefined,
  },
  {
    code: '200.300.404',
    reason: 'shopperResultUrl may not be empty: the channel demands 3-D Secure, and the shopper comes back there',
    parameterErrors: [missingParameter('shopperResultUrl')],
    holds: (offer) =>
      !offer.demandsThreeDSecure || needsNoPage(offer.form) || offer.form.values.has('shopperResultUrl'),
  },
]

/** Why the channel does not take it; undefined if it does. */
export function refusalOf(offer: Offer): Refused | undefined {
  const { reach, channel, form, instrument, type } = offer
  // Written out: a spread in front of other members costs more than all of the guards.
  const weighed = { reach, channel, form, instrument, type, demandsThreeDSecure: demandsThreeDSecure(offer) }
  return wrongReturn(channel, form) ?? cannotStore(offer) ?? firstFailure(guards, weighed)
}

/** Refusal to store a payment method that cannot be stored, by itself or with a payment. */
function cannotStore({ form, instrument, type }: Offer): Refused | undefined {
  if (type !== undefined && !isTrue(form, 'createRegistration')) return undefined
  const { brand, number } = instrument
  const group = methodGroupOf({ brand, redirected: isRedirected(instrument), encrypted: number === undefined })
  return methodRefusal(group, type === undefined ? 'register' : 'agree')
}

/** "FUNDING for account-funding transactions, PAYMENT for original-credit style payments." */
function fitsProcessing(code: string | undefined, type: PaymentType | undefined): boolean {
  if (type === undefined) return true
  return code === 'FUNDING' ? type !== 'CD' : code !== 'PAYMENT' || type === 'CD'
}

/** Whether a payment with a card asks for 3RI, and brings no proof of an external server. */
const asksForMerchantInitiated = ({ form, instrument, type }: Offer): boolean =>
  marksMerchantInitiated(form) && (type === 'PA' || type === 'DB') && hasIssuer(instrument) && !hasProof(form)

const hasProof = ({ values }: Form): boolean =>
  values.has('threeDSecure.eci') && values.has('threeDSecure.verificationId')

/**
 * Whether the shopper would have to authenticate now: only who is there can, with a card that no terminal has read, and
 * only for a debit or a hold. That a terminal has read it, anybody could say: the channel's settings must say so, too.
 */
export function demandsThreeDSecure({ reach, channel, form, instrument, type }: Offer): boolean {
  const { values } = form
  if (type !== 'PA' && type !== 'DB') return false
  if (!hasIssuer(instrument)) return false
  if (channel.settings.pointOfSale && values.has('pos.entryMode')) return false
  if (isMerchantInitiated(form) && !isAuthenticatedAlone(channel, form)) return false
  if (hasProof(form)) return false
  switch (channel.settings.threeDSecure) {
    case 'off':
      return false
    case 'always':
      return true
    case 'enrolled':
      return (
        (values.has('shopperResultUrl') || needsNoPage(form)) &&
        (reach.issuers !== undefined || takesPart(form, instrument))
      )
  }
}

/** 3RI: where the channel is set to it, or the request asks for it. */
const isAuthenticatedAlone = ({ settings }: Channel, { values }: Form): boolean =>
  settings.authentication.merchantInitiated === true ||
  values.has('threeDSecure.channel') ||
  values.has('threeDSecure.threeRIInd')

function takesPart(form: Form, { number }: UsableInstrument): boolean {
  return form.values.get('customParameters[3DS2_enrolled]') === 'true' || (number !== undefined && isEnrolled(number))
}
