import type { RequestParameters } from '../form.ts'
import { missing, NO_VIOLATIONS, type Rule, usesAccount, type Violation } from './rule.ts'

/** Parameters that are sent together or not at all. */
const sentTogether = ['standingInstruction.type', 'standingInstruction.mode', 'standingInstruction.source'] as const

/**
 * Parameters without a meaning unless all of `sentTogether` are sent. Expiry and frequency are not among them, because
 * an authentication alone may also need them.
 */
const dependentParameters = [
  ...sentTogether,
  'standingInstruction.recurringType',
  'standingInstruction.industryPractice',
] as const

export const standingInstructionKind: Rule = {
  sentence:
    'standingInstruction.type, mode and source: C; each requires the others, and so do parameters that refine them.',
  parameters: sentTogether,
  strictOnly: true,
  triggers: ['standingInstruction'],
  check: (subject) =>
    usesAccount(subject) && dependentParameters.some((name) => subject.form.values.has(name))
      ? missing(subject.form, sentTogether)
      : NO_VIOLATIONS,
}

export const initialTransaction: Rule = {
  sentence: 'initialTransactionId: the id returned in the response of the first customer-initiated transaction.',
  parameters: ['standingInstruction.initialTransactionId'],
  strictOnly: true,
  triggers: ['standingInstruction'],
  // Required only with account data in the request: a registration stores the id, and SEPA payments have a mandate
  // instead.
  operations: ['createPayment'],
  check: ({ form, brand }) =>
    brand?.kind !== 'directDebit' &&
    form.values.get('standingInstruction.mode') === 'REPEATED' &&
    form.values.get('standingInstruction.source') === 'MIT'
      ? missing(form, ['standingInstruction.initialTransactionId'])
      : NO_VIOLATIONS,
}

/** The allowed values of parameters, if they are sent. */
type AllowedValues = readonly (readonly [name: (typeof sentTogether)[number], allowed: readonly string[]])[]

/** Values allowed in a merchant-initiated charge. */
const merchantInitiatedValues: AllowedValues = [
  ['standingInstruction.mode', ['REPEATED']],
  ['standingInstruction.source', ['MIT']],
]

/** @param condition the end of the error message: when only the allowed values are accepted */
const disallowedValues = (form: RequestParameters, allowed: AllowedValues, condition: string): readonly Violation[] =>
  allowed.flatMap(([name, values]): readonly Violation[] => {
    const value = form.values.get(name)
    if (value === undefined || values.includes(value)) return NO_VIOLATIONS
    return [{ name, message: `must be one of [${values.join(', ')}] ${condition}` }]
  })

export const rebillInstruction: Rule = {
  sentence: 'paymentType RB: a merchant-initiated charge of an account that paid before.',
  parameters: merchantInitiatedValues.map(([name]) => name),
  strictOnly: true,
  triggers: ['standingInstruction'],
  check: ({ form }) =>
    form.values.get('paymentType') === 'RB'
      ? disallowedValues(form, merchantInitiatedValues, 'with paymentType RB')
      : NO_VIOLATIONS,
}

/** Values allowed with an industry practice, which is always merchant-initiated. */
const practiceValues: AllowedValues = [
  ['standingInstruction.type', ['UNSCHEDULED', 'INSTALLMENT']],
  ...merchantInitiatedValues,
]

export const industryPractice: Rule = {
  sentence: 'industryPractice: INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW.',
  parameters: practiceValues.map(([name]) => name),
  strictOnly: true,
  triggers: ['standingInstruction'],
  check: ({ form }) =>
    form.values.has('standingInstruction.industryPractice')
      ? disallowedValues(form, practiceValues, 'with industryPractice')
      : NO_VIOLATIONS,
}
