import { isTrue } from '../form.ts'
import { NO_VIOLATIONS, missing, type Rule } from './rule.ts'

const forex = ['forex.amount', 'forex.currency'] as const

export const forexPair: Rule = {
  sentence: 'forex.amount, forex.currency: used when currency is converted during the transaction.',
  parameters: forex,
  triggers: ['forex'],
  check: ({ form }) => missing(form, forex),
}

const money = ['amount', 'currency'] as const

/** The payment types that refer to a payment and require an amount. */
const withAmount = new Set(['CP', 'RF', 'RB', 'PA', 'CB', 'CR', 'RC'])

export const referenceAmount: Rule = {
  // Other types, such as a reversal, need neither amount nor currency; if sent, these must have a valid format.
  sentence: 'amount: R. currency: R.',
  parameters: money,
  operations: ['referToPayment'],
  check: ({ form }) => (withAmount.has(form.values.get('paymentType') ?? '') ? missing(form, money) : NO_VIOLATIONS),
}

const preparedParameters = [...money, 'paymentType'] as const

export const checkoutAmount: Rule = {
  // createRegistration=true without these three parameters prepares a registration without a payment.
  sentence: 'amount, currency, paymentType: R.',
  parameters: preparedParameters,
  operations: ['createCheckout'],
  check({ form }) {
    const isRegistration =
      isTrue(form, 'createRegistration') && !preparedParameters.some((parameter) => form.values.has(parameter))
    return isRegistration ? NO_VIOLATIONS : missing(form, preparedParameters)
  },
}
