import { NO_VIOLATIONS, type Rule } from './rule.ts'

const CUSTOM_PREFIX = 'customParameters['
const SHOPPER_PREFIX = 'customParameters[SHOPPER_'

export const shopperCustomParameters: Rule = {
  sentence: 'From client-side code the name must start with SHOPPER_.',
  parameters: ['customParameters[name]'],
  triggers: ['customParameters'],
  appliesToShopper: true,
  check({ form, operation }) {
    if (operation.by !== 'shopper') return NO_VIOLATIONS
    return form.sent
      .filter(({ name }) => name.startsWith(CUSTOM_PREFIX) && !name.startsWith(SHOPPER_PREFIX))
      .map(({ name }) => ({ name, message: 'must start with SHOPPER_ if the shopper sends the parameter' }))
  },
}
