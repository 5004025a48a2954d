/**
 * `parameters.tsv` restates the parameters of the contract document row by row, independently of the product. This file
 * derives from every row values that must pass (at the bounds) and values that must fail (just past the bounds). An
 * empty value means an absent parameter, so no value is shorter than one character. Lengths are in code points.
 */
import { readFileSync } from 'node:fs'

const SURFACES = ['payment', 'report', 'query'] as const
const NEEDS = ['R', 'C', 'O'] as const

/** A row of `parameters.tsv`: one parameter of the contract document. */
export interface Row {
  readonly section: string
  readonly surface: (typeof SURFACES)[number]
  /** The name in the document: `[n]` is an index; `[key]`, `[name]` and `[brand]` are the key of a map. */
  readonly name: string
  /** Kind and bounds in the notation of `KINDS` below. */
  readonly format: string
  /** Required (R), conditionally required (C) or optional (O). */
  readonly need: (typeof NEEDS)[number]
  /** The text of the column for the format in the document. */
  readonly source: string
}

/** A parameter as it is sent, with concrete indexes and keys. */
export interface Sample {
  readonly name: string
  readonly value: string
  readonly isValid: boolean
}

interface Values {
  readonly valid: readonly string[]
  readonly invalid: readonly string[]
}

const INDEX_MAX = 999
/** One code point, two UTF-16 code units. */
const ASTRAL = '\u{1D11E}'
/** Characters that distinguish the classes of characters. */
const CHARACTERS = ['A', 'a', 'Z', 'g', 'z', '4', ' ', '-', '_', '.', '+', '/', '!']

const text = (length: number): string => 'A'.repeat(length)
/** Digits that satisfy the Luhn check if their number is even. */
const digits = (length: number): string => '42'.repeat(length).slice(0, length)
const padded = (number: number): string => String(number).padStart(2, '0')
const list = (words: string): readonly string[] => words.split('|')

/**
 * `min` to `max` characters of any kind. If not every such text is valid, `example` is the only valid sample, and `min`
 * is equal to `max`.
 */
function freeText(min: number, max: number, example?: string): Values {
  if (example !== undefined) return { valid: [example], invalid: [example.slice(0, min - 1), `${example}A`] }
  return {
    valid: [text(Math.max(min, 1)), text(max - 1) + ASTRAL],
    invalid: [...(min > 1 ? [text(min - 1), text(min - 2) + ASTRAL] : []), text(max + 1)],
  }
}

/**
 * `min` to `max` characters of one class, written as in a regular expression. If not every such text is valid,
 * `example` is the only valid sample, and `min` is equal to `max`.
 */
function charactersOf(characters: string, min: number, max: number, example?: string): Values {
  const pattern = new RegExp(`^${characters}$`, 'u')
  const accepted = CHARACTERS.filter((character) => pattern.test(character))
  const rejected = CHARACTERS.filter((character) => !pattern.test(character))
  const first = accepted[0] ?? ''
  const fill = (length: number): string => (first === '4' ? digits(length) : first.repeat(length))
  // All accepted characters in one value, if it is not too long. The class `[^]`, which rejects none, is not tested.
  const allAccepted =
    accepted.length > 1 && rejected.length > 0 && accepted.length < max
      ? [(accepted.join('') + first).padEnd(min, first)]
      : []
  const base = example ?? fill(Math.min(Math.max(min, 3), max))
  const middle = base.length >> 1
  return {
    valid: example === undefined ? [...new Set([fill(Math.max(min, 1)), fill(max), ...allAccepted])] : [example],
    invalid: [
      ...(min > 1 ? [fill(min - 1)] : []),
      fill(max + 1),
      ...rejected.map((character) => base.slice(0, middle) + character + base.slice(middle + 1)),
    ],
  }
}

/** `min` to `max` digits, then a dot and a number of decimals from `decimals`; 0 means neither dot nor decimals. */
function decimal(min: number, max: number, decimals: readonly number[]): Values {
  const decimalsMax = Math.max(...decimals)
  const number = (whole: number, count: number): string => digits(whole) + (count > 0 ? `.${digits(count)}` : '')
  const rejectedCounts = Array.from({ length: decimalsMax + 2 }, (_, count) => count).filter(
    (count) => !decimals.includes(count),
  )
  return {
    valid: decimals.flatMap((count) => [number(Math.max(min, 1), count), number(max, count)]),
    invalid: [
      number(max + 1, decimalsMax),
      ...rejectedCounts.map((count) => number(1, count)),
      ...(min > 0 ? [`.${digits(decimalsMax)}`] : []),
      // If one decimal is permitted, the document does not state whether a dot without decimals is.
      ...(decimals.includes(1) ? [] : ['42.']),
      `42,${digits(decimalsMax)}`,
      `-${number(2, decimalsMax)}`,
      'A',
    ],
  }
}

