import { secretNames } from '../names.ts'
import type { OperationName } from '../operations.ts'
import { NO_VIOLATIONS, type Rule, NOT_WITH_STORED_ACCOUNT } from './rule.ts'

const planOperations: ReadonlySet<OperationName> = new Set<OperationName>(['createSchedule', 'reschedule'])

const secretParameters = [...new Set(Array.from(secretNames('payment').values(), ({ row }) => row.name))]

export const planSecrets: Rule = {
  sentence: 'Schedules: no secrets, because a plan is stored and its charges are made without the shopper.',
  parameters: secretParameters,
  check: ({ form, name }) =>
    planOperations.has(name)
      ? Array.from(form.secrets.keys(), (parameter) => ({ name: parameter, message: NOT_WITH_STORED_ACCOUNT }))
      : NO_VIOLATIONS,
}
