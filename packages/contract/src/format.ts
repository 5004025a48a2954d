/**
 * The kinds of formats in parameter tables. The check and the JSON Schema of a `Format` accept the same values, except
 * where no schema can express the check: existing dates, ISO codes and URLs.
 */
import { countries, isCountry } from './countries.ts'
import { currencies, isCurrency } from './currencies.ts'
import { isCalendarDate, isTimeOfDay } from './format-date.ts'
import { countCharacters, isForbiddenControl } from './format-utf8.ts'
import { limits } from './limits.ts'
import { parseUrl } from './parse-url.ts'
import type { Format } from './row.ts'

/** Character classes of regular expressions, by their names in the contract. */
const classes = {
  digits: '0-9',
  letters: 'A-Za-z',
  'uppercase letters': 'A-Z',
  'letters or digits': 'A-Za-z0-9',
  'letters or hyphens': 'A-Za-z-',
  'letters, digits or dots': 'A-Za-z0-9.',
  'letters, digits or hyphens': 'A-Za-z0-9-',
  'letters, digits or underscores': 'A-Za-z0-9_',
  'letters, digits, dots or underscores': 'A-Za-z0-9._',
  'letters, digits, pluses, hyphens or dots': 'A-Za-z0-9+.-',
  'lowercase hexadecimal digits': '0-9a-f',
  'base64 characters': 'A-Za-z0-9+/=_-',
  'a plus or a digit': '+0-9',
  'digits, spaces, dots, parentheses, slashes or hyphens': '0-9 .()/-',
  'digits, spaces, dots, parentheses or hyphens': '0-9 .()-',
} as const

/** A class of characters, named by the words of the contract. */
export type CharacterClass = keyof typeof classes

/** `min` to `max` characters of one class. */
type Characters = readonly [characters: CharacterClass, min: number, max: number]

const span = (min: number, max: number): string =>
  min === max ? `${max}` : min === 0 ? `up to ${max}` : `${min} to ${max}`

const quantifier = (min: number, max: number): string => (min === max ? `{${max}}` : `{${min},${max}}`)

/**
 * TXT(min,max): any text, counted in characters (code points), without control characters except tab and line breaks.
 */
export function text(min: number, max: number): Format {
  return {
    kind: 'text',
    describe: `${span(min, max)} characters`,
    message: `must match ^[\\s\\S]${quantifier(min, max)}$`,
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      pattern: String.raw`^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]*$`,
    },
    accepts: (value) => isText(value, min, max),
    acceptsBytes: (bytes) => {
      const count = countCharacters(bytes)
      return count >= min && count <= max
    },
  }
}

/** Text without bounds in the contract ("text"). */
export const anyText: Format = text(1, limits.textCharsMax)

/** Any value, for parameters whose format only a few operations define. */
export const anyValue: Format = pattern('any', /^[^]*$/)

function isText(value: string, min: number, max: number): boolean {
  // A character takes at most two UTF-16 code units, so this condition bounds the loop.
  if (value.length < min || value.length > 2 * max) return false
  let count = value.length
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (unit < 0x20 || unit === 0x7f) {
      if (isForbiddenControl(unit)) return false
    } else if (unit >= 0xdc00 && unit < 0xe000) count--
  }
  return count >= min && count <= max
}

/** `min` to `max` characters of one class: `chars('digits', 8, 32)`. */
export const chars = (characters: CharacterClass, min: number, max: number): Format =>
  sequence(`${span(min, max)} ${characters}`, [characters, min, max])

/** Characters of one class after another; all parts but the last have a fixed length: an IBAN, a phone number. */
export function sequence(describe: string, ...parts: readonly Characters[]): Format {
  const source = `^${parts.map(([name, min, max]) => `[${classes[name]}]${quantifier(min, max)}`).join('')}$`
  const last = parts.at(-1)
  if (last === undefined) throw new Error('a sequence needs at least one part')
  const heads = parts.slice(0, -1).flatMap(([name, , max]) => Array.from({ length: max }, () => tableOf(name)))
  const tail = tableOf(last[0])
  const min = heads.length + last[1]
  const max = heads.length + last[2]
  return {
    kind: 'characters',
    describe,
    message: `must match ${source}`,
    schema: { type: 'string', minLength: min, maxLength: max, pattern: source },
    accepts: (value) => {
      if (value.length < min || value.length > max) return false
      for (let i = 0; i < value.length; i++) if ((heads[i] ?? tail)[value.charCodeAt(i)] !== 1) return false
      return true
    },
    acceptsBytes: (bytes) => {
      if (bytes.length < min || bytes.length > max) return false
      for (let i = 0; i < bytes.length; i++) if ((heads[i] ?? tail)[bytes[i] ?? 0] !== 1) return false
      return true
    },
  }
}

