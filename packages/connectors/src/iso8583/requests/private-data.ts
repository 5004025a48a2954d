import type { IssuerSchemeData } from '@tollgate/contract'
import { encodePrivateData, type Value } from '@tollgate/iso8583'
import { encryptedPin, firstAccount, pinKey, secondAccount } from './account-fields.ts'
import { agreementFlags, industryPractice, initialTransaction, instalments } from './card-on-file.ts'
import { captureNumbers, finalIndicator } from './captures.ts'
import { fitsStatement, statementName } from './card-acceptor.ts'
import { cartesBancaires, schemeElements } from './cartes-bancaires.ts'
import { limits } from './limits.ts'
import {
  byKind,
  cardReads,
  debits,
  everyKind,
  kindOf,
  type MessageSource,
  presentations,
  type RequestKinds,
  requestsForDecision,
} from './message-source.ts'
import { printable } from './printable.ts'
import type { PlainName } from './row-name.ts'
import { copyOf } from './secret-bytes.ts'

/** One element of field 48. */
export interface PrivateElement {
  readonly tag: string
  readonly sentBy: RequestKinds
  /** The parameters in the value. */
  readonly names: readonly (PlainName | IssuerSchemeData)[]
  /** The value; bytes are a copy of a secret, which the caller erases. */
  readonly valueOf: (source: MessageSource) => Value | undefined
}

const element = (
  tag: string,
  sentBy: RequestKinds,
  names: PrivateElement['names'],
  valueOf: PrivateElement['valueOf'],
): PrivateElement => ({ tag, sentBy, names, valueOf })

/** An element with the value of a parameter. */
const copied = (tag: string, sentBy: RequestKinds, name: PlainName): PrivateElement =>
  element(tag, sentBy, [name], ({ request }) => request.parameters.get(name))

/** An element with the value of a secret parameter. */
const secret = (tag: string, sentBy: RequestKinds, name: PlainName): PrivateElement =>
  element(tag, sentBy, [name], ({ request }) => {
    const value = request.secrets.get(name)
    return value && copyOf(value)
  })

const agreementParameters = [
  'standingInstruction.type',
  'standingInstruction.recurringType',
  'standingInstruction.mode',
  'standingInstruction.source',
] as const

const instalmentParameters = ['standingInstruction.numberOfInstallments', 'recurring.numberOfInstallments'] as const

const longAccounts = ['bankAccount.iban', 'bankAccount.number', 'virtualAccount.accountId', 'giftCard.number'] as const

/**
 * The elements of field 48 in the order of their tags. 09 and 21 are elements of answers; no parameter has the id of a
 * token requestor (12) or the value of a merchant verification (18). The elements from 22 on are additions of this link
 * for values that fit in no field of their own.
 */
export const privateElements: readonly PrivateElement[] = [
  element('01', debits, ['card.cvv', 'tokenAccount.dtvc', 'giftCard.pin'], cvv),
  copied('02', presentations, 'threeDSecure.eci'),
  copied('03', presentations, 'threeDSecure.verificationId'),
  copied('04', presentations, 'threeDSecure.dsTransactionId'),
  copied('05', presentations, 'threeDSecure.version'),
  element('06', presentations, agreementParameters, agreementFlags),
  element('07', presentations, ['standingInstruction.industryPractice'], industryPractice),
  element('08', presentations, ['standingInstruction.initialTransactionId'], initialTransaction),
  element('10', debits, ['billing.street1', 'billing.houseNumber1', 'billing.postcode'], verifiedAddress),
  secret('11', presentations, 'tokenAccount.cryptogram'),
  element('13', everyKind, ['numberOfCaptures'], captureNumbers),
  element('14', everyKind, ['sequence', 'numberOfCaptures'], finalIndicator),
  element('15', everyKind, ['merchant.name', 'descriptor'], wholeStatementName),
  copied('16', debits, 'threeDSecure.exemptionFlag'),
  element('17', debits, instalmentParameters, instalments),
  element('19', debits, [], ({ request }) => (request.partialApproval ? 'Y' : undefined)),
  element(
    '20',
    presentations,
    schemeElements.map(([, name]) => name),
    cartesBancaires,
  ),
  element('22', requestsForDecision, ['pos.encryptedPin.ksn'], pinKey.element),
  element('23', requestsForDecision, ['pos.encryptedPin.data'], encryptedPin.element),
  element('24', everyKind, longAccounts, firstAccount.element),
  element('25', requestsForDecision, ['recipient.accountNumber'], secondAccount.element),
  copied('27', cardReads, 'pos.encryptedSred.ksn'),
  copied('30', presentations, 'threeDSecure.authenticationStatus'),
  copied('31', presentations, 'threeDSecure.acsTransactionId'),
  copied('32', presentations, 'threeDSecure.challengeMandatedIndicator'),
  copied('33', presentations, 'threeDSecure.authType'),
  copied('34', presentations, 'threeDSecure.transactionStatusReason'),
  copied('35', presentations, 'threeDSecure.challengeIndicator'),
]

const elementsByKind = byKind(privateElements)

/** Element 01: the proof that the shopper has the account. */
function cvv({ request: { account } }: MessageSource): Uint8Array | undefined {
  return account?.cvv && copyOf(account.cvv)
}

/** Element 10: street and postcode for the address verification, separated by a slash. */
function verifiedAddress({ request: { parameters } }: MessageSource): string | undefined {
  const part = (name: PlainName): string => printable(parameters.get(name) ?? '').replaceAll('/', ' ')
  const street = `${part('billing.street1')} ${part('billing.houseNumber1')}`.trim().slice(0, limits.streetCharsMax)
  const postcode = part('billing.postcode')
  return street === '' && postcode === '' ? undefined : `${street}/${postcode}`
}

/** Element 15: the name on the statement, if field 43 does not contain it in full. */
function wholeStatementName(source: MessageSource): string | undefined {
  const name = statementName(source)
  return fitsStatement(name) ? undefined : name.slice(0, limits.descriptionCharsMax)
}

/**
 * Field 48 of a request: elements with values, some of which are secret.
 *
 * @throws FieldError if an element is too long
 */
export function privateData(source: MessageSource): Uint8Array | undefined {
  const values = new Map<string, Value>()
  try {
    for (const { tag, valueOf } of elementsByKind[kindOf(source.request)]) {
      const value = valueOf(source)
      if (value !== undefined && value.length > 0) values.set(tag, typeof value === 'string' ? printable(value) : value)
    }
    return values.size === 0 ? undefined : encodePrivateData(values)
  } finally {
    for (const value of values.values()) if (value instanceof Uint8Array) value.fill(0)
  }
}
