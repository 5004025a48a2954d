import { DAY_MS } from '../duration.ts'
import { date, timestamp } from '../format.ts'
import { limits } from '../limits.ts'
import { NO_VIOLATIONS, missing, type Rule } from './rule.ts'

const range = ['date.from', 'date.to'] as const

export const dateRange: Rule = {
  sentence: 'date.from: Use together with date.to. date.to: Use together with date.from.',
  parameters: range,
  triggers: ['date'],
  check: ({ form }) => missing(form, range),
}

export const dateOrder: Rule = {
  sentence: 'date.from: Start of report data. date.to: End of report data.',
  parameters: ['date.to'],
  triggers: ['date'],
  check({ form }) {
    const [from = '', to = ''] = range.map((name) => form.values.get(name))
    const comparable = [date, timestamp].some((format) => format.accepts(from) && format.accepts(to))
    return comparable && to < from ? [{ name: 'date.to', message: 'must not be before date.from' }] : NO_VIOLATIONS
  },
}

export const reportRange: Rule = {
  sentence: `date.from, date.to: a report has at most ${limits.reportDaysMax} days.`,
  parameters: ['date.to'],
  triggers: ['date'],
  check({ form, operation }) {
    const [from = '', to = ''] = range.map((name) => form.values.get(name))
    if (operation.surface !== 'report' || !date.accepts(from) || !date.accepts(to)) return NO_VIOLATIONS
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    return days > limits.reportDaysMax
      ? [{ name: 'date.to', message: `must be at most ${limits.reportDaysMax} days after date.from, inclusive` }]
      : NO_VIOLATIONS
  },
}

export const referenceOrRange: Rule = {
  sentence: 'merchantTransactionId: Cannot be combined with a date.from and date.to range.',
  parameters: ['merchantTransactionId'],
  triggers: ['date'],
  check: ({ form, operation }) =>
    operation.surface === 'query' && form.values.has('merchantTransactionId')
      ? [{ name: 'merchantTransactionId', message: 'must not be combined with date.from and date.to' }]
      : NO_VIOLATIONS,
}
