import { createHmac } from 'node:crypto'
import { decodeIccData } from '@tollgate/iso8583'
import { limits } from '../limits.ts'
import { type CardOutcome, cardOutcomes } from './card-outcomes.ts'
import type { HostMessage } from './host-message.ts'
import { bytesOf, copyOf } from './secret-bytes.ts'

/** The part of a card that the host may store and show. */
export interface StoredCard {
  /** HMAC-SHA-256 of the number with the key of the journal, in hexadecimal digits. */
  readonly hash: string
  /** The first six and the last four digits. */
  readonly masked: string
  /** Whether a terminal has encrypted the card. The host has no keys of terminals, and cannot know the number. */
  readonly isEncrypted?: true
}

export const storedCardOf = ({ hash, masked, isEncrypted }: StoredCard): StoredCard => ({
  hash,
  masked,
  ...(isEncrypted && { isEncrypted }),
})

/** A card of a message. */
export interface HostCard extends StoredCard {
  /** Whether the number has a valid length and check digit. */
  readonly isValid: boolean
  readonly isMastercard: boolean
  /** The first digit, which identifies the industry. */
  readonly firstDigit: string
}

/** Identifies cards without their numbers. */
export interface CardIndex {
  /** @param digits the number in ASCII; the caller erases it */
  cardOf(digits: Uint8Array): HostCard
  /** The card that a terminal encrypted: every block is a card of its own. @param block the caller erases it */
  encryptedCardOf(block: Uint8Array): HostCard
  /** The row of a test card. */
  outcomeOf(hash: string): CardOutcome | undefined
}

const ZERO = 0x30

/** @param key random bytes, so that a hash cannot be computed from a guessed number */
export function createCardIndex(key: Uint8Array): CardIndex {
  const hashOf = (digits: Uint8Array): string => createHmac('sha256', key).update(digits).digest('hex')
  const outcomes = new Map(cardOutcomes.map((outcome) => [hashOf(Buffer.from(outcome.number)), outcome]))
  return {
    cardOf(digits) {
      const text = (from: number, to?: number): string => Buffer.from(digits.subarray(from, to)).toString('latin1')
      const isLong = digits.length >= limits.cardDigitsMin && digits.length <= limits.cardDigitsMax
      const prefix = isLong ? text(0, 6) : ''
      return {
        hash: hashOf(digits),
        masked: isLong ? `${prefix}${'*'.repeat(digits.length - 10)}${text(-4)}` : '*'.repeat(digits.length),
        isValid: isLong && (hasNoCheckDigit(prefix) || hasCheckDigit(digits)),
        isMastercard: /^5[1-5]/.test(prefix) || (prefix >= '222100' && prefix <= '272099'),
        firstDigit: prefix.slice(0, 1),
      }
    },
    encryptedCardOf: (block) => hostCardOf({ hash: hashOf(block), masked: 'encrypted', isEncrypted: true }),
    outcomeOf: (hash) => outcomes.get(hash),
  }
}

/** A card whose number the host does not know. */
const hostCardOf = (stored: StoredCard): HostCard => ({
  ...stored,
  isValid: stored.isEncrypted === true,
  isMastercard: false,
  firstDigit: '',
})

/**
 * The card of a follow-up without a card number, which names its original instead: the gateway does not store a card
 * that a terminal has encrypted.
 *
 * @param original undefined: unknown. Only that of an encrypted card identifies the card
 */
export const followedCard = (original: StoredCard | undefined): HostCard =>
  hostCardOf(original?.isEncrypted ? original : { hash: '', masked: '' })

/** The card that a terminal encrypted, in fields 124 to 126; the caller erases it. undefined: the message has none. */
export function encryptedBlockOf({ fields }: HostMessage): Uint8Array | undefined {
  const parts = [fields[124], fields[125], fields[126]].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : copyOf(...parts)
}

/** UnionPay also issues numbers without a check digit. */
const hasNoCheckDigit = (prefix: string): boolean => /^(?:62|81)/.test(prefix)

/** ISO/IEC 7812-1, annex B (Luhn). */
function hasCheckDigit(digits: Uint8Array): boolean {
  let sum = 0
  for (const [index, code] of digits.toReversed().entries()) {
    const digit = (code - ZERO) * (index % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/**
 * The card number of a message: field 2, or else the number in track 2, or in the data of a chip.
 *
 * @returns digits in ASCII, which the caller erases; undefined if the message has none
 * @throws FieldError if the data of the chip cannot be decoded
 */
export function cardNumberOf({ fields }: HostMessage): Uint8Array | undefined {
  const { 2: number, 35: track2, 55: icc } = fields
  if (number !== undefined) return copyOf(number)
  if (track2 !== undefined) return copyOf(beforeSeparator(track2))
  const elements = icc === undefined ? [] : decodeIccData(icc)
  const packed = elements.find(({ tag }) => tag === '5A' || tag === '57')
  return packed === undefined ? undefined : digitsBefore(packed.value)
}

const SEPARATOR = '='.charCodeAt(0)

function beforeSeparator(track: Uint8Array): Uint8Array {
  const end = track.indexOf(SEPARATOR)
  return end === -1 ? track : track.subarray(0, end)
}

/** The digits of a packed number, up to its padding F, or up to the separator D of track 2. */
function digitsBefore(packed: Uint8Array): Uint8Array {
  const digits = bytesOf(2 * packed.length)
  let length = 0
  for (const nibble of nibblesOf(packed)) {
    if (nibble > 9) break
    digits[length] = ZERO + nibble
    length += 1
  }
  return digits.subarray(0, length)
}

function* nibblesOf(packed: Uint8Array): Generator<number> {
  for (const byte of packed) {
    yield byte >> 4
    yield byte & 15
  }
}
