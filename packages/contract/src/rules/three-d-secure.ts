import { isSent, isTrue, type RequestParameters } from '../form.ts'
import type { ParameterName } from '../names.ts'
import {
  type AuthenticationNetwork,
  authenticationRows,
  mandatoryBilling,
  schemeData,
} from '../parameters/three-d-secure.ts'
import { EMPTY, NO_VIOLATIONS, missing, type Rule, type Subject } from './rule.ts'

const authenticationParameters = authenticationRows.map((row) => row.name)
const proofParameters = ['threeDSecure.eci', 'threeDSecure.verificationId', 'threeDSecure.dsTransactionId'] as const
const merchantInitiated = ['threeDSecure.channel', 'threeDSecure.threeRIInd'] as const

/**
 * Whether the request is marked as merchant-initiated (3RI): by `threeDSecure.threeRIInd`, which states its kind, or by
 * `threeDSecure.channel` with the number of the 3RI device channel in EMV 3-D Secure ("only to mark a
 * merchant-initiated (3RI) request").
 */
export const marksMerchantInitiated = ({ values }: RequestParameters): boolean =>
  values.has('threeDSecure.threeRIInd') || Number(values.get('threeDSecure.channel')) === 3

const hasProof = ({ form }: Subject): boolean => proofParameters.some((name) => form.values.has(name))

/**
 * Whether the request requires an authentication of version 2: it has an account, new or stored, and a parameter that
 * the contract lists as used only in the authentication message, but no proof of an external server and none of the
 * parameters for merchant-initiated (3RI) requests. The service may also authenticate a payment without such a
 * parameter.
 */
function requestsAuthentication(subject: Subject): boolean {
  const { form, operation } = subject
  if (operation.account !== 'new' && operation.account !== 'stored') return false
  if (hasProof(subject) || merchantInitiated.some((name) => form.values.has(name))) return false
  return authenticationParameters.some((name) => form.values.has(name))
}

/** Parameters of the shopper's browser (contract, Customer). */
export const browserParameters = [
  'customer.browser.acceptHeader',
  'customer.browser.language',
  'customer.browser.screenHeight',
  'customer.browser.screenWidth',
  'customer.browser.timezone',
  'customer.browser.userAgent',
  'customer.browser.javaEnabled',
] as const

export const authenticationBrowser: Rule = {
  sentence: 'customer.browser: Mandatory for 3D Secure v2.',
  parameters: browserParameters,
  strictOnly: true,
  triggers: ['threeDSecure'],
  // The app-based flow has a device instead of a browser.
  check: (subject) =>
    requestsAuthentication(subject) && !isSent(subject.form, 'threeDSecure.deviceInfo')
      ? missing(subject.form, browserParameters)
      : NO_VIOLATIONS,
}

const billing = mandatoryBilling.map((part) => `billing.${part}` as const)

/**
 * The parameter that lists the parts of the billing address that do not exist, such as the postcode in a country
 * without postcodes: `postcode,city`.
 */
export const billingUnavailable = 'customParameters[3DS2_billingUnavailable]'

/** Parts of the billing address that were neither sent nor named as unavailable. */
function missingBilling(form: RequestParameters): readonly ParameterName[] {
  const unavailable = form.values.get(billingUnavailable)?.split(',') ?? []
  return billing.filter((name) => !isSent(form, name) && !unavailable.includes(name.slice('billing.'.length)))
}

export const authenticationBilling: Rule = {
  sentence: 'billing.street1, city, postcode, country: Mandatory for 3D Secure v2.',
  parameters: billing,
  strictOnly: true,
  triggers: ['threeDSecure'],
  check: (subject) =>
    requestsAuthentication(subject)
      ? missing(subject.form, missingBilling(subject.form), `${EMPTY} unless ${billingUnavailable} names it`)
      : NO_VIOLATIONS,
}

const installments = [
  'standingInstruction.numberOfInstallments',
  'standingInstruction.frequency',
  'standingInstruction.expiry',
] as const

const isInstallment = ({ values }: RequestParameters): boolean =>
  values.get('standingInstruction.type') === 'INSTALLMENT'

export const authenticationInstallments: Rule = {
  sentence:
    'numberOfInstallments, frequency, expiry: mandatory for 3D Secure on installment payments ' +
    '(standingInstruction.type INSTALLMENT).',
  parameters: installments,
  strictOnly: true,
  triggers: ['threeDSecure'],
  check: (subject) =>
    requestsAuthentication(subject) && isInstallment(subject.form)
      ? missing(subject.form, installments)
      : NO_VIOLATIONS,
}

const USECASE = 'threeDSecure.schemeData[CB-USECASE]'
/** Requestor authentication indicators 02 and 03. */
const recurring = new Set(['RECURRING', 'INSTALLMENT'])

