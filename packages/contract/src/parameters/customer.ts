import { boolean, chars, date, oneOf, pattern, text } from '../format.ts'
import { moved, NO_PAN, REFERENCE, row, section } from '../section.ts'
import { legacyPhone, personPhone } from './phone.ts'

const forThreeDSecure = 'Mandatory for 3D Secure v2.'

const fields = [
  row('customer.merchantCustomerId', text(1, 255), 'O', "Shopper id in the shop's system.", REFERENCE),
  row('customer.givenName', text(0, 50), 'C', '', NO_PAN),
  row('customer.middleName', text(2, 50), 'O', '', NO_PAN),
  row('customer.surname', text(0, 50), 'C', '', NO_PAN),
  row('customer.sex', oneOf('M', 'F'), 'O'),
  row('customer.birthDate', date, 'O'),
  row('customer.phone', personPhone, 'O', '', { legacy: legacyPhone }),
  row('customer.mobile', personPhone, 'O', '', { legacy: legacyPhone }),
  row('customer.workPhone', text(1, 25), 'O', '', REFERENCE),
  row(
    'customer.email',
    text(6, 128),
    'O',
    'Needed for some risk checks and for sending direct-debit mandates.',
    REFERENCE,
  ),
  row('customer.companyName', text(1, 60), 'O', '', NO_PAN),
  row(
    'customer.identificationDocType',
    oneOf('IDCARD', 'PASSPORT', 'TAXSTATEMENT'),
    'C',
    'Requires identificationDocId; mandatory for some payment types.',
  ),
  row('customer.identificationDocId', text(8, 64), 'C', 'Requires identificationDocType.', REFERENCE),
  row('customer.ip', text(1, 255), 'O', '', REFERENCE),
  row('customer.merchantReference', text(0, 255), 'O', 'Reference passed to the payee.', REFERENCE),
  row('customer.salutation', oneOf('MR', 'MRS', 'MS', 'MX'), 'O'),
  row('customer.language', chars('uppercase letters', 2, 2), 'O'),
  row('customer.category', oneOf('INDIVIDUAL', 'COMPANY'), 'O'),
  row('customer.status', oneOf('NEW', 'EXISTING'), 'O'),
  row('customer.browserFingerprint.id', text(1, 255), 'O', '', REFERENCE),
  row('customer.browserFingerprint.value', text(1, 4096), 'O', '', REFERENCE),
  row('customer.browser.acceptHeader', text(1, 2048), 'C', forThreeDSecure, REFERENCE),
  row('customer.browser.language', text(1, 8), 'C', `BCP 47 tag. ${forThreeDSecure}`),
  row('customer.browser.screenHeight', text(1, 6), 'C', `Pixels. ${forThreeDSecure}`),
  row('customer.browser.screenWidth', text(1, 6), 'C', `Pixels. ${forThreeDSecure}`),
  row(
    'customer.browser.timezone',
    text(1, 5),
    'C',
    `Minutes between UTC and browser local time, positive when local time is behind UTC. ${forThreeDSecure}`,
  ),
  row('customer.browser.userAgent', text(1, 2048), 'C', forThreeDSecure, REFERENCE),
  row('customer.browser.javaEnabled', boolean, 'C', forThreeDSecure),
  row('customer.browser.screenColorDepth', chars('digits', 1, 2), 'O', 'Bits per pixel.'),
  row(
    'customer.browser.challengeWindow',
    pattern('1 digit', /^[0-9]$/),
    'O',
    'Preconfigured challenge window size code.',
  ),
  row('customer.browser.deviceId', text(1, 32), 'O', '', REFERENCE),
  row('customer.app.deviceId', text(1, 40), 'O', '', REFERENCE),
]

/** What identifies a device has no place in the description of whom the goods are shipped to. */
const isOfDevice = (name: string): boolean =>
  name.startsWith('customer.browserFingerprint.') || name.endsWith('.deviceId')

export const customer = section('Customer', 'payment', [
  ...fields,
  ...moved(
    fields.filter((field) => !isOfDevice(field.name)),
    'customer.',
    'shipping.customer.',
  ),
])
