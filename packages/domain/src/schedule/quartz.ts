import type { ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'

/** One field of an expression: its range of numbers, and the code of a refusal of other numbers. */
interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly code: ResultCode
  readonly specialCharacters: string
  /** Names of the numbers, from the smallest. */
  readonly names: readonly string[]
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const row = (
  name: string,
  [min, max]: readonly [min: number, max: number],
  code: ResultCode,
  specialCharacters: string,
  names: readonly string[] = [],
): Field => ({ name, min, max, code, specialCharacters, names })

/** The fields in their order (contract, Scheduling). Years have the general code, because no code is for years. */
const fields = {
  second: row('job.second', [0, 59], '100.250.122', ', - * /'),
  minute: row('job.minute', [0, 59], '100.250.122', ', - * /'),
  hour: row('job.hour', [0, 23], '100.250.121', ', - * /'),
  dayOfMonth: row('job.dayOfMonth', [1, 31], '100.250.123', ', - * ? / L W'),
  month: row('job.month', [1, 12], '100.250.124', ', - * /', monthNames),
  dayOfWeek: row('job.dayOfWeek', [1, 7], '100.250.125', ', - * ? / L #', weekdayNames),
  year: row('job.year', [1970, 2099], '100.250.120', ', - * /'),
} as const

/** A day of the month, counted from its first (1 to 31) or back from its last (0 to 30). */
export interface DayOfMonth {
  readonly from: 'first' | 'last'
  readonly day: number
  /** Whether the job runs on the nearest weekday (Monday to Friday) of the same month instead of the day itself. */
  readonly nearestWeekday: boolean
}

/** The days of a month on which a job runs. */
export type Days =
  | { readonly kind: 'ofMonth'; readonly days: readonly DayOfMonth[] }
  /** Weekdays from 1, Sunday, to 7: all of them in the month, only the last, or only the first to fifth. */
  | { readonly kind: 'ofWeek'; readonly weekdays: readonly number[]; readonly occurrence: 'every' | 'last' | number }

/** A parsed Quartz expression. All lists of numbers are sorted and not empty. */
export interface Quartz {
  readonly kind: 'quartz'
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: Days
  readonly months: readonly number[]
  readonly years: readonly number[]
}

/** The parameters that refusals name: `job.expression`, or the single fields. */
export type QuartzSource = 'expression' | 'fields'

/** A token of the source, and the position of its first character in `job.expression` or in its own field, from 1. */
interface Token {
  readonly source: QuartzSource
  readonly text: string
  readonly position: number
}

/**
 * Reads a Quartz expression: second, minute, hour, day of month, month, day of week and, optionally, year.
 * `*`, `?`, lists, ranges (which may wrap, except of years: 22-2, FRI-MON), steps (the step of a bare `/n` or of `*`
 * counts from the smallest number), `L`, `L-n`, `W`, `LW`, `L-nW`, `#`; names in any case; 1 is Sunday. As in Quartz
 * 2.3 a step after names has no effect: MON-FRI/2 is MON-FRI.
 *
 * @param source the parameters that the client sent, which the reason of a refusal names
 * @returns the expression; or a refusal: 100.250.111 if the expression is empty, 100.250.110 if fields are missing,
 * 100.250.121 to .125 if a number or name is not in the range of its field, 100.250.120 for any other error, also for a
 * year out of range. The reason of an error in one field names that field, and the position unless the error is in the
 * first item of a single field
 */
export function parseQuartz(expression: string, source: QuartzSource = 'expression'): Quartz | Refused {
  const tokens: readonly Token[] = Array.from(expression.matchAll(/\S+/g), ({ 0: text, index }) => {
    return { source, text, position: source === 'fields' ? 1 : index + 1 }
  })
  const everyYear: Token = { source, text: '*', position: expression.length + 1 }
  const [second, minute, hour, dayOfMonth, month, dayOfWeek, year = everyYear] = tokens
  if (!second) return refused('100.250.111', 'job.expression is empty')
  if (!minute || !hour || !dayOfMonth || !month || !dayOfWeek) {
    return refused(
      '100.250.110',
      `job.expression has ${tokens.length} of its fields: second, minute, hour, day of month, month, day of week, year`,
    )
  }
  if (tokens.length > 7) return refused('100.250.120', 'job.expression has more than 7 fields')

  const seconds = parseNumbers(fields.second, second)
  if ('code' in seconds) return seconds
  const minutes = parseNumbers(fields.minute, minute)
  if ('code' in minutes) return minutes
  const hours = parseNumbers(fields.hour, hour)
  if ('code' in hours) return hours
  const days = parseDays(dayOfMonth, dayOfWeek)
  if ('code' in days) return days
  const months = parseNumbers(fields.month, month)
  if ('code' in months) return months
  const years = parseNumbers(fields.year, year)
  if ('code' in years) return years
  return { kind: 'quartz', seconds, minutes, hours, days, months, years }
}

/** Parses the two fields of days, of which exactly one must be `?`. */
function parseDays(dayOfMonth: Token, dayOfWeek: Token): Days | Refused {
  const ofWeek = dayOfMonth.text === '?'
  if (ofWeek === (dayOfWeek.text === '?')) {
    const reasons = ofWeek ? NO_DAY : bothDaysReasons(dayOfMonth, dayOfWeek)
    return refused('100.250.120', reasons[dayOfMonth.source])
  }
  return ofWeek ? parseDaysOfWeek(dayOfWeek) : parseDaysOfMonth(dayOfMonth)
}

type Reasons = Readonly<Record<QuartzSource, string>>

const NO_DAY: Reasons = {
  expression: 'job.expression has ? both for the day of month and for the day of week: give one of the two a day',
  fields: 'job.dayOfMonth and job.dayOfWeek are both ?: leave one of the two out, or give it a day',
}

const BOTH_DAYS: Reasons = {
  expression: 'job.expression has both a day of month and a day of week, which exclude each other',
  fields: 'job.dayOfMonth and job.dayOfWeek exclude each other',
}

/** The reasons name the field to leave out: the field that is `*`, else either field. */
function bothDaysReasons(dayOfMonth: Token, dayOfWeek: Token): Reasons {
  const surplus = [dayOfWeek, dayOfMonth].find(({ text }) => text === '*')
  if (surplus) {
    const [name, words] = surplus === dayOfWeek ? ['job.dayOfWeek', 'day of week'] : ['job.dayOfMonth', 'day of month']
    return {
      expression: `${BOTH_DAYS.expression}: put ? for the ${words}`,
      fields: `${BOTH_DAYS.fields}: leave ${name} out`,
    }
  }
  return {
    expression:
      `${BOTH_DAYS.expression}: put ? for the day of week to run on days of the month, ` +
      'or for the day of month to run on days of the week',
    fields:
      `${BOTH_DAYS.fields}: leave job.dayOfWeek out to run on days of the month, ` +
      'or job.dayOfMonth to run on days of the week',
  }
}

function parseDaysOfMonth(token: Token): Days | Refused {
  const days: DayOfMonth[] = []
  for (const item of itemsOf(token)) {
    const parsed = parseDayOfMonth(item)
    if ('code' in parsed) return parsed
    days.push(...parsed)
  }
  return { kind: 'ofMonth', days }
}

function parseDayOfMonth(item: Token): readonly DayOfMonth[] | Refused {
  const lastMatch = /^L(?:-(\d{1,2}))?(W)?$/i.exec(item.text)
  if (lastMatch) {
    const day = Number(lastMatch[1] ?? 0)
    if (day >= fields.dayOfMonth.max) return refusalAt(fields.dayOfMonth, item, 'have 0 to 30 after L-', 'number')
    return [{ from: 'last', day, nearestWeekday: lastMatch[2] !== undefined }]
  }
  const weekdayMatch = /^(\d{1,2})W$/i.exec(item.text)
  const days = parseItem(fields.dayOfMonth, weekdayMatch ? { ...item, text: weekdayMatch[1] ?? '' } : item)
  if ('code' in days) return days
  return days.map((day) => ({ from: 'first', day, nearestWeekday: weekdayMatch !== null }))
}

function parseDaysOfWeek(token: Token): Days | Refused {
  const field = fields.dayOfWeek
  // L alone is Saturday, the last day of the week.
  if (/^L$/i.test(token.text)) return { kind: 'ofWeek', weekdays: [7], occurrence: 'every' }
  const match = /^(\w+?)(?:L|#(\d+))$/i.exec(token.text)
  if (!match) {
    if (/L(?=,|$)|#/i.test(token.text)) return refusalAt(field, token, 'have L or # after a single day, not in a list')
    const weekdays = parseNumbers(field, token)
    return 'code' in weekdays ? weekdays : { kind: 'ofWeek', weekdays, occurrence: 'every' }
  }
  const weekday = numberOf(field, match[1] ?? '')
  if (weekday === undefined) return refusalAt(field, token, `be ${rangeOf(field)}`, 'number')
  const occurrence = match[2] === undefined ? 'last' : Number(match[2])
  if (occurrence === 0 || (occurrence !== 'last' && occurrence > 5))
    return refusalAt(field, token, 'have 1 to 5 after #')
  return { kind: 'ofWeek', weekdays: [weekday], occurrence }
}

/** The numbers of a list, sorted, each once. */
function parseNumbers(field: Field, token: Token): readonly number[] | Refused {
  const numbers = new Set<number>()
  for (const item of itemsOf(token)) {
    const parsed = parseItem(field, item)
    if ('code' in parsed) return parsed
    for (const number of parsed) numbers.add(number)
  }
  return [...numbers].toSorted((left, right) => left - right)
}

/** The numbers of one list item: a number, a range or all numbers, with an optional step. */
function parseItem(field: Field, item: Token): readonly number[] | Refused {
  const parts = /^(?:\*|(\w+)(?:-(\w+))?)?(?:\/(\d{1,4}))?$/.exec(item.text)
  if (!parts || item.text === '')
    return refusalAt(field, item, `consist of ${rangeOf(field)} and ${field.specialCharacters}`)
  const { 1: fromText, 2: toText, 3: sentStep } = parts
  const sentNumber = Number(sentStep ?? 1)
  if (sentNumber === 0 || sentNumber > field.max)
    return refusalAt(field, item, `have 1 to ${field.max} after /`, 'number')
  // Quartz 2.3 ignores a step after names.
  const stepText = fromText !== undefined && /^[a-z]/i.test(fromText) ? undefined : sentStep
  const from = fromText === undefined ? field.min : numberOf(field, fromText)
  // A step after a single number continues to the end of the field.
  const isOpenEnded = fromText === undefined || (stepText !== undefined && toText === undefined)
  const to = toText === undefined ? (isOpenEnded ? field.max : from) : numberOf(field, toText)
  if (from === undefined || to === undefined) return refusalAt(field, item, `be ${rangeOf(field)}`, 'number')
  const step = Number(stepText ?? 1)
  if (to < from && field === fields.year) return refusalAt(field, item, 'begin a range with its earlier year')
  const size = field.max - field.min + 1
  const count = Math.floor((to < from ? to + size - from : to - from) / step) + 1
  return Array.from({ length: count }, (_, index) => ((from - field.min + index * step) % size) + field.min)
}

/** The items of a list, with their positions. */
function itemsOf({ source, text, position }: Token): readonly Token[] {
  let next = position
  return text.split(',').map((item) => {
    const token = { source, text: item, position: next }
    next += item.length + 1
    return token
  })
}

function numberOf({ min, max, names }: Field, text: string): number | undefined {
  const nameIndex = names.indexOf(text.toUpperCase())
  const number = /^\d{1,4}$/.test(text) ? Number(text) : nameIndex < 0 ? undefined : nameIndex + min
  return number !== undefined && number >= min && number <= max ? number : undefined
}

const rangeOf = ({ min, max, names }: Field): string =>
  `${min} to ${max}${names.length > 0 ? ` or ${names[0]} to ${names.at(-1)}` : ''}`

/**
 * A refusal: for a number with the code of its field, otherwise with the general code.
 *
 * @param requirement continues the sentence after `must`
 */
function refusalAt({ name, code }: Field, { source, position }: Token, requirement: string, kind?: 'number'): Refused {
  const positions: Readonly<Record<QuartzSource, string>> = {
    expression: `, at character ${position} of job.expression,`,
    fields: position > 1 ? `, at its character ${position},` : '',
  }
  return refused(kind === 'number' ? code : '100.250.120', `${name}${positions[source]} must ${requirement}`)
}
