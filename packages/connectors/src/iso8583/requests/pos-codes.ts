import { limits } from './limits.ts'
import { type MessageSource, repeatedField } from './message-source.ts'

/** Field 22, positions 1 and 2, by `pos.entryMode`. */
const entryModes: ReadonlyMap<string, string> = new Map([
  ['MANUAL', '01'],
  ['MAGSTRIPE', '90'],
  ['MAGSTRIPE_AS_FALLBACK', '80'],
  ['ICC', '05'],
  ['NFC_ICC', '07'],
  ['NFC_MAGSTRIPE', '91'],
])

const TYPED = '01'
const STORED_CREDENTIAL = '10'

/** Field 22, position 3, by `pos.pinEntryCapability`. */
const pinCapabilities: ReadonlyMap<string, string> = new Map([
  ['PIN_ENTRY_AVAILABLE', '1'],
  ['PIN_ENTRY_UNAVAILABLE', '2'],
])

const UNKNOWN_CAPABILITY = '0'

/** Field 22: how the account was entered, and whether the terminal can read a PIN. */
export function entryMode(source: MessageSource): string {
  const { parameters, hasStoredAccount } = source.request
  const repeated = repeatedField(source, 22)
  if (repeated !== undefined && !parameters.has('pos.entryMode')) return repeated
  const sentMode = entryModes.get(parameters.get('pos.entryMode') ?? '')
  const isStored = hasStoredAccount === true || parameters.get('standingInstruction.mode') === 'REPEATED'
  const capability = pinCapabilities.get(parameters.get('pos.pinEntryCapability') ?? '') ?? UNKNOWN_CAPABILITY
  return `${sentMode ?? (isStored ? STORED_CREDENTIAL : TYPED)}${capability}`
}

/** Field 25, by `transactionCategory`: e-commerce, mail order, telephone order, point of sale. */
const categories: ReadonlyMap<string, string> = new Map([
  ['EC', '59'],
  ['MO', '08'],
  ['TO', '08'],
  ['MOTO', '08'],
  ['PO', '00'],
])

const PRESENT = '00'
const NOT_PRESENT = '01'
const VERIFICATION = '51'
const E_COMMERCE = '59'

/** Field 25: the circumstances of the payment. A preauthorisation without an amount verifies the account. */
export function conditionCode(source: MessageSource): string {
  const { operation, amountMinor, parameters } = source.request
  if (operation === 'PA' && amountMinor === 0) return VERIFICATION
  const category = categories.get(parameters.get('transactionCategory')?.toUpperCase() ?? '')
  if (category !== undefined) return category
  if (parameters.has('pos.entryMode')) return PRESENT
  const repeated = repeatedField(source, 25)
  if (repeated !== undefined) return repeated
  return parameters.get('standingInstruction.source') === 'MIT' ? NOT_PRESENT : E_COMMERCE
}

/** Field 23: the sequence number of the card, which has at most three digits. */
export function cardSequence({ request: { parameters } }: MessageSource): string | undefined {
  const digits = parameters.get('pos.panSequenceNumber')?.replace(/^0+(?=\d)/, '')
  return digits !== undefined && digits.length <= 3 ? digits.padStart(3, '0') : undefined
}

/** Field 26: the number of digits of a PIN that the terminal accepts; only of a request with a PIN. */
export const pinCaptureCode = ({ request: { secrets } }: MessageSource): string | undefined =>
  secrets.has('pos.encryptedPin.data') ? String(limits.pinDigitsMax) : undefined
