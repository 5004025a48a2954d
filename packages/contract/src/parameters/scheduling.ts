import { cronExpression, cronField } from '../format-cron.ts'
import { chars, oneOf, pattern, text, timestamp } from '../format.ts'
import { row, rows, section } from '../section.ts'

const upTo59 = '[0-5]?[0-9]'
const specialCharacters = String.raw`,\-*`

const year = cronField('1970 to 2099 and , - * /', '19[7-9][0-9]|20[0-9]{2}', specialCharacters)
const month = cronField('1 to 12 and , - * /', '0?[1-9]|1[0-2]', specialCharacters)
const dayOfMonth = cronField('1 to 31 and , - * ? / L W', '0?[1-9]|[12][0-9]|3[01]', `${specialCharacters}?LW`)
const dayOfWeek = cronField(
  '1 to 7 or SUN to SAT and , - * ? / L #',
  '[1-7]|SUN|MON|TUE|WED|THU|FRI|SAT',
  `${specialCharacters}?L#`,
)
const hour = cronField('0 to 23 and , - * /', '[01]?[0-9]|2[0-3]', specialCharacters)
const second = cronField('0 to 59 and , - * /', upTo59, specialCharacters)
const unit = oneOf('YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND')

export const scheduling = section('Scheduling', 'payment', [
  row('job.name', text(1, 64), 'O'),
  row('job.year', year, 'O', 'Default *.'),
  row('job.month', month, 'O', 'Default 1.'),
  row('job.dayOfMonth', dayOfMonth, 'O', 'Default 1.'),
  row('job.dayOfWeek', dayOfWeek, 'O', 'Default 1.'),
  row('job.hour', hour, 'O', 'Default 0.'),
  row('job.minute', pattern('0 to 59', /^[0-5]?[0-9]$/), 'O', 'Default 0.', { legacy: second }),
  row('job.second', second, 'O', 'Default 0.'),
  ...rows('job.', ['startDate', 'endDate'], timestamp, 'O'),
  row('job.noticeUnit', unit, 'O'),
  row('job.durationUnit', unit, 'O'),
  ...rows('job.', ['noticeNumber', 'durationNumber'], chars('digits', 0, 16), 'O'),
  row('job.noticeCallable', oneOf('ANYTIME', 'DURATION_END'), 'O'),
  row(
    'job.expression',
    cronExpression,
    'O',
    'Overrides second, minute, hour, dayOfMonth, month, dayOfWeek and year, in that order; year is optional.',
  ),
])
