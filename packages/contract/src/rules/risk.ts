import { FINE, type Rule, type Wrong } from './rule.ts'

/** Lengths of the ids of the fraud-screening product that `POST /v2/redShield` is named after. */
const lengths = [
  { name: 'risk.channelId', length: 12, message: 'must have 12 characters' },
  { name: 'risk.serviceId', length: 1, message: 'must have 1 character' },
] as const

export const screeningIds: Rule = {
  sentence: 'risk.channelId: 12 chars for one fraud-screening product. risk.serviceId: 1 char for that product.',
  blames: lengths.map(({ name }) => name),
  strictOnly: true,
  structures: ['risk'],
  find({ form, name: operation }) {
    if (operation !== 'createRedShieldCheck') return FINE
    return lengths.flatMap(({ name, length, message }): readonly Wrong[] => {
      const id = form.values.get(name)
      return id === undefined || id.length === length ? FINE : [{ name, message }]
    })
  },
}
