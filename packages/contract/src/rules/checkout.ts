import { FINE, type Rule } from './rule.ts'

const KEY = 'customParameters['
const FROM_SHOPPER = 'customParameters[SHOPPER_'

export const shopperCustomParameters: Rule = {
  sentence: 'From client-side code the name must start with SHOPPER_.',
  blames: ['customParameters[name]'],
  structures: ['customParameters'],
  ofShopper: true,
  find({ form, operation }) {
    if (operation.by !== 'shopper') return FINE
    return form.sent
      .filter((one) => one.name.startsWith(KEY) && !one.name.startsWith(FROM_SHOPPER))
      .map((one) => ({ name: one.name, message: 'must start with SHOPPER_ where the shopper sends it' }))
  },
}
