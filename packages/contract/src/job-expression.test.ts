import { expect, test } from 'vitest'
import { decodeForm } from './decode-form.ts'
import { jobExpression } from './job-expression.ts'

test.each([
  ['', '0 0 0 1 1 ? *'],
  ['job.dayOfMonth=15&job.month=*', '0 0 0 15 * ? *'],
  ['job.dayOfWeek=MON&job.month=*', '0 0 0 ? * MON *'],
  ['job.dayOfMonth=15&job.dayOfWeek=MON', '0 0 0 15 1 MON *'],
  ['job.dayOfMonth=%3F&job.dayOfWeek=MON', '0 0 0 ? 1 MON *'],
  ['job.dayOfWeek=%3F&job.month=*', '0 0 0 1 * ? *'],
  ['job.dayOfMonth=%3F&job.month=*', '0 0 0 ? * 1 *'],
  ['job.second=1&job.minute=2&job.hour=3&job.year=2030', '1 2 3 1 1 ? 2030'],
  ['job.expression=0+0+12+L+*+%3F&job.hour=3', '0 0 12 L * ?'],
])('%j has the expression %s', (body, expression) => {
  expect(jobExpression(decodeForm(new TextEncoder().encode(body)))).toBe(expression)
})