/** A phone number of `min` to `max` characters: a plus or a digit, then characters of the class. */
function phone(characters: string, min: number, max: number): Values {
  const { invalid } = charactersOf(characters, min, max)
  return {
    valid: [digits(min), digits(max), `+${digits(max - 1)}`, '+42 (42)-4.2'],
    invalid: [...invalid, `-${digits(7)}`, `(${digits(7)}`],
  }
}

/** Two digits from `min` to `max`. */
function twoDigits(min: number, max: number): Values {
  return {
    valid: [padded(min), padded(max)],
    invalid: [padded(min - 1), padded(max + 1), String(min), `0${padded(min)}`, 'AA'],
  }
}

/** A whole number from `min` to `max`. */
function wholeNumber(min: number, max: number): Values {
  return { valid: [`${min}`, `${max}`], invalid: [`${min - 1}`, `${max + 1}`, `${-max}`, `${min}.5`, 'A'] }
}

/** One of the words, case-sensitive. */
function oneOf(words: readonly string[]): Values {
  const [word = ''] = words
  const otherCase = word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase()
  const candidates = [otherCase, `${word}X`, `${word} `, `${word},${word}`]
  return { valid: words, invalid: candidates.filter((value) => !words.includes(value)) }
}

/** Comma-separated words. */
function listOf(words: readonly string[]): Values {
  const first = words[0] ?? ''
  return {
    valid: [...words, words.join(',')],
    invalid: [`${first},??`, '??', first.toLowerCase(), `${first};${first}`],
  }
}

/** A field of a cron expression: `min` to `max`, the special characters that it allows, the first and the last name. */
function cronField(min: number, max: number, specials = '', names = ''): Values {
  const forms: Record<string, string> = {
    ',': `${min},${max}`,
    '-': `${min}-${max}`,
    '*': '*',
    '/': `${min}/2`,
    '?': '?',
    L: 'L',
    W: '15W',
    '#': '2#1',
  }
  const fieldsWith = (allowed: boolean): string[] =>
    Object.keys(forms).flatMap((special) => (specials.includes(special) === allowed ? [forms[special] ?? ''] : []))
  return {
    valid: [
      `${min}`,
      `${max}`,
      ...fieldsWith(true),
      ...(names === '' ? [] : [...list(names), names.replace('|', '-')]),
    ],
    invalid: [...(min > 0 ? [`${min - 1}`] : []), `${max + 1}`, ...fieldsWith(false), 'XYZ', '!'],
  }
}

/**
 * A cron expression of six or seven fields and at most `max` characters. Whether its fields make sense is not a matter
 * of format: a schedule that cannot run has result codes of its own.
 */
function cronLine(max: number): Values {
  const rest = ' 10 0 1 * ? *'
  const longest = `0${',0'.repeat((max - 1 - rest.length) / 2)}${rest}`
  return {
    valid: ['0 0 0 1 * ?', '0 0 0 1 * ? 2024-2099', longest],
    invalid: [longest.replace('10 0', '10 10'), '0 0 0 1 *', '0 0 0 1 * ? * *', 'monthly'],
  }
}

/**
 * A URL. `min` and `max` bound its length if the document does; `relation` is `absolute` if the document requires an
 * absolute URL.
 */
function url(min?: number, max?: number, relation?: string): Values {
  const plainUrl = 'https://shop.example/result?order=1'
  const relative = ['/result', 'shop.example/result']
  if (min === undefined || max === undefined) return { valid: [plainUrl], invalid: ['not a url', ...relative] }
  return {
    valid: [plainUrl, 'ab://'.padEnd(min, 'c'), 'https://shop.example/'.padEnd(max, 'c')],
    invalid: ['a://'.padEnd(min - 1, 'c'), plainUrl.padEnd(max + 1, 'c'), ...(relation === 'absolute' ? relative : [])],
  }
}

