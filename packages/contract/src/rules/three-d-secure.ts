import { isSent, isTrue } from '../form.ts'
import { inAuthentication, schemeData } from '../parameters/three-d-secure.ts'
import { FINE, missing, type Rule, type Subject } from './rule.ts'

const authenticationParameters = inAuthentication.map((row) => row.name)
const proofParameters = ['threeDSecure.eci', 'threeDSecure.verificationId', 'threeDSecure.dsTransactionId']
const merchantInitiated = ['threeDSecure.channel', 'threeDSecure.threeRIInd']

const hasProof = ({ form }: Subject): boolean => proofParameters.some((name) => form.values.has(name))

/**
 * Whether the request itself asks for an authentication of version 2: it carries a parameter that the contract lists as
 * used only in the authentication message. A payment without any, which the service may still decide to authenticate,
 * does not ask, nor does one that brings the proof of an external server, nor one that the merchant initiates (3RI).
 */
function asksForAuthentication(subject: Subject): boolean {
  const { form, operation } = subject
  if (operation.account !== 'new' && operation.account !== 'stored') return false
  if (hasProof(subject) || merchantInitiated.some((name) => form.values.has(name))) return false
  return authenticationParameters.some((name) => form.values.has(name))
}

/** What a merchant tells of the shopper's browser (contract, Customer). */
export const browserParameters = [
  'customer.browser.acceptHeader',
  'customer.browser.language',
  'customer.browser.screenHeight',
  'customer.browser.screenWidth',
  'customer.browser.timezone',
  'customer.browser.userAgent',
  'customer.browser.javaEnabled',
]

export const authenticationBrowser: Rule = {
  name: 'authentication-browser',
  sentence: 'customer.browser: Mandatory for 3D Secure v2.',
  blames: browserParameters,
  legacy: false,
  structures: ['threeDSecure'],
  // The app-based flow has a device instead of a browser.
  find: (subject) =>
    asksForAuthentication(subject) && !isSent(subject.form, 'threeDSecure.deviceInfo')
      ? missing(subject.form, browserParameters)
      : FINE,
}

const billing = ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country']

export const authenticationBilling: Rule = {
  name: 'authentication-billing',
  sentence: 'billing.street1, city, postcode, country: Mandatory for 3D Secure v2.',
  blames: billing,
  legacy: false,
  structures: ['threeDSecure'],
  find: (subject) => (asksForAuthentication(subject) ? missing(subject.form, billing) : FINE),
}

export const authenticationInstallments: Rule = {
  name: 'authentication-installments',
  sentence:
    'numberOfInstallments: mandatory for 3D Secure on installment payments (standingInstruction.type INSTALLMENT).',
  blames: ['standingInstruction.numberOfInstallments'],
  legacy: false,
  structures: ['threeDSecure'],
  find: (subject) =>
    asksForAuthentication(subject) && subject.form.values.get('standingInstruction.type') === 'INSTALLMENT'
      ? missing(subject.form, ['standingInstruction.numberOfInstallments'])
      : FINE,
}

const USECASE = 'threeDSecure.schemeData[CB-USECASE]'
/** Requestor authentication indicators 02 and 03. */
const recurring = new Set(['RECURRING', 'INSTALLMENT'])

export const schemeUseCase: Rule = {
  name: 'scheme-use-case',
  sentence:
    'CB-USECASE: required when message category is PA, or NPA with requestor authentication indicator 02 or 03.',
  blames: [USECASE],
  legacy: false,
  structures: ['threeDSecure'],
  find(subject) {
    const { form } = subject
    // Only where data of the French domestic scheme takes part at all.
    if (hasProof(subject) || !schemeData.some((row) => form.values.has(row.name))) return FINE
    const indicator = form.values.get('threeDSecure.authenticationInd') ?? ''
    return isTrue(form, 'threeDSecure.npa') && !recurring.has(indicator) ? FINE : missing(form, [USECASE])
  },
}

/** Indicators of a full authentication. */
const authenticated = new Set(['02', '05'])

export const authenticationProof: Rule = {
  name: 'authentication-proof',
  sentence: 'Proof of authentication by an external server: eci, verificationId (CAVV or AAV).',
  blames: ['threeDSecure.eci', 'threeDSecure.verificationId'],
  legacy: false,
  structures: ['threeDSecure'],
  find({ form }) {
    if (form.values.has('threeDSecure.verificationId')) return missing(form, ['threeDSecure.eci'])
    return authenticated.has(form.values.get('threeDSecure.eci') ?? '')
      ? missing(form, ['threeDSecure.verificationId'])
      : FINE
  },
}

const exemptions = ['threeDSecure.challengeIndicator', 'threeDSecure.exemptionFlag']

export const exemptionVersion: Rule = {
  name: 'exemption-version',
  sentence: 'challengeIndicator, exemptionFlag: version 2.2 or higher.',
  blames: ['threeDSecure.version'],
  legacy: false,
  structures: ['threeDSecure'],
  find({ form }) {
    const version = form.values.get('threeDSecure.version')
    if (version === undefined || !exemptions.some((name) => form.values.has(name))) return FINE
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const old = major < 2 || (major === 2 && minor < 2)
    return old ? [{ name: 'threeDSecure.version', message: 'must be 2.2 or higher with an exemption' }] : FINE
  },
}
