import { anyText, chars, text } from '../format.ts'
import { NO_PAN, optional, REFERENCE, row, rows, section } from '../section.ts'
import { addressPhone } from './phone.ts'

const mandatoryForThreeDSecure = 'Mandatory for 3D Secure v2.'

const address = <Prefix extends string>(prefix: Prefix) => [
  row(`${prefix}street1`, text(1, 100), 'C', mandatoryForThreeDSecure),
  row(`${prefix}street2`, text(1, 100), 'C', 'street1 plus street2 must not be digits only.'),
  row(
    `${prefix}houseNumber1`,
    text(1, 100),
    'O',
    'When present, street1 holds only the street name and street2 is ignored.',
  ),
  row(`${prefix}houseNumber2`, text(1, 100), 'O', 'Requires houseNumber1.'),
  row(`${prefix}city`, text(1, 80), 'C', mandatoryForThreeDSecure),
  row(`${prefix}state`, chars('letters, digits or dots', 1, 50), 'C', '', { ...NO_PAN, legacy: text(1, 50) }),
  row(`${prefix}postcode`, chars('letters or digits', 1, 16), 'C', mandatoryForThreeDSecure, {
    ...NO_PAN,
    legacy: text(1, 16),
  }),
  row(`${prefix}country`, chars('uppercase letters', 2, 2), 'C', mandatoryForThreeDSecure),
  row(`${prefix}normalized`, text(1, 255), 'O'),
  row(
    `${prefix}validationStatus`,
    text(1, 255),
    'O',
    'Whether the address was validated and the normalized address confirmed.',
  ),
]

export const billingAddress = section('Billing address', 'payment', [
  ...address('billing.'),
  ...optional(address('merchant.billing.')),
  ...rows('merchant.billing.', ['givenName', 'surname', 'middleName'], anyText, 'O', NO_PAN),
  row('merchant.billing.companyName', text(1, 60), 'O', '', NO_PAN),
  ...rows('merchant.billing.', ['phone', 'workPhone'], text(1, 25), 'O', REFERENCE),
  row('merchant.billing.mobile', addressPhone, 'O'),
  row('merchant.billing.email', text(6, 128), 'O', '', REFERENCE),
])