/** A table by ASCII code: 1 for characters of the class, otherwise 0. */
function tableOf(name: CharacterClass): Uint8Array {
  const member = new RegExp(`[${classes[name]}]`)
  return Uint8Array.from({ length: 128 }, (_, code) => (member.test(String.fromCharCode(code)) ? 1 : 0))
}

/**
 * Texts that match an anchored expression. Every expression must match in linear time.
 *
 * @param condition a further condition that no expression can state; the error message then contains `describe`
 */
export function pattern(describe: string, source: RegExp, condition?: (value: string) => boolean): Format {
  return {
    kind: 'pattern',
    describe,
    message: condition === undefined ? `must match ${source.source}` : `must be ${describe}`,
    schema: { type: 'string', pattern: source.source },
    accepts:
      condition === undefined ? (value) => source.test(value) : (value) => source.test(value) && condition(value),
  }
}

/** Maps each value to itself, for `Format.codes`. */
export const codesOf = (values: readonly string[]): ReadonlyMap<string, string> =>
  new Map(values.map((value) => [value, value]))

/** One of the listed values. */
export function oneOf(...values: readonly string[]): Format {
  const codes = codesOf(values)
  return {
    kind: 'enum',
    describe: `one of ${values.join(', ')}`,
    message: `must be one of [${values.join(', ')}]`,
    schema: { type: 'string', enum: values },
    accepts: (value) => codes.has(value),
    codes,
  }
}

/** Values of a list, separated by commas; at most as many as the list has. */
export function listOf(describe: string, values: readonly string[]): Format {
  const allowed = new Set(values)
  const itemPattern = `(?:${values.join('|')})`
  return {
    kind: 'list',
    describe: `comma-separated list of ${describe}`,
    message: `must be a comma-separated list of values of [${values.join(', ')}]`,
    schema: { type: 'string', pattern: `^${itemPattern}(?:,${itemPattern}){0,${values.length - 1}}$` },
    accepts: (value) => {
      const items = value.split(',', values.length + 1)
      return items.length <= values.length && items.every((item) => allowed.has(item))
    },
  }
}

export const boolean: Format = oneOf('true', 'false')

/** Booleans as deployed clients of older platforms send them. */
export const legacyBoolean: Format = oneOf('true', 'false', '1', '0', 'True', 'False', 'TRUE', 'FALSE')

/** AMT: 1 to 10 digits, optionally a dot and exactly 2 digits. */
export const amount: Format = pattern(
  '1 to 10 digits, optionally a dot and exactly 2 digits',
  /^[0-9]{1,10}(\.[0-9]{2})?$/,
)

/** AMT2: 1 to 10 digits, a dot and exactly 2 digits. */
export const exactAmount: Format = pattern('1 to 10 digits, a dot and exactly 2 digits', /^[0-9]{1,10}\.[0-9]{2}$/)

/** Amounts as deployed clients of older platforms send them. */
export const legacyAmount: Format = pattern(
  '1 to 12 digits, optionally a dot and exactly 2 digits',
  /^[0-9]{1,12}(\.[0-9]{2})?$/,
)

/** DATE: yyyy-MM-dd of the Gregorian calendar, year starting with 19 or 20. */
export const date: Format = {
  ...pattern(
    'a date as yyyy-MM-dd, year starting with 19 or 20',
    /^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/,
    isCalendarDate,
  ),
  kind: 'date',
}

/** yyyy-MM-dd of any year: standing instructions without end expire on 9999-12-31. */
export const anyDate: Format = {
  ...pattern('a date as yyyy-MM-dd', /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/, isCalendarDate),
  kind: 'date',
}

/** TS: yyyy-MM-dd HH:mm:ss. */
export const timestamp: Format = {
  ...pattern(
    'a time as yyyy-MM-dd HH:mm:ss, year starting with 19 or 20',
    /^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$/,
    (value) => isCalendarDate(value) && isTimeOfDay(value),
  ),
  kind: 'timestamp',
}