const needsUseCase = (form: RequestParameters): boolean =>
  !isTrue(form, 'threeDSecure.npa') || recurring.has(form.values.get('threeDSecure.authenticationInd') ?? '')

export const schemeUseCase: Rule = {
  sentence:
    'CB-USECASE: required when message category is PA, or NPA with requestor authentication indicator 02 or 03.',
  parameters: [USECASE],
  strictOnly: true,
  triggers: ['threeDSecure'],
  check(subject) {
    const { form } = subject
    // The rule applies only to data of the French domestic scheme.
    if (hasProof(subject) || !schemeData.some((row) => form.values.has(row.name))) return NO_VIOLATIONS
    return needsUseCase(form) ? missing(form, [USECASE]) : NO_VIOLATIONS
  },
}

/** The conditions of an authentication. */
interface AuthenticationConditions {
  /** undefined: the network has no parameters of its own. */
  readonly network: AuthenticationNetwork | undefined
  /** Whether the cardholder is present, in a browser or an app. */
  readonly isCardholderPresent: boolean
  /** Whether the shopper uses the payment form, which has address fields only if the page enables them. */
  readonly isInCheckout: boolean
}

/** Parameters that some authentications require. */
interface AuthenticationRequirement {
  readonly applies: (form: RequestParameters, conditions: AuthenticationConditions) => boolean
  readonly missing: (form: RequestParameters) => readonly ParameterName[]
}

/**
 * Mandatory parameters for 3D Secure v2, in the order of the contract. Data of the browser are not among them, because
 * a page of the gateway can collect them.
 */
const requirements: readonly AuthenticationRequirement[] = [
  {
    applies: (_, { isCardholderPresent, isInCheckout }) => isCardholderPresent && !isInCheckout,
    missing: missingBilling,
  },
  {
    applies: (form, { network }) => network === 'cartebancaire' && needsUseCase(form),
    missing: (form) => (isSent(form, USECASE) ? [] : [USECASE]),
  },
  { applies: isInstallment, missing: (form) => installments.filter((name) => !isSent(form, name)) },
]

/**
 * Parameters that are mandatory for 3D Secure v2 and missing in a request that is to be authenticated. Unlike the rules
 * above, this check does not depend on the reason of the authentication, which may also be required by the settings of
 * the channel or be merchant-initiated.
 *
 * @returns names, in the order of the contract
 */
export const missingForAuthentication = (
  form: RequestParameters,
  conditions: AuthenticationConditions,
): readonly ParameterName[] =>
  requirements.flatMap((requirement) => (requirement.applies(form, conditions) ? requirement.missing(form) : []))

/** "threeDSRequestorID: up to 35 characters, threeDSRequestorName: up to 40" (EMV 3-D Secure, table A.1). */
const requestorCharsMax = [
  ['requestorId', 35],
  ['requestorName', 40],
] as const

/**
 * Parameters that are valid by the contract (100 characters), but too long for an authentication request.
 *
 * @returns the parameters of the card's network that are too long, each with its maximum
 */
export const tooLongForAuthentication = (
  { values }: RequestParameters,
  network: AuthenticationNetwork,
): readonly { readonly name: ParameterName; readonly value: string; readonly charsMax: number }[] =>
  requestorCharsMax
    .map(([part, charsMax]) => {
      const name = `threeDSecure.v2.${network}.${part}` as const
      return { name, value: values.get(name) ?? '', charsMax }
    })
    .filter(({ value, charsMax }) => Array.from(value).length > charsMax)

/** Values of `threeDSecure.eci` for a full authentication. */
const authenticated = new Set(['02', '05'])

export const authenticationProof: Rule = {
  sentence: 'Proof of authentication by an external server: eci, verificationId (CAVV or AAV).',
  parameters: ['threeDSecure.eci', 'threeDSecure.verificationId'],
  strictOnly: true,
  triggers: ['threeDSecure'],
  check({ form }) {
    if (form.values.has('threeDSecure.verificationId')) return missing(form, ['threeDSecure.eci'])
    return authenticated.has(form.values.get('threeDSecure.eci') ?? '')
      ? missing(form, ['threeDSecure.verificationId'])
      : NO_VIOLATIONS
  },
}

const exemptions = ['threeDSecure.challengeIndicator', 'threeDSecure.exemptionFlag'] as const

export const exemptionVersion: Rule = {
  sentence: 'challengeIndicator, exemptionFlag: version 2.2 or higher.',
  parameters: ['threeDSecure.version'],
  strictOnly: true,
  triggers: ['threeDSecure'],
  check({ form }) {
    const version = form.values.get('threeDSecure.version')
    if (version === undefined || !exemptions.some((name) => form.values.has(name))) return NO_VIOLATIONS
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isTooOld = major < 2 || (major === 2 && minor < 2)
    return isTooOld
      ? [{ name: 'threeDSecure.version', message: 'must be 2.2 or higher with an exemption' }]
      : NO_VIOLATIONS
  },
}
