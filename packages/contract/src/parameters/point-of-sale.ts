import { chars, oneOf, pattern } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

const digits = chars('digits', 1, 32)
const data = chars('letters or digits', 1, 2048)
const degrees = pattern('decimal degrees with 1 to 8 decimals', /^-?[0-9]{1,3}\.[0-9]{1,8}$/)

const entryMode = oneOf('MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE')

const deviceType = oneOf('MIURA_SHUTTLE', 'MIURA_M007', 'MIURA_M010', 'VERIFONE_E105', 'VERIFONE_E315', 'VERIFONE_E335')

export const pointOfSale = section(
  'Point of sale',
  'payment',
  unechoed([
    row('pos.entryMode', entryMode, 'R'),
    row('pos.terminalId', digits, 'R', 'Acquirer-assigned.'),
    row('pos.deviceId', digits, 'O', 'Terminal serial number.'),
    row('pos.deviceType', deviceType, 'O'),
    row('pos.encryptedPin.data', data, 'O', '', { secret: 'pin' }),
    row('pos.encryptedPin.ksn', data, 'O'),
    row('pos.encryptedSred.data', data, 'O', '', { secret: 'token' }),
    row('pos.encryptedSred.ksn', data, 'O'),
    row('pos.iccDataRequest', data, 'O', '', { secret: 'token' }),
    row('pos.location.accuracy', digits, 'O'),
    row('pos.location.latitude', degrees, 'O'),
    row('pos.location.longitude', degrees, 'O'),
    row('pos.panSequenceNumber', digits, 'O'),
    row('pos.transactionSequenceNumber', digits, 'O'),
    row('pos.pinEntryCapability', oneOf('PIN_ENTRY_AVAILABLE', 'PIN_ENTRY_UNAVAILABLE'), 'O'),
    row('pos.transactionSource', oneOf('POS'), 'O'),
  ]),
)
