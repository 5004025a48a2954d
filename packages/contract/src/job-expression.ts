import type { Form } from './form.ts'

/** Fields of a cron expression in its order, with what they are where the request does not say. */
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
 * The cron expression that a request's job parameters stand for. `job.expression` overwrites all other fields. A day of
 * the month and a day of the week exclude each other, so the one that was not sent gives way to one that was: without
 * either, the job runs on the first of the month. To a `?`, which says nothing, neither gives way. Where both were sent
 * both stand, for the reader of the expression to refuse.
 *
 * @returns 6 or 7 fields separated by spaces: second, minute, hour, day of month, month, day of week, year
 */
export function jobExpression({ values }: Pick<Form, 'values'>): string {
  const expression = values.get('job.expression')
  if (expression !== undefined) return expression
  const [first, other] = values.has('job.dayOfWeek')
    ? (['job.dayOfWeek', 'job.dayOfMonth'] as const)
    : (['job.dayOfMonth', 'job.dayOfWeek'] as const)
  const givesWay = values.get(first) === '?' ? undefined : other
  return fields.map(([name, otherwise]) => values.get(name) ?? (name === givesWay ? '?' : otherwise)).join(' ')
}
