import type { BrandCode, ParameterError } from '@tollgate/contract'
import { firstFailure, type Guard, missingParameter, type Refused } from '../guard.ts'
import { methodGroupOf, methodRefusal } from '../payment/method-operations.ts'
import type { PaymentType } from '../payment/transaction.ts'
import type { AcceptanceSettings } from './acceptance-settings.ts'
import { returnAddressRefusal } from './return-address.ts'

/** Operations that a channel accepts or refuses; the update of a registration is also a `register`. */
type Operation = 'payment' | 'register' | 'standaloneAuthentication' | 'riskCheck'

/** The facts of any operation of a channel. */
interface ChannelSubject {
  readonly settings: AcceptanceSettings
}

/** The facts of an operation in which an issuer may authenticate a cardholder. */
interface IssuerSubject extends ChannelSubject {
  /** shopperResultUrl. */
  readonly returnAddress: string | undefined
  readonly currency: string | undefined
  /** Whether an issuer can authenticate the holder of the account. */
  readonly hasIssuer: boolean
  /** false for a redirect, and for a card whose number a terminal has encrypted. */
  readonly hasNumber: boolean
  /** Whether directory servers are connected. */
  readonly hasDirectoryServers: boolean
  /**
   * Whether the settings identify the merchant to the network of the card. It is checked only if 3-D Secure is
   * demanded.
   */
  readonly isRequestorRegistered: boolean
  /** Whether threeDSecure.deviceInfo was sent and is malformed. It is checked only if 3-D Secure is demanded. */
  readonly hasInvalidDeviceInfo: boolean
}

export interface StandaloneAuthenticationSubject extends IssuerSubject {
  readonly amountMinor: number
  /** threeDSecure.npa: an authentication without a payment. */
  readonly isNonPayment: boolean
}

/** The facts of a payment, a registration, or the update of a registration. */
export interface PaymentSubject extends IssuerSubject {
  /** undefined: a registration. */
  readonly type: PaymentType | undefined
  readonly brand: BrandCode
  /** Whether the account is stored, by itself or with the payment. */
  readonly createRegistration: boolean
  /** Whether the shopper confirms the payment on a page of the provider. */
  readonly redirected: boolean
  /** Whether the provider of a redirect brand processes the payment: on its page, or under an agreement made there. */
  readonly isProcessedByProvider: boolean
  /** Whether a route of the channel leads to a connector that can process the payment. */
  readonly hasConnector: boolean
  readonly processingCode: string | undefined
  readonly demandsThreeDSecure: boolean
  /** Whether the request is marked as merchant-initiated (3RI). */
  readonly marksMerchantInitiated: boolean
  /** Whether the request contains the proof of an external 3-D Secure server. */
  readonly hasProof: boolean
  /** Whether a terminal has read the card, according to the request. */
  readonly isCardPresent: boolean
  /** Whether card and terminal have approved the payment without the issuer. */
  readonly isApprovedOffline: boolean
  /** Whether the payment has the terminal's number, by which a second upload is recognised. */
  readonly hasTerminalNumber: boolean
  /** Whether an authentication is possible: it needs no page in a browser, or the shopper can return from the page. */
  readonly canAuthenticate: boolean
}

/** The facts that the guards check. */
interface Subject extends PaymentSubject, Partial<Omit<StandaloneAuthenticationSubject, keyof IssuerSubject>> {}

interface ChannelGuard extends Guard<Subject> {
  /** Operations to which the guard applies. */
  readonly operations: readonly Operation[]
}

/** The error omits the sent value, which is long and contains device data encrypted for the directory server. */
const invalidDeviceInfo: ParameterError = {
  name: 'threeDSecure.deviceInfo',
  value: '',
  message: 'must be the JSON object of the 3-D Secure SDK in the app, with sdkTransID, sdkAppID and sdkEphemPubKey',
}

