/**
 * An independent reading of the request parameters: `parameters.tsv` restates the contract document, row by row, and
 * this file derives from every row values that must pass (the bounds) and values that must fail (just past them).
 * An empty value means an absent parameter, so no value is shorter than one character. Lengths count code points.
 */
import { readFileSync } from 'node:fs'

const SURFACES = ['payment', 'report', 'query'] as const
const NEEDS = ['R', 'C', 'O'] as const

/** One parameter name of the contract document. */
export interface Row {
  readonly section: string
  readonly surface: (typeof SURFACES)[number]
  /** As in the document: `[n]` is an index, `[key]`, `[name]` and `[brand]` are the key of a map. */
  readonly name: string
  /** Kind and bounds in the notation of `KINDS` below. */
  readonly format: string
  readonly need: (typeof NEEDS)[number]
  /** The words of the document's format cell. */
  readonly source: string
}

/** A parameter as it is sent, with concrete indexes and keys. */
export interface Sample {
  readonly name: string
  readonly value: string
  readonly valid: boolean
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
const two = (number: number): string => String(number).padStart(2, '0')
const list = (words: string): readonly string[] => words.split('|')

/** Any characters: `lo` to `hi` of them. */
function freeText(lo: number, hi: number, example?: string): Values {
  if (example !== undefined) return { valid: [example], invalid: [example.slice(0, lo - 1), `${example}A`] }
  return {
    valid: [text(Math.max(lo, 1)), text(hi - 1) + ASTRAL],
    invalid: [...(lo > 1 ? [text(lo - 1), text(lo - 2) + ASTRAL] : []), text(hi + 1)],
  }
}

/** `lo` to `hi` characters of one class, written as in a regular expression. */
function charactersOf(characters: string, lo: number, hi: number, example?: string): Values {
  const pattern = new RegExp(`^${characters}$`, 'u')
  const accepted = CHARACTERS.filter((character) => pattern.test(character))
  const rejected = CHARACTERS.filter((character) => !pattern.test(character))
  const first = accepted[0] ?? ''
  const fill = (length: number): string => (first === '4' ? digits(length) : first.repeat(length))
  // Without a character class in the document, the accepted characters are not tested.
  const every =
    accepted.length > 1 && rejected.length > 0 && accepted.length < hi
      ? [(accepted.join('') + first).padEnd(lo, first)]
      : []
  const base = example ?? fill(Math.min(Math.max(lo, 3), hi))
  const middle = base.length >> 1
  return {
    valid: example === undefined ? [...new Set([fill(Math.max(lo, 1)), fill(hi), ...every])] : [example],
    invalid: [
      ...(lo > 1 ? [fill(lo - 1)] : []),
      fill(hi + 1),
      ...rejected.map((character) => base.slice(0, middle) + character + base.slice(middle + 1)),
    ],
  }
}

/** `lo` to `hi` digits, then a dot and a number of decimals from `decimals`; 0 means neither dot nor decimals. */
function decimal(lo: number, hi: number, decimals: readonly number[]): Values {
  const decimalsMax = Math.max(...decimals)
  const number = (whole: number, count: number): string => digits(whole) + (count > 0 ? `.${digits(count)}` : '')
  const rejectedCounts = Array.from({ length: decimalsMax + 2 }, (_, count) => count).filter(
    (count) => !decimals.includes(count),
  )
  return {
    valid: decimals.flatMap((count) => [number(Math.max(lo, 1), count), number(hi, count)]),
    invalid: [
      number(hi + 1, decimalsMax),
      ...rejectedCounts.map((count) => number(1, count)),
      ...(lo > 0 ? [`.${digits(decimalsMax)}`] : []),
      ...(decimals.includes(1) ? [] : ['42.']),
      `42,${digits(decimalsMax)}`,
      `-${number(2, decimalsMax)}`,
      'A',
    ],
  }
}

/** A phone number of `lo` to `hi` characters: a plus or a digit, then characters of the class. */
function phone(characters: string, lo: number, hi: number): Values {
  const { invalid } = charactersOf(characters, lo, hi)
  return {
    valid: [digits(lo), digits(hi), `+${digits(hi - 1)}`, '+42 (42)-4.2'],
    invalid: [...invalid, `-${digits(7)}`, `(${digits(7)}`],
  }
}

/** Two digits from `lo` to `hi`. */
function twoDigits(lo: number, hi: number): Values {
  return { valid: [two(lo), two(hi)], invalid: [two(lo - 1), two(hi + 1), String(lo), `0${two(lo)}`, 'AA'] }
}

/** A whole number from `lo` to `hi`. */
function wholeNumber(lo: number, hi: number): Values {
  return { valid: [`${lo}`, `${hi}`], invalid: [`${lo - 1}`, `${hi + 1}`, `${-hi}`, `${lo}.5`, 'A'] }
}

/** One of the words, case-sensitive. */
function oneOf(words: readonly string[]): Values {
  const [word = ''] = words
  const otherCase = word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase()
  const wrong = [otherCase, `${word}X`, `${word} `, `${word},${word}`]
  return { valid: words, invalid: wrong.filter((value) => !words.includes(value)) }
}

/** Comma-separated words. */
function listOf(words: readonly string[]): Values {
  const first = words[0] ?? ''
  return {
    valid: [...words, words.join(',')],
    invalid: [`${first},??`, '??', first.toLowerCase(), `${first};${first}`],
  }
}

/** A field of a cron expression: `lo` to `hi`, the special characters that it allows, the first and the last name. */
function cronField(lo: number, hi: number, specials = '', names = ''): Values {
  const forms: Record<string, string> = {
    ',': `${lo},${hi}`,
    '-': `${lo}-${hi}`,
    '*': '*',
    '/': `${lo}/2`,
    '?': '?',
    L: 'L',
    W: '15W',
    '#': '2#1',
  }
  const fieldsWith = (allowed: boolean): string[] =>
    Object.keys(forms).flatMap((special) => (specials.includes(special) === allowed ? [forms[special] ?? ''] : []))
  return {
    valid: [`${lo}`, `${hi}`, ...fieldsWith(true), ...(names === '' ? [] : [...list(names), names.replace('|', '-')])],
    invalid: [...(lo > 0 ? [`${lo - 1}`] : []), `${hi + 1}`, ...fieldsWith(false), 'XYZ', '!'],
  }
}

/**
 * A cron expression of six or seven fields and at most `hi` characters. Whether its fields make sense is not a matter
 * of format: a schedule that cannot run has result codes of its own.
 */
function cronLine(hi: number): Values {
  const rest = ' 10 0 1 * ? *'
  const longest = `0${',0'.repeat((hi - 1 - rest.length) / 2)}${rest}`
  return {
    valid: ['0 0 0 1 * ?', '0 0 0 1 * ? 2024-2099', longest],
    invalid: [longest.replace('10 0', '10 10'), '0 0 0 1 *', '0 0 0 1 * ? * *', 'monthly'],
  }
}

/** A URL; `lo` and `hi` bound its length if the document does, `relation` is `absolute` if the document requires it. */
function url(lo?: number, hi?: number, relation?: string): Values {
  const plain = 'https://shop.example/result?order=1'
  const relative = ['/result', 'shop.example/result']
  if (lo === undefined || hi === undefined) return { valid: [plain], invalid: ['not a url', ...relative] }
  return {
    valid: [plain, 'ab://'.padEnd(lo, 'c'), 'https://shop.example/'.padEnd(hi, 'c')],
    invalid: ['a://'.padEnd(lo - 1, 'c'), plain.padEnd(hi + 1, 'c'), ...(relation === 'absolute' ? relative : [])],
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
 * The notation: a kind, then its arguments, separated by blanks. A further kind, `MAP`, is interpreted by `samplesFor`:
 * its arguments are the class and the bounds of the key (`[^]` if the document names no class), then the notation of
 * the value.
 */
const KINDS: Record<string, (args: readonly string[]) => Values> = {
  // Any text: from, to, example.
  TXT: ([lo, hi, example]) => freeText(Number(lo), Number(hi), example),
  // Text without stated bounds: examples.
  TEXT: ([examples]) => ({ valid: examples === undefined ? ['plain text'] : list(examples), invalid: [] }),
  // Characters of one class: class, from, to, example.
  OF: ([characters, lo, hi, example]) => charactersOf(characters ?? '', Number(lo), Number(hi), example),
  DIGITS: ([lo, hi, example]) => charactersOf('[0-9]', Number(lo), Number(hi), example),
  AMT: () => decimal(1, 10, [0, 2]),
  AMT2: () => decimal(1, 10, [2]),
  // Digits before the dot: from, to; allowed counts of decimals.
  DECIMAL: ([lo, hi, decimals]) => decimal(Number(lo), Number(hi), (decimals ?? '').split(',').map(Number)),
  PERCENT: () => ({
    valid: ['0', '100', '100.00', '19.5', '19.25'],
    invalid: ['100.01', '101', '-1', '19.255', '19,25', '19%', 'A'],
  }),
  DEGREES: () => ({
    valid: ['42.4', '-42.4', '42.42424242'],
    invalid: ['42', '42.', '42.424242424', '42,4', 'A'],
  }),
  INT: ([lo, hi]) => wholeNumber(Number(lo), Number(hi)),
  // Two digits: from, to.
  NN: ([lo, hi]) => twoDigits(Number(lo), Number(hi)),
  YEAR: () => ({ valid: ['1900', '1999', '2000', '2099'], invalid: ['1899', '2100', '99', '200', '20000', '20A0'] }),
  DATE: () => DATES,
  // yyyy-MM-dd of any century.
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
  PHONE: ([characters, lo, hi]) => phone(characters ?? '', Number(lo), Number(hi)),
  // The shortest and the longest account numbers are a Norwegian and a Maltese one.
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
  BASE64: ([lo, hi]) => ({
    valid: [`${text(Number(lo) - 1)}=`, text(Number(hi))],
    invalid: [
      text(Number(lo) - 4),
      text(Number(lo) - 1),
      text(Number(hi) + 1),
      text(Number(hi) + 4),
      `${text(Number(lo) - 1)}!`,
    ],
  }),
  URL: ([lo, hi, relation]) => (lo === undefined || hi === undefined ? url() : url(Number(lo), Number(hi), relation)),
  // Lowest, highest, special characters, first and last name.
  CRON: ([lo, hi, specials, names]) => cronField(Number(lo), Number(hi), specials, names),
  CRONLINE: ([hi]) => cronLine(Number(hi)),
  // Digits after a fixed beginning: beginning, count.
  AFTER: ([start = '', count]) => {
    const { valid, invalid } = charactersOf('[0-9]', Number(count), Number(count))
    const after = (end: string): string => start + end
    return {
      valid: valid.map(after),
      invalid: [...invalid.map(after), ...valid.map((end) => `9${start.slice(1)}${end}`)],
    }
  },
  // Sent as a header, never in a form.
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
  return words.some((each) => each === word)
}

/** The parameters to send for a row: at its bounds and just past them, indexes and map keys included. */
export function samplesFor(row: Row): Sample[] {
  const [kind, characters, lo, hi, ...valueFormat] = row.format.split(' ')
  if (kind !== 'MAP') return [...samplesOf(withFirstIndex(row.name), valuesFor(row.format)), ...indexSamples(row)]
  const map = row.name.slice(0, row.name.indexOf('['))
  const keys = charactersOf(characters ?? '', Number(lo), Number(hi))
  const values = valuesFor(valueFormat.join(' '))
  const [key = '', value = ''] = [keys.valid[0], values.valid[0]]
  return [
    ...keys.valid.map((name) => ({ name: `${map}[${name}]`, value, valid: true })),
    ...keys.invalid.map((name) => ({ name: `${map}[${name}]`, value, valid: false })),
    ...samplesOf(`${map}[${key}]`, values),
  ]
}

/** For each index of the name, the last valid index and the one past it, all other indexes being 0. */
function indexSamples(row: Row): Sample[] {
  const value = valuesFor(row.format).valid[0] ?? ''
  const parts = row.name.split('[n]')
  return parts.slice(1).flatMap((_, position) => {
    const start = withFirstIndex(parts.slice(0, position + 1).join('[n]'))
    const end = withFirstIndex(parts.slice(position + 1).join('[n]'))
    const at = (index: number): string => `${start}[${index}]${end}`
    return [
      { name: at(INDEX_MAX), value, valid: true },
      { name: at(INDEX_MAX + 1), value, valid: false },
    ]
  })
}

const withFirstIndex = (name: string): string => name.replaceAll('[n]', '[0]')

function samplesOf(name: string, values: Values): Sample[] {
  return [
    ...values.valid.map((value) => ({ name, value, valid: true })),
    ...values.invalid.map((value) => ({ name, value, valid: false })),
  ]
}
