import type { Secret } from '@tollgate/contract'
import { decodeIccData, FieldError } from '@tollgate/iso8583'
import { limits } from './limits.ts'
import { credits, type MessageSource } from './message-source.ts'
import { copyOf, hasDigitsOnly, hexBytesOf, isPrintable } from './secret-bytes.ts'

/** The number of a card, or the token in its place. The number of a gift card may have letters. */
function cardNumberOf({ request: { account } }: MessageSource): Secret | undefined {
  switch (account?.kind) {
    case 'card':
    case 'tokenAccount':
      return account.number
    case 'giftCard':
      return account.number && isCardNumber(account.number) ? account.number : undefined
    case 'bankAccount':
    case 'virtualAccount':
    case undefined:
      return undefined
  }
}

const isCardNumber = (number: Secret): boolean => number.length <= limits.cardDigitsMax && hasDigitsOnly(number)

/** Field 2: the card number, which a follow-up has only if the caller supplies the account. */
export function cardNumber(source: MessageSource): Uint8Array | undefined {
  const number = cardNumberOf(source)
  return number && copyOf(number)
}

/** Field 14: the expiry date as YYMM. */
export function expiry({ request: { account } }: MessageSource): string | undefined {
  const { expiryYear, expiryMonth } = account ?? {}
  return expiryYear && expiryMonth ? `${expiryYear.slice(2)}${expiryMonth}` : undefined
}

/** The number of an account without a card: an IBAN, the id of a virtual account. */
const accountNumberOf = (source: MessageSource): Secret | undefined =>
  cardNumberOf(source) === undefined ? source.request.account?.number : undefined

/** The account number of a sender or recipient. No field can hold one with other characters than printable ASCII. */
function printableNumber(
  { request: { secrets } }: MessageSource,
  name: 'sender.accountNumber' | 'recipient.accountNumber',
): Secret | undefined {
  const number = secrets.get(name)
  return number && isPrintable(number) ? number : undefined
}

/** The account from which the money comes: the shopper's account, unless it receives the money; else the sender's. */
const fromAccount = (source: MessageSource): Secret | undefined =>
  (credits.has(source.request.operation) ? undefined : accountNumberOf(source)) ??
  printableNumber(source, 'sender.accountNumber')

/** The account to which the money goes: the shopper's account of a credit; else the recipient's. */
const toAccount = (source: MessageSource): Secret | undefined =>
  (credits.has(source.request.operation) ? accountNumberOf(source) : undefined) ??
  printableNumber(source, 'recipient.accountNumber')

/** The value of field 102 or 103 and the element of private data for a longer number. */
const placesOf = (find: (source: MessageSource) => Secret | undefined) => {
  const copyIf = (fits: boolean) => (source: MessageSource) => {
    const number = find(source)
    return number && number.length <= limits.accountCharsMax === fits ? copyOf(number) : undefined
  }
  return { field: copyIf(true), element: copyIf(false) }
}

/** Field 102: the account from which the money comes. */
export const firstAccount = placesOf(fromAccount)

/** Field 103: the account to which the money goes. */
export const secondAccount = placesOf(toAccount)

const PIN_BLOCK_BYTES = 8

function pinBlockOf({ request: { secrets } }: MessageSource): Uint8Array | undefined {
  const data = secrets.get('pos.encryptedPin.data')
  return data?.length === 2 * PIN_BLOCK_BYTES ? hexBytesOf(data) : undefined
}

/** Field 52 for a block of 8 bytes (ISO 9564), and an element for a PIN that is encrypted in another format. */
export const encryptedPin = {
  field: pinBlockOf,
  element: (source: MessageSource): Uint8Array | undefined => {
    const block = pinBlockOf(source)
    block?.fill(0)
    const data = block ? undefined : source.request.secrets.get('pos.encryptedPin.data')
    return data && copyOf(data)
  },
} as const

const pinKeyOf = ({ request: { parameters } }: MessageSource): string => parameters.get('pos.encryptedPin.ksn') ?? ''

/** Field 53 for the serial number of the PIN's key, if it is 16 digits, and an element for other serial numbers. */
export const pinKey = {
  field: (source: MessageSource): string | undefined => /^\d{16}$/.exec(pinKeyOf(source))?.[0],
  element: (source: MessageSource): string | undefined => /^(?!\d{16}$).+$/.exec(pinKeyOf(source))?.[0],
} as const

/**
 * A part of the card that a terminal encrypted for the acquirer, whose keys the gateway does not have: fields 124 to
 * 126.
 */
export const encryptedCardPart =
  (index: number) =>
  ({ request: { secrets } }: MessageSource): Uint8Array | undefined => {
    const start = index * limits.privateCharsMax
    const data = secrets.get('pos.encryptedSred.data')
    return data && data.length > start ? copyOf(data, start, start + limits.privateCharsMax) : undefined
  }

/**
 * Field 55: the data of the chip.
 *
 * @throws FieldError if they are not elements of BER-TLV in hexadecimal digits: without them, the issuer would take the
 *   payment for one without a chip
 */
export function iccData({ request: { secrets } }: MessageSource): Uint8Array | undefined {
  const data = secrets.get('pos.iccDataRequest')
  if (data === undefined) return undefined
  const bytes = hexBytesOf(data)
  if (bytes === undefined) throw new FieldError('must be hexadecimal digits', 55)
  try {
    if (bytes.length > limits.iccBytesMax) throw new FieldError(`must have at most ${limits.iccBytesMax} bytes`, 55)
    decodeIccData(bytes)
  } catch (error) {
    bytes.fill(0)
    throw error
  }
  return bytes
}