/** Guards in the order of decision. */
const guards: readonly ChannelGuard[] = [
  {
    operations: ['payment', 'register', 'standaloneAuthentication', 'riskCheck'],
    code: '600.200.201',
    reason: 'the channel is disabled',
    holds: ({ settings }) => settings.enabled,
  },
  {
    operations: ['standaloneAuthentication'],
    code: '100.100.501',
    reason: 'only the holder of a card can be authenticated by its issuer',
    holds: ({ hasIssuer, hasNumber }) => hasIssuer && hasNumber,
  },
  {
    operations: ['payment', 'register'],
    code: '600.200.500',
    reason: 'the channel does not accept this paymentBrand',
    holds: ({ settings, brand }) => settings.brands?.has(brand) ?? true,
  },
  {
    operations: ['payment', 'register'],
    code: '600.200.200',
    reason: 'no connector of this channel supports the payment',
    // Accounts are stored without a connector, unless they exist at a provider alone.
    holds: ({ hasConnector, type, isProcessedByProvider }) =>
      hasConnector || (type === undefined && !isProcessedByProvider),
  },
  {
    operations: ['payment', 'register'],
    code: '200.300.404',
    reason: 'shopperResultUrl may not be empty: the shopper returns to it from the page of the provider',
    parameterErrors: [missingParameter('shopperResultUrl')],
    holds: ({ redirected, returnAddress }) => !redirected || returnAddress !== undefined,
  },
  {
    operations: ['payment'],
    code: '600.200.310',
    reason: 'transactionProcessingCode FUNDING requires paymentType PA or DB, and PAYMENT requires CD',
    // "FUNDING for account-funding transactions, PAYMENT for original-credit style payments" (contract, Basic payment).
    holds: ({ processingCode, type }) =>
      processingCode === 'FUNDING' ? type !== 'CD' : processingCode !== 'PAYMENT' || type === 'CD',
  },
  {
    operations: ['payment'],
    code: '600.200.310',
    reason: 'the card has approved a sale offline (tag 9F27 of pos.iccDataRequest): send it with paymentType DB',
    holds: ({ isApprovedOffline, type }) => !isApprovedOffline || type === 'DB',
  },
  {
    operations: ['payment'],
    code: '600.200.201',
    reason: 'the channel accepts no sale that the card has approved offline (setting offlineSales)',
    // "An acquirer may approve below floor limit offline only if configured" (domain, Timeout, reversal, SAF rules).
    holds: ({ isApprovedOffline, settings }) => !isApprovedOffline || settings.offlineSales,
  },
  {
    operations: ['payment'],
    code: '200.300.404',
    reason: 'pos.transactionSequenceNumber may not be empty: a second upload of an offline sale is recognised by it',
    parameterErrors: [missingParameter('pos.transactionSequenceNumber')],
    holds: ({ isApprovedOffline, hasTerminalNumber }) => !isApprovedOffline || hasTerminalNumber,
  },
  {
    operations: ['payment', 'standaloneAuthentication'],
    code: '600.200.500',
    reason: 'the channel does not accept this currency',
    holds: ({ settings, currency }) => settings.currencies?.has(currency ?? '') ?? true,
  },
  {
    operations: ['standaloneAuthentication'],
    code: '100.550.300',
    reason: 'the amount must be more than zero, unless threeDSecure.npa marks an authentication without a payment',
    holds: ({ amountMinor = 0, isNonPayment = false }) => amountMinor > 0 || isNonPayment,
  },
  {
    operations: ['payment'],
    code: '600.200.201',
    reason:
      'threeDSecure.channel=3 and threeDSecure.threeRIInd request an authentication without the shopper (3RI), but ' +
      '3-D Secure is off for the channel, or not connected',
    holds: (subject) => subject.demandsThreeDSecure || !requestsThreeRi(subject),
  },
  {
    operations: ['payment'],
    code: '600.200.201',
    reason: 'the channel demands 3-D Secure: pos.entryMode replaces it only on a channel with the setting pointOfSale',
    holds: ({ demandsThreeDSecure, isCardPresent }) => !demandsThreeDSecure || !isCardPresent,
  },
  {
    operations: ['payment'],
    code: '600.200.201',
    reason:
      'the channel demands 3-D Secure, but is not connected to it: send threeDSecure.eci and ' +
      'threeDSecure.verificationId of an external 3-D Secure server',
    holds: ({ demandsThreeDSecure, hasDirectoryServers }) => !demandsThreeDSecure || hasDirectoryServers,
  },
  {
    operations: ['standaloneAuthentication'],
    code: '000.400.104',
    reason: 'the channel is not connected to 3-D Secure',
    holds: ({ hasDirectoryServers }) => hasDirectoryServers,
  },
  {
    operations: ['payment'],
    code: '100.390.106',
    reason:
      'the setting authentication of the channel lacks the registration of the merchant with acquirer and networks: ' +
      'acquirerBin, acquirerMerchantId, mcc, country, merchantName, requestorId, requestorName, requestorUrl',
    holds: ({ demandsThreeDSecure, isRequestorRegistered }) => !demandsThreeDSecure || isRequestorRegistered,
  },
  {
    operations: ['standaloneAuthentication'],
    code: '100.390.106',
    reason: 'the setting authentication of the channel lacks the registration of the merchant with the networks',
    holds: ({ isRequestorRegistered }) => isRequestorRegistered,
  },
  {
    operations: ['payment', 'standaloneAuthentication'],
    code: '200.300.404',
    reason: `threeDSecure.deviceInfo ${invalidDeviceInfo.message}`,
    parameterErrors: [invalidDeviceInfo],
    holds: ({ demandsThreeDSecure, hasInvalidDeviceInfo }) => !demandsThreeDSecure || !hasInvalidDeviceInfo,
  },
  {
    operations: ['payment'],
    code: '200.300.404',
    reason: 'shopperResultUrl may not be empty: the channel demands 3-D Secure, from which the shopper returns to it',
    parameterErrors: [missingParameter('shopperResultUrl')],
    holds: ({ demandsThreeDSecure, canAuthenticate }) => !demandsThreeDSecure || canAuthenticate,
  },
]