const DATES: Values = {
  valid: ['1900-01-01', '2024-02-29', '2099-12-31'],
  invalid: [
    '1899-12-31',
    '2100-01-01',
    '2023-02-29',
    '2024-13-01',
    '2024-00-01',
    '2024-01-00',
    '2024-1-01',
    '20240101',
  ],
}

/**
 * The kinds of formats. A format is a kind and its arguments, separated by spaces. `samplesFor` interprets one more
 * kind, `MAP`: its arguments are the class and the bounds of the key (`[^]` if the document has no class), then the
 * format of the value.
 */
const KINDS: Record<string, (args: readonly string[]) => Values> = {
  // Any text: least length, greatest length, example.
  TXT: ([min, max, example]) => freeText(Number(min), Number(max), example),
  // Text without stated bounds: examples.
  TEXT: ([examples]) => ({ valid: examples === undefined ? ['plain text'] : list(examples), invalid: [] }),
  // Characters of one class: class, least length, greatest length, example.
  OF: ([characters, min, max, example]) => charactersOf(characters ?? '', Number(min), Number(max), example),
  DIGITS: ([min, max, example]) => charactersOf('[0-9]', Number(min), Number(max), example),
  AMT: () => decimal(1, 10, [0, 2]),
  AMT2: () => decimal(1, 10, [2]),
  // A decimal number: least and greatest number of digits before the dot, permitted numbers of decimals.
  DECIMAL: ([min, max, decimals]) => decimal(Number(min), Number(max), (decimals ?? '').split(',').map(Number)),
  PERCENT: () => ({
    valid: ['0', '100', '100.00', '19.5', '19.25'],
    invalid: ['100.01', '101', '-1', '19.255', '19,25', '19%', 'A'],
  }),
  DEGREES: () => ({
    valid: ['42.4', '-42.4', '42.42424242'],
    invalid: ['42', '42.', '42.424242424', '42,4', 'A'],
  }),
  INT: ([min, max]) => wholeNumber(Number(min), Number(max)),
  // Two digits: lowest number, highest number.
  NN: ([min, max]) => twoDigits(Number(min), Number(max)),
  YEAR: () => ({ valid: ['1900', '1999', '2000', '2099'], invalid: ['1899', '2100', '99', '200', '20000', '20A0'] }),
  DATE: () => DATES,
  // A date yyyy-MM-dd of any century.
  YMD: () => ({ ...DATES, invalid: DATES.invalid.slice(2) }),
  TS: () => ({
    valid: ['2024-01-01 00:00:00', '2024-02-29 23:59:59'],
    invalid: [
      '2024-01-01',
      '2024-01-01T00:00:00',
      '2023-02-29 00:00:00',
      '2024-13-01 00:00:00',
      '2024-01-01 24:00:00',
      '2024-01-01 00:60:00',
      '2024-01-01 00:00:60',
      '2024-01-01 0:00:00',
    ],
  }),
  // A timestamp with its zone offset.
  TSZ: () => ({
    valid: ['2024-01-01 00:00:00+0000', '2024-02-29 23:59:59-0500'],
    invalid: ['2024-01-01 00:00:00', '2024-13-01 00:00:00+0000', '2024-01-01 24:00:00+0000', '2024-01-01+0000'],
  }),
  CUR: () => ({ valid: ['EUR', 'USD', 'JPY'], invalid: ['EU', 'EURO', 'eur', 'E1R', 'ZZZ'] }),
  CC2: () => ({ valid: ['DE', 'US', 'de'], invalid: ['D', 'DEU', 'D1', 'ZZ'] }),
  // Two letters or three digits.
  COUNTRY: () => ({ valid: ['DE', '276'], invalid: ['D', 'DEU', 'D1', '27', '2760', '27A'] }),
  BOOL: () => oneOf(['true', 'false']),
  ENUM: ([words]) => oneOf(list(words ?? '')),
  LIST: ([words]) => listOf(list(words ?? '')),
  PHONE: ([characters, min, max]) => phone(characters ?? '', Number(min), Number(max)),
  // The Norwegian number has the document's minimum length, the Maltese number the maximum.
  IBAN: () => ({
    valid: ['NO9386011117947', 'DE89370400440532013000', 'MT84MALT011000012345MTLCAST001S'],
    invalid: [
      'NO938601111794',
      'MT84MALT011000012345MTLCAST001S0',
      '1O9386011117947',
      'NOA386011117947',
      'NO93-6011117947',
      'NO93 8601 1117 947',
    ],
  }),
  BIC: () => ({
    valid: ['DEUTDEFF', 'DEUTDEFF500'],
    invalid: ['DEUTDEF', 'DEUTDEFF5', 'DEUTDEFF50', 'DEUTDEFF5000', 'DEUT-EFF'],
  }),
  BASE64: ([min, max]) => ({
    valid: [`${text(Number(min) - 1)}=`, text(Number(max))],
    invalid: [
      text(Number(min) - 4),
      text(Number(min) - 1),
      text(Number(max) + 1),
      text(Number(max) + 4),
      `${text(Number(min) - 1)}!`,
    ],
  }),
  URL: ([min, max, relation]) =>
    min === undefined || max === undefined ? url() : url(Number(min), Number(max), relation),
  // A field of a cron expression: lowest and highest number, special characters, first and last name.
  CRON: ([min, max, specials, names]) => cronField(Number(min), Number(max), specials, names),
  CRONLINE: ([max]) => cronLine(Number(max)),
  // Digits after a fixed text: the text, the number of digits.
  AFTER: ([start = '', count]) => {
    const { valid, invalid } = charactersOf('[0-9]', Number(count), Number(count))
    const withStart = (end: string): string => start + end
    return {
      valid: valid.map(withStart),
      invalid: [...invalid.map(withStart), ...valid.map((end) => `9${start.slice(1)}${end}`)],
    }
  },
  // The parameter is sent as a header, never in a form.
  HEADER: () => ({ valid: [], invalid: [] }),
}

