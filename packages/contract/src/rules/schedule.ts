import { secretNames } from '../names.ts'
import type { OperationName } from '../operations.ts'
import { NO_VIOLATIONS, type Rule, STORED } from './rule.ts'

const planOperations: ReadonlySet<OperationName> = new Set<OperationName>(['createSchedule', 'reschedule'])

const secrets = [...new Set(Array.from(secretNames('payment').values(), ({ row }) => row.name))]

export const planSecrets: Rule = {
  sentence: 'Schedules: no secrets, because a plan is stored and its charges are made without the shopper.',
  parameters: secrets,
  check: ({ form, name }) =>
    planOperations.has(name)
      ? Array.from(form.secrets.keys(), (secret) => ({ name: secret, message: STORED }))
      : NO_VIOLATIONS,
}