/** Whether a card payment requests a 3RI authentication, and has no proof of an external 3DS server. */
const requestsThreeRi = ({ marksMerchantInitiated, type, hasIssuer, hasProof }: Subject): boolean =>
  marksMerchantInitiated && (type === 'PA' || type === 'DB') && hasIssuer && !hasProof

const guardsOf = (operation: Operation): readonly ChannelGuard[] =>
  guards.filter(({ operations }) => operations.includes(operation))

const guardsByOperation: Readonly<Record<Operation, readonly Guard<Subject>[]>> = {
  payment: guardsOf('payment'),
  register: guardsOf('register'),
  standaloneAuthentication: guardsOf('standaloneAuthentication'),
  riskCheck: guardsOf('riskCheck'),
}

/** Why the channel refuses the payment or registration; undefined if it accepts it. */
export const paymentRefusal = (subject: PaymentSubject): Refused | undefined =>
  refusalOf(subject.type === undefined ? 'register' : 'payment', subject)

/** Why the channel refuses the standalone authentication; undefined if it accepts it. */
export const standaloneAuthenticationRefusal = (subject: StandaloneAuthenticationSubject): Refused | undefined =>
  refusalOf('standaloneAuthentication', { ...withoutPayment, ...subject })

/** Why the channel refuses the risk check; undefined if it accepts it. */
export const riskCheckRefusal = (settings: AcceptanceSettings): Refused | undefined =>
  refusalOf('riskCheck', { ...withoutPayment, settings })

const refusalOf = (operation: Operation, subject: Subject): Refused | undefined =>
  returnAddressRefusal(subject.settings.shopperResultOrigins, subject.returnAddress) ??
  storageRefusal(subject) ??
  firstFailure(guardsByOperation[operation], subject)

/** Why the account cannot be stored, by itself or with a payment; undefined if it can, or is not to be stored. */
function storageRefusal({ type, createRegistration, brand, redirected, hasNumber }: Subject): Refused | undefined {
  if (!createRegistration) return undefined
  const group = methodGroupOf({ brand, redirected, encrypted: !hasNumber })
  return methodRefusal(group, type === undefined ? 'register' : 'registerWithPayment')
}

/**
 * The facts of `PaymentSubject` for operations without a payment. `demandsThreeDSecure` is true, because a standalone
 * authentication always demands 3-D Secure.
 */
const withoutPayment: Omit<PaymentSubject, 'settings'> = {
  returnAddress: undefined,
  currency: undefined,
  hasIssuer: false,
  hasNumber: false,
  hasDirectoryServers: false,
  isRequestorRegistered: false,
  hasInvalidDeviceInfo: false,
  type: undefined,
  brand: 'VISA',
  createRegistration: false,
  redirected: false,
  isProcessedByProvider: false,
  hasConnector: true,
  processingCode: undefined,
  demandsThreeDSecure: true,
  marksMerchantInitiated: false,
  hasProof: false,
  isCardPresent: false,
  isApprovedOffline: false,
  hasTerminalNumber: false,
  canAuthenticate: false,
}