function valuesFor(format: string): Values {
  const [kind, ...args] = format.split(' ')
  const values = KINDS[kind ?? '']
  if (values === undefined) throw new Error(`unknown kind ${kind} in parameters.tsv`)
  return values(args)
}

/** Every row of `parameters.tsv`, in the document's order. */
export function rows(): Row[] {
  const file = readFileSync(new URL('../../contract/parameters.tsv', import.meta.url), 'utf8')
  return file.trimEnd().split('\n').slice(1).map(parseRow)
}

function parseRow(line: string): Row {
  const [section = '', surface = '', name = '', format = '', need = '', source = ''] = line.split('\t')
  if (!isOneOf(SURFACES, surface) || !isOneOf(NEEDS, need)) throw new Error(`invalid line in parameters.tsv: ${line}`)
  return { section, surface, name, format, need, source }
}

function isOneOf<T extends string>(words: readonly T[], word: string): word is T {
  return words.some((candidate) => candidate === word)
}

/** The samples of a row, with values, indexes and map keys at their bounds and just past them. */
export function samplesFor(row: Row): Sample[] {
  const [kind, characters, min, max, ...valueFormat] = row.format.split(' ')
  if (kind !== 'MAP') return [...samplesOf(withFirstIndex(row.name), valuesFor(row.format)), ...indexSamples(row)]
  const map = row.name.slice(0, row.name.indexOf('['))
  const keys = charactersOf(characters ?? '', Number(min), Number(max))
  const values = valuesFor(valueFormat.join(' '))
  const [key = '', value = ''] = [keys.valid[0], values.valid[0]]
  return [
    ...keys.valid.map((name) => ({ name: `${map}[${name}]`, value, isValid: true })),
    ...keys.invalid.map((name) => ({ name: `${map}[${name}]`, value, isValid: false })),
    ...samplesOf(`${map}[${key}]`, values),
  ]
}

/** The samples of the indexes of a name: each index at its maximum and just past it, while the other indexes are 0. */
function indexSamples(row: Row): Sample[] {
  const value = valuesFor(row.format).valid[0] ?? ''
  const parts = row.name.split('[n]')
  return parts.slice(1).flatMap((_, position) => {
    const start = withFirstIndex(parts.slice(0, position + 1).join('[n]'))
    const end = withFirstIndex(parts.slice(position + 1).join('[n]'))
    const nameAt = (index: number): string => `${start}[${index}]${end}`
    return [
      { name: nameAt(INDEX_MAX), value, isValid: true },
      { name: nameAt(INDEX_MAX + 1), value, isValid: false },
    ]
  })
}

const withFirstIndex = (name: string): string => name.replaceAll('[n]', '[0]')

function samplesOf(name: string, values: Values): Sample[] {
  return [
    ...values.valid.map((value) => ({ name, value, isValid: true })),
    ...values.invalid.map((value) => ({ name, value, isValid: false })),
  ]
}
