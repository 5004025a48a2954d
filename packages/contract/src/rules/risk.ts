import { NO_VIOLATIONS, type Rule, type Violation } from './rule.ts'

/** Lengths of the ids of the fraud-screening product that `POST /v2/redShield` is named after. */
const lengths = [
  { name: 'risk.channelId', length: 12, message: 'must have 12 characters' },
  { name: 'risk.serviceId', length: 1, message: 'must have 1 character' },
] as const

export const screeningIds: Rule = {
  sentence: 'risk.channelId: 12 chars for one fraud-screening product. risk.serviceId: 1 char for that product.',
  parameters: lengths.map(({ name }) => name),
  strictOnly: true,
  operations: ['createRedShieldCheck'],
  triggers: ['risk'],
  check: ({ form }) =>
    lengths.flatMap(({ name, length, message }): readonly Violation[] => {
      const id = form.values.get(name)
      return id === undefined || id.length === length ? NO_VIOLATIONS : [{ name, message }]
    }),
}
