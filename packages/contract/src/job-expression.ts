import type { Form } from './form.ts'

/** The fields of a cron expression in order, with their defaults. */
const fields = [
  ['job.second', '0'],
  ['job.minute', '0'],
  ['job.hour', '0'],
  ['job.dayOfMonth', '1'],
  ['job.month', '1'],
  ['job.dayOfWeek', '1'],
  ['job.year', '*'],
] as const

/**
 * The cron expression of a request's job parameters. `job.expression` overrides all other fields. Day of month and day
 * of week exclude each other: if one is sent, the other becomes `?`, or its default if the sent one is `?`. If neither
 * is sent, the day of month is 1. If both are sent, the expression contains both; its parser requires that exactly one
 * is `?`.
 *
 * @returns 6 or 7 fields separated by spaces: second, minute, hour, day of month, month, day of week, year
 */
export function jobExpression({ values }: Pick<Form, 'values'>): string {
  const expression = values.get('job.expression')
  if (expression !== undefined) return expression
  const [first, other] = values.has('job.dayOfWeek')
    ? (['job.dayOfWeek', 'job.dayOfMonth'] as const)
    : (['job.dayOfMonth', 'job.dayOfWeek'] as const)
  const excluded = values.get(first) === '?' ? undefined : other
  return fields.map(([name, byDefault]) => values.get(name) ?? (name === excluded ? '?' : byDefault)).join(' ')
}
