import { decodeIccData, decodePrivateData, FieldError } from '@tollgate/iso8583'
import { type CardIndex, cardNumberOf, chipNumberOf, encryptedBlockOf, type HostCard } from './card.ts'
import type { HostMessage } from './host-message.ts'
import type { HostState } from './host-state.ts'
import { firstTypeOf, type MessageTypeRow } from './message-types.ts'
import { requiredFields } from './required-fields.ts'
import { textOf } from './secret-bytes.ts'
import type { PointOfSale } from './transaction.ts'
import { hourOf } from './utc-texts.ts'

/** A message about money, as far as the host decides by it. It contains no secret. */
export interface HostRequest {
  readonly type: MessageTypeRow
  /** The first two digits of field 3: 00 purchase, 20 refund. */
  readonly processing: string
  readonly card: HostCard
  /** Card and currency. */
  readonly account: string
  readonly amountMinor: number
  readonly currency: string
  readonly stan: string
  /** Field 7, MMDDhhmmss. */
  readonly transmittedAt: string
  readonly terminal: string
  readonly merchant: string
  /** Field 37; created by the host if it is missing. */
  readonly rrn: string
  readonly condition: string
  readonly expiry: string | undefined
  readonly approvalCode: string | undefined
  readonly networkId: string | undefined
  /** Names this message, as a later field 90 does. */
  readonly reference: string
  /** The message that field 90 names. */
  readonly originalReference: string | undefined
  /** The same for all transmissions of one message. */
  readonly duplicateKey: string
  /** The new amount in field 95; 0 if there is none. */
  readonly replacementMinor: number
  readonly cvv: 'absent' | 'zeros' | 'other'
  readonly address: string | undefined
  /** The characters of the authentication value of 3-D Secure. */
  readonly cavvChars: number | undefined
  readonly isIncrement: boolean
  readonly isPartialAllowed: boolean
  readonly isFinalCapture: boolean
  /** Tag 9F26 of the chip in hexadecimal digits; empty without that tag, undefined without data of a chip. */
  readonly cryptogram: string | undefined
  readonly pointOfSale: PointOfSale
  /** The name on the statement of the cardholder: element 15 of field 48, or else the name in field 43. */
  readonly descriptor: string | undefined
  /** The number of a capture in element 13. */
  readonly clearingSequence: number | undefined
}

/** A request; or the number of the field that is missing or wrong. */
export type ReadHostRequest = { readonly request: HostRequest } | { readonly faultyField: number }

const CARD_NUMBER = 2
const PRIVATE_DATA = 48
const REPLACEMENT = 95
/** The characters of the name in field 43. */
const NAME_CHARS = 25

/**
 * Reads a message that must have a card, or name its original.
 *
 * @param nowMs for the reference number of a message that has none
 */
export function readHostRequest(
  message: HostMessage,
  type: MessageTypeRow,
  known: { readonly cards: CardIndex; readonly state: HostState },
  nowMs: number,
): ReadHostRequest {
  const missing = missingFieldOf(message, type)
  if (missing !== undefined) return { faultyField: missing }
  try {
    const card = cardOf(message, known)
    return card === undefined ? { faultyField: CARD_NUMBER } : requestOf(message, type, card, nowMs)
  } catch (error) {
    if (error instanceof FieldError) return { faultyField: error.field ?? 0 }
    throw error
  }
}

function cardOf(
  message: HostMessage,
  { cards, state }: { readonly cards: CardIndex; readonly state: HostState },
): HostCard | undefined {
  const number = cardNumberOf(message)
  if (number !== undefined) return cards.cardOf(number)
  const chipNumber = chipNumberOf(message)
  const block = chipNumber === undefined ? encryptedBlockOf(message) : undefined
  try {
    if (chipNumber !== undefined) return cards.cardOf(chipNumber)
    const { 62: networkId, 90: originalData } = message.fields
    if (originalData === undefined && networkId === undefined) return block && cards.encryptedCardOf(block)
    const id =
      originalData === undefined
        ? state.byNetworkId.get(networkId?.trim() ?? '')
        : state.byReference.get(originalReferenceOf(message, originalData))
    return cards.followedCard(state.transactions.get(id ?? 0)?.card)
  } finally {
    chipNumber?.fill(0)
    block?.fill(0)
  }
}

/** The first required field that a message has not. */
export function missingFieldOf({ fields }: HostMessage, type: MessageTypeRow): number | undefined {
  const present: Readonly<Record<number, unknown>> = fields
  return requiredFields[type.first]?.find((number) => present[number] === undefined)
}

