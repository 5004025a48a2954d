import { boolean, chars, date, oneOf, pattern, text } from '../format.ts'
import { NO_PAN, optional, REFERENCE, row, section } from '../section.ts'
import { legacyPhone, personPhone } from './phone.ts'

const mandatoryForThreeDSecure = 'Mandatory for 3D Secure v2.'

const person = <Prefix extends string>(prefix: Prefix) => [
  row(`${prefix}merchantCustomerId`, text(1, 255), 'O', "Shopper id in the shop's system.", REFERENCE),
  row(`${prefix}givenName`, text(0, 50), 'C', '', NO_PAN),
  row(`${prefix}middleName`, text(2, 50), 'O', '', NO_PAN),
  row(`${prefix}surname`, text(0, 50), 'C', '', NO_PAN),
  row(`${prefix}sex`, oneOf('M', 'F'), 'O'),
  row(`${prefix}birthDate`, date, 'O'),
  row(`${prefix}phone`, personPhone, 'O', '', { legacy: legacyPhone }),
  row(`${prefix}mobile`, personPhone, 'O', '', { legacy: legacyPhone }),
  row(`${prefix}workPhone`, text(1, 25), 'O', '', REFERENCE),
  row(
    `${prefix}email`,
    text(6, 128),
    'O',
    'Needed for some risk checks and for sending direct-debit mandates.',
    REFERENCE,
  ),
  row(`${prefix}companyName`, text(1, 60), 'O', '', NO_PAN),
  row(
    `${prefix}identificationDocType`,
    oneOf('IDCARD', 'PASSPORT', 'TAXSTATEMENT'),
    'C',
    'Requires identificationDocId; mandatory for some payment types.',
  ),
  row(`${prefix}identificationDocId`, text(8, 64), 'C', 'Requires identificationDocType.', REFERENCE),
  row(`${prefix}ip`, text(1, 255), 'O', '', REFERENCE),
  row(`${prefix}merchantReference`, text(0, 255), 'O', 'Reference passed to the payee.', REFERENCE),
  row(`${prefix}salutation`, oneOf('MR', 'MRS', 'MS', 'MX'), 'O'),
  row(`${prefix}language`, chars('uppercase letters', 2, 2), 'O'),
  row(`${prefix}category`, oneOf('INDIVIDUAL', 'COMPANY'), 'O'),
  row(`${prefix}status`, oneOf('NEW', 'EXISTING'), 'O'),
]

const browser = <Prefix extends string>(prefix: Prefix) => [
  row(`${prefix}browser.acceptHeader`, text(1, 2048), 'C', mandatoryForThreeDSecure, REFERENCE),
  row(`${prefix}browser.language`, text(1, 8), 'C', `BCP 47 tag. ${mandatoryForThreeDSecure}`),
  row(`${prefix}browser.screenHeight`, text(1, 6), 'C', `Pixels. ${mandatoryForThreeDSecure}`),
  row(`${prefix}browser.screenWidth`, text(1, 6), 'C', `Pixels. ${mandatoryForThreeDSecure}`),
  row(
    `${prefix}browser.timezone`,
    text(1, 5),
    'C',
    `Minutes between UTC and browser local time, positive when local time is behind UTC. ${mandatoryForThreeDSecure}`,
  ),
  row(`${prefix}browser.userAgent`, text(1, 2048), 'C', mandatoryForThreeDSecure, REFERENCE),
  row(`${prefix}browser.javaEnabled`, boolean, 'C', mandatoryForThreeDSecure),
  row(`${prefix}browser.screenColorDepth`, chars('digits', 1, 2), 'O', 'Bits per pixel.'),
  row(
    `${prefix}browser.challengeWindow`,
    pattern('1 digit', /^[0-9]$/),
    'O',
    'Preconfigured challenge window size code.',
  ),
]

export const customer = section('Customer', 'payment', [
  ...person('customer.'),
  row('customer.browserFingerprint.id', text(1, 255), 'O', '', REFERENCE),
  row('customer.browserFingerprint.value', text(1, 4096), 'O', '', REFERENCE),
  ...browser('customer.'),
  row('customer.browser.deviceId', text(1, 32), 'O', '', REFERENCE),
  row('customer.app.deviceId', text(1, 40), 'O', '', REFERENCE),
  // Fingerprints and ids of devices exist for the shopper only, not for the recipient of the goods.
  ...optional(person('shipping.customer.')),
  ...optional(browser('shipping.customer.')),
])
