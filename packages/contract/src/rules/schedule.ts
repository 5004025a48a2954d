import { secretNames } from '../names.ts'
import { type Rule, NOT_WITH_STORED_ACCOUNT } from './rule.ts'

const secretParameters = [...new Set(Array.from(secretNames('payment').values(), ({ row }) => row.name))]

export const planSecrets: Rule = {
  sentence: 'Schedules: no secrets, because a plan is stored and its charges are made without the shopper.',
  parameters: secretParameters,
  operations: ['createSchedule', 'reschedule'],
  check: ({ form }) =>
    Array.from(form.secrets.keys(), (parameter) => ({ name: parameter, message: NOT_WITH_STORED_ACCOUNT })),
}
