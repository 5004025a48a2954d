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
  /** The row of a test card. */
  readonly outcome: CardOutcome | undefined
}

/** Identifies cards without their numbers. */
export interface CardIndex {
  /** @param digits the number in ASCII; the caller erases it */
  cardOf(digits: Uint8Array): HostCard
  /** The card that a terminal encrypted: every block is a card of its own. @param block the caller erases it */
  encryptedCardOf(block: Uint8Array): HostCard
  /**
   * The card of a follow-up without a card number, which names its original instead: the gateway does not store a card
   * that a terminal has encrypted.
   *
   * @param original undefined: unknown. Only that of an encrypted card identifies the card
   */
  followedCard(original: StoredCard | undefined): HostCard
}

const ZERO = 0x30

/** @param key random bytes, so that a hash cannot be computed from a guessed number */
export function createCardIndex(key: Uint8Array): CardIndex {
  const hashOf = (digits: Uint8Array): string => createHmac('sha256', key).update(digits).digest('hex')
  const outcomes = new Map(cardOutcomes.map((outcome) => [hashOf(Buffer.from(outcome.number)), outcome]))
  /** A card whose number the host does not know. */
  const unknownCardOf = (stored: StoredCard): HostCard => ({
    ...stored,
    isValid: stored.isEncrypted === true,
    isMastercard: false,
    firstDigit: '',
    outcome: outcomes.get(stored.hash),
  })
  return {
    cardOf(digits) {
      const isLong = digits.length >= limits.cardDigitsMin && digits.length <= limits.cardDigitsMax
      const masked = maskedOf(digits, isLong)
      const prefix = isLong ? masked.slice(0, 6) : ''
      const hash = hashOf(digits)
      return {
        hash,
        masked,
        isValid: isLong && (hasNoCheckDigit(prefix) || hasCheckDigit(digits)),
        isMastercard: /^5[1-5]/.test(prefix) || (prefix >= '222100' && prefix <= '272099'),
        firstDigit: prefix.slice(0, 1),
        outcome: outcomes.get(hash),
      }
    },
    encryptedCardOf: (block) => unknownCardOf({ hash: hashOf(block), masked: 'encrypted', isEncrypted: true }),
    followedCard: (original) => unknownCardOf(original?.isEncrypted ? original : { hash: '', masked: '' }),
  }
}

/** Stars; in a number of a valid length, all but its first six and its last four digits. */
function maskedOf(digits: Uint8Array, isLong: boolean): string {
  const masked = Buffer.alloc(digits.length, '*')
  for (let i = 0; isLong && i < digits.length; i++) if (i < 6 || i >= digits.length - 4) masked[i] = digits[i] ?? ZERO
  return masked.toString('latin1')
}

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
  for (let place = 1; place <= digits.length; place++) {
    const digit = ((digits[digits.length - place] ?? ZERO) - ZERO) * (place % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/**
 * The card number of a message: field 2, or else the number in track 2.
 *
 * @returns digits in ASCII, a part of the message; undefined if the message has none
 */
export const cardNumberOf = ({ fields: { 2: number, 35: track2 } }: HostMessage): Uint8Array | undefined =>
  number ?? (track2 && beforeSeparator(track2))

/**
 * The card number in the data of a chip.
 *
 * @returns digits in ASCII, which the caller erases; undefined if the message has none
 * @throws FieldError if the data cannot be decoded
 */
export function chipNumberOf({ fields: { 55: icc } }: HostMessage): Uint8Array | undefined {
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