/**
 * TS with a zone offset, which includes the times of answers. Milliseconds, a space before the offset and the colon in
 * it are optional; `Z` may replace the offset.
 */
export const zonedTimestamp: Format = {
  ...pattern(
    'a time as yyyy-MM-dd HH:mm:ss with zone offset, such as 2024-05-31 12:00:00+0200',
    /^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})? ?([+-][0-9]{2}:?[0-9]{2}|Z)$/,
    (value) => isCalendarDate(value) && isTimeOfDay(value),
  ),
  kind: 'timestamp',
}

/** CUR: 3 uppercase letters of ISO 4217. */
export const currency: Format = {
  ...pattern('a currency code of ISO 4217 (3 uppercase letters)', /^[A-Z]{3}$/, isCurrency),
  kind: 'currency',
  codes: codesOf(Object.keys(currencies)),
}

/** CC2: 2 letters of ISO 3166-1, in either case. */
export const country: Format = {
  ...pattern('a country code of ISO 3166-1 (2 letters)', /^[A-Za-z]{2}$/, (value) => isCountry(value.toUpperCase())),
  kind: 'country',
  codes: codesOf(Object.keys(countries)),
}

/** A BIC (ISO 9362): 8 characters for the bank, optionally 3 more for a branch. */
export const bic: Format = pattern('8 or 11 letters or digits', /^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$/)

/** Schemes that a browser executes or reads locally, instead of opening a page of a server. */
export const activeSchemes = [
  'javascript',
  'data',
  'vbscript',
  'file',
  'filesystem',
  'blob',
  'about',
  'view-source',
] as const

const activeProtocols: ReadonlySet<string> = new Set(activeSchemes.map((scheme) => `${scheme}:`))

/** Whether a value, parsed as browsers do, is a URL that they would execute or read locally. */
const isActive = (value: string): boolean => activeProtocols.has(parseUrl(value)?.protocol ?? '')

/** The URL standard ignores some of these characters (`java\tscript:`), but other parsers do not. */
const blankOrControl = /[\s\p{Cc}]/u

/**
 * Parses an absolute URL without blanks and control characters, so that all parsers agree; undefined for other texts.
 */
export const parseStrictUrl = (value: string): URL | undefined =>
  blankOrControl.test(value) ? undefined : parseUrl(value)

/** Whether a value is a URL that `parseStrictUrl` parses, without an active scheme. */
function isUrl(value: string): boolean {
  const parsed = parseStrictUrl(value)
  return parsed !== undefined && !activeProtocols.has(parsed.protocol)
}

/**
 * An absolute URL of `min` to `max` characters. Schemes of apps are accepted (to return to a mobile app), but
 * `activeSchemes` are not.
 */
export function url(min: number, max: number): Format {
  return {
    kind: 'url',
    describe: `an absolute URL of ${span(min, max)} characters`,
    message: `must be an absolute URL of ${span(min, max)} characters, without blanks`,
    schema: { type: 'string', minLength: min, maxLength: max, format: 'uri' },
    accepts: (value) => isText(value, min, max) && isUrl(value),
  }
}

/** Text that is usually a URL but need not be one: any text but a URL with an active scheme. */
export function webAddress(min: number, max: number): Format {
  const base = text(min, max)
  return {
    ...base,
    message: `must be a text of ${base.describe}, and not a URL with one of the schemes ${activeSchemes.join(', ')}`,
    accepts: (value) => base.accepts(value) && !isActive(value),
  }
}

/** Names of people and places in any script: letters with their marks, digits, whitespace. */
export const words = (min: number, max: number): Format =>
  anyScript('letters, digits or whitespace', String.raw`\p{L}\p{M}\p{N}\s`, min, max)

/** Letters of any script with their marks. */
export const anyLetters = (min: number, max: number): Format => anyScript('letters', String.raw`\p{L}\p{M}`, min, max)

const anyScript = (name: string, characters: string, min: number, max: number): Format =>
  pattern(`${span(min, max)} ${name}`, new RegExp(`^[${characters}]${quantifier(min, max)}$`, 'u'))

/** A request header. The contract lists it as a parameter, but it is never part of a form. */
export const bearerHeader: Format = {
  ...pattern('header, Bearer scheme with the access token', /^Bearer [!-~]+$/),
  kind: 'header',
}
