import { isTrue } from '../form.ts'
import { NO_VIOLATIONS, missing, type Rule } from './rule.ts'

const forex = ['forex.amount', 'forex.currency'] as const

export const forexPair: Rule = {
  sentence: 'forex.amount, forex.currency: used when currency is converted during the transaction.',
  parameters: forex,
  structures: ['forex'],
  check: ({ form }) => missing(form, forex),
}

const money = ['amount', 'currency'] as const

/** The payment types that require an amount. */
const withAmount = new Set(['CP', 'RF', 'RB', 'PA', 'CB', 'CR', 'RC'])

export const referenceAmount: Rule = {
  // A reversal needs neither; if one of them is sent, both are validated.
  sentence: 'amount: R. currency: R.',
  parameters: money,
  check({ form, name }) {
    const refers = name === 'referToPayment' && withAmount.has(form.values.get('paymentType') ?? '')
    return refers ? missing(form, money) : NO_VIOLATIONS
  },
}

const paid = [...money, 'paymentType'] as const

export const checkoutAmount: Rule = {
  // createRegistration=true without any of the three prepares a registration without a payment.
  sentence: 'amount, currency, paymentType: R.',
  parameters: paid,
  check({ form, name }) {
    if (name !== 'createCheckout') return NO_VIOLATIONS
    const registers = isTrue(form, 'createRegistration') && !paid.some((each) => form.values.has(each))
    return registers ? NO_VIOLATIONS : missing(form, paid)
  },
}
