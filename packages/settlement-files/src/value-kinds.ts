import { type CurrencyCode, isCurrency, maskCardNumbers } from '@tollgate/contract'
import { isAmount } from '@tollgate/domain'
import {
  formatDecimalAmount,
  formatMinorAmount,
  parseDecimalAmount,
  parseDecimalSum,
  parseMinorAmount,
} from './amount-text.ts'
import { formatTime, isDay, parseTime } from './day-text.ts'
import type { FaultReason } from './file-fault.ts'

export type Value = string | number

/** The notation of a kind of values in a file. */
export interface ValueKind {
  /** For documents: `up to 64 characters`. */
  readonly describe: string
  /** Longer texts are rejected before they are parsed. */
  readonly charsMax: number
  /** The reason for rejecting a text that `read` does not accept. */
  readonly reason: FaultReason
  /** @returns undefined if the text is no value of the kind */
  readonly read: (text: string, currency: CurrencyCode) => Value | undefined
  /** @returns undefined if the kind cannot express the value */
  readonly write: (value: Value, currency: CurrencyCode) => string | undefined
}

const kindOf = (
  describe: string,
  charsMax: number,
  isValid: (text: string) => boolean,
  reason: FaultReason = 'VALUE',
): ValueKind => {
  const validated = (text: string) => (isValid(text) ? text : undefined)
  return {
    describe,
    charsMax,
    reason,
    read: validated,
    write: (value) => (String(value).length <= charsMax ? validated(String(value)) : undefined),
  }
}

/** Any text up to a number of UTF-16 code units. Readers and writers of formats reject control characters. */
export const text = (charsMax: number, charsMin = 1): ValueKind =>
  kindOf(
    charsMin === 1 ? `up to ${charsMax} characters` : `${charsMin} to ${charsMax} characters`,
    charsMax,
    (value) => value.length >= charsMin,
  )

/** A text that people wrote, in which card numbers are masked. */
export const freeText = (charsMax: number): ValueKind => {
  const kind = text(charsMax)
  return { ...kind, read: (value) => (value === '' ? undefined : maskCardNumbers(value)) }
}

/** A text that matches a pattern as a whole. */
export const matching = (describe: string, charsMax: number, pattern: RegExp): ValueKind =>
  kindOf(describe, charsMax, (value) => pattern.test(value))

/** One of some texts. */
export function oneOf(...values: readonly string[]): ValueKind {
  const set = new Set(values)
  return kindOf(values.join(', '), Math.max(...values.map(({ length }) => length)), (value) => set.has(value))
}

/** Codes of a file for the values of a member. */
export function codes(codeOf: Readonly<Record<string, string>>): ValueKind {
  const valueOf = new Map(Object.entries(codeOf).map(([value, code]) => [code, value]))
  return {
    describe: Object.entries(codeOf)
      .map(([value, code]) => `${code} ${value}`)
      .join(', '),
    charsMax: Math.max(...Object.values(codeOf).map(({ length }) => length)),
    reason: 'VALUE',
    read: (code) => valueOf.get(code),
    write: (value) => codeOf[String(value)],
  }
}

export const currencyCode: ValueKind = kindOf('ISO 4217, letters', 3, isCurrency, 'CURRENCY')

/** A day in a notation: with hyphens in CSV and XML, without in records of a fixed width. */
const dayKind = (describe: string, toIso: (text: string) => string, fromIso: (iso: string) => string): ValueKind => ({
  describe,
  charsMax: describe.length,
  reason: 'DATE',
  read: (digits) => {
    const iso = toIso(digits)
    return isDay(iso) ? iso : undefined
  },
  write: (iso) => (isDay(String(iso)) ? fromIso(String(iso)) : undefined),
})

export const day: ValueKind = dayKind(
  'yyyy-MM-dd',
  (iso) => iso,
  (iso) => iso,
)

export const compactDay: ValueKind = dayKind(
  'yyyyMMdd',
  (digits) => digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
  (iso) => iso.replaceAll('-', ''),
)

/** Epoch milliseconds as a time with its offset from UTC; Z is written. */
export const time: ValueKind = {
  describe: 'RFC 3339 with an offset: 2026-11-27T09:30:00Z',
  charsMax: 35,
  reason: 'DATE',
  read: parseTime,
  write: (atMs) => formatTime(Number(atMs)),
}

/** Epoch milliseconds as a time in UTC, in whole seconds. */
export const compactTime: ValueKind = {
  describe: 'yyyyMMddHHmmss, in UTC',
  charsMax: 14,
  reason: 'DATE',
  read: (digits) => parseTime(digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z')),
  write: (atMs) => formatTime(Number(atMs))?.replaceAll(/[-:T]|(?:\.\d+)?Z/g, ''),
}

/** A number from 0 or 1 up to a bound; with `digits`, it is filled with zeros to that length. */
export function count(min: number, max: number, digits = 1): ValueKind {
  const pattern = digits === 1 ? /^(?:0|[1-9]\d*)$/ : new RegExp(`^\\d{${digits}}$`)
  const isValid = (value: number): boolean => Number.isSafeInteger(value) && value >= min && value <= max
  return {
    describe: digits === 1 ? `${min} to ${max}` : `${digits} digits`,
    charsMax: String(max).length,
    reason: 'VALUE',
    read: (value) => (pattern.test(value) && isValid(Number(value)) ? Number(value) : undefined),
    write: (value) => (isValid(Number(value)) ? String(value).padStart(digits, '0') : undefined),
  }
}

/** An amount as a decimal number with a dot and at most the decimals of its currency. */
export const decimalAmount: ValueKind = {
  describe: 'decimal number with the decimals of the currency',
  charsMax: 18,
  reason: 'AMOUNT',
  read: parseDecimalAmount,
  write: (amountMinor, currency) =>
    isAmount(Number(amountMinor)) ? formatDecimalAmount(Number(amountMinor), currency) : undefined,
}

/** A sum of amounts, or a balance, in the notation of amounts. */
export const decimalSum: ValueKind = {
  ...decimalAmount,
  read: parseDecimalSum,
  write: (sumMinor, currency) =>
    Number.isSafeInteger(sumMinor) && Number(sumMinor) >= 0
      ? formatDecimalAmount(Number(sumMinor), currency)
      : undefined,
}

/** An amount in minor units. */
export const minorAmount: ValueKind = {
  describe: '15 digits, minor units of the currency',
  charsMax: 15,
  reason: 'AMOUNT',
  read: parseMinorAmount,
  write: (amountMinor) => (isAmount(Number(amountMinor)) ? formatMinorAmount(Number(amountMinor)) : undefined),
}