function requestOf(message: HostMessage, type: MessageTypeRow, card: HostCard, nowMs: number): ReadHostRequest {
  const { fields } = message
  const replacement = fields[95]
  if (replacement !== undefined && !/^[0-9]{24}/.test(replacement)) return { faultyField: REPLACEMENT }
  const elements = fields[48] === undefined ? new Map<string, Uint8Array>() : decodePrivateData(fields[48])
  const element = (tag: string): string | undefined => {
    const value = elements.get(tag)
    return value && textOf(value)
  }
  const sequence = element('13')
  if (sequence !== undefined && !/^[0-9]{4}$/.test(sequence)) return { faultyField: PRIVATE_DATA }
  const { 4: amount, 7: transmittedAt = '', 11: stan = '', 32: acquirer } = fields
  const { 41: terminal = '', 42: merchant = '', 49: currency = '' } = fields
  return {
    request: {
      type,
      processing: fields[3]?.slice(0, 2) ?? '',
      card,
      account: `${card.hash} ${currency}`,
      amountMinor: Number(amount),
      currency,
      stan,
      transmittedAt,
      terminal,
      merchant,
      rrn: fields[37] ?? `${hourOf(nowMs)}${stan}`,
      condition: fields[25] ?? '',
      expiry: fields[14],
      approvalCode: fields[38],
      networkId: fields[62]?.trim() ?? element('08'),
      reference: referenceOf(message, type.first, ownDataOf(message)),
      originalReference: fields[90] === undefined ? undefined : originalReferenceOf(message, fields[90]),
      duplicateKey: `${type.first} ${card.hash} ${amount} ${transmittedAt} ${stan} ${acquirer} ${terminal} ${merchant}`,
      replacementMinor: Number(replacement?.slice(0, 12) ?? 0),
      cvv: cvvOf(elements.get('01')),
      address: element('10'),
      cavvChars: elements.get('03')?.length,
      isIncrement: element('07') === '5',
      isPartialAllowed: element('19') === 'Y',
      isFinalCapture: isFinal(element('14'), sequence),
      cryptogram: fields[55] && cryptogramIn(fields[55]),
      pointOfSale: pointOfSaleOf(message, elements),
      descriptor: element('15') ?? fields[43]?.slice(0, NAME_CHARS).trimEnd(),
      clearingSequence: sequence === undefined ? undefined : Number(sequence.slice(0, 2)),
    },
  }
}

function pointOfSaleOf({ fields }: HostMessage, elements: ReadonlyMap<string, Uint8Array>): PointOfSale {
  return {
    entryMode: fields[22] ?? '',
    cardSequence: fields[23],
    condition: fields[25] ?? '',
    localTime: `${fields[13]}${fields[12]}`,
    terminal: fields[60],
    sale: fields[61],
    hasPin: fields[52] !== undefined || elements.has('23'),
    hasChipData: fields[55] !== undefined,
  }
}

/** @throws FieldError if the data cannot be decoded */
const cryptogramIn = (iccData: Uint8Array): string =>
  Buffer.from(decodeIccData(iccData).find(({ tag }) => tag === '9F26')?.value ?? []).toString('hex')

/** Indicator 14 states whether a capture is final; without it, a capture is final if it is the last of its count. */
const isFinal = (indicator: string | undefined, sequence: string | undefined): boolean =>
  indicator === undefined ? sequence !== undefined && sequence.slice(0, 2) === sequence.slice(2) : indicator === 'F'

/** The data elements after the type by which field 90 of a later message names this one. */
function ownDataOf({ fields }: HostMessage): string {
  const institution = (id = ''): string => id.padStart(11, '0')
  return `${fields[11]}${fields[7]}${institution(fields[32])}${institution(fields[33])}`
}

/** Field 90 does not name the terminal: a message names only messages of its own terminal and merchant. */
const referenceOf = ({ fields }: HostMessage, firstType: string, data: string): string =>
  `${firstType}${data} ${fields[41]} ${fields[42]}`

/** The name of the message that field 90 names. */
const originalReferenceOf = (message: HostMessage, data: string): string =>
  referenceOf(message, firstTypeOf(data.slice(0, 4)), data.slice(4))

const ZERO = 0x30

function cvvOf(cvv: Uint8Array | undefined): HostRequest['cvv'] {
  if (cvv === undefined || cvv.length === 0) return 'absent'
  return cvv.every((code) => code === ZERO) ? 'zeros' : 'other'
}
