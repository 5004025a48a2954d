import { isSepaBrand } from '../brands.ts'
import type { RequestParameters } from '../form.ts'
import { FINE, missing, type Rule, starts, type Wrong } from './rule.ts'

const kind = ['standingInstruction.type', 'standingInstruction.mode', 'standingInstruction.source'] as const

/**
 * Parameters without a meaning unless all of `kind` are sent. Expiry and frequency may also be sent for an
 * authentication.
 */
const ofKind = [...kind, 'standingInstruction.recurringType', 'standingInstruction.industryPractice'] as const

export const standingInstructionKind: Rule = {
  sentence: 'standingInstruction.type, mode and source: C, each requires the others, as do those that refine them.',
  blames: kind,
  strictOnly: true,
  structures: ['standingInstruction'],
  find: (subject) =>
    starts(subject) && ofKind.some((name) => subject.form.values.has(name)) ? missing(subject.form, kind) : FINE,
}

export const initialTransaction: Rule = {
  sentence: 'initialTransactionId: the id returned in the response of the first customer-initiated transaction.',
  blames: ['standingInstruction.initialTransactionId'],
  strictOnly: true,
  structures: ['standingInstruction'],
  // A registration stores the id; sent account data do not contain it, and a mandate replaces it.
  find: ({ form, name }) =>
    name === 'createPayment' &&
    !isSepaBrand(form.values.get('paymentBrand') ?? '') &&
    form.values.get('standingInstruction.mode') === 'REPEATED' &&
    form.values.get('standingInstruction.source') === 'MIT'
      ? missing(form, ['standingInstruction.initialTransactionId'])
      : FINE,
}

/** Values that parameters are held to where they are sent. */
type Allowed = readonly (readonly [name: (typeof kind)[number], allowed: readonly string[]])[]

const byMerchant: Allowed = [
  ['standingInstruction.mode', ['REPEATED']],
  ['standingInstruction.source', ['MIT']],
]

/** @param where words that end the message */
const others = (form: RequestParameters, allowed: Allowed, where: string): readonly Wrong[] =>
  allowed.flatMap(([name, values]): readonly Wrong[] => {
    const value = form.values.get(name)
    if (value === undefined || values.includes(value)) return FINE
    return [{ name, message: `must be one of [${values.join(', ')}] ${where}` }]
  })

export const rebillInstruction: Rule = {
  sentence: 'paymentType RB: a merchant-initiated charge of an account that paid before.',
  blames: byMerchant.map(([name]) => name),
  strictOnly: true,
  structures: ['standingInstruction'],
  find: ({ form }) =>
    form.values.get('paymentType') === 'RB' ? others(form, byMerchant, 'with paymentType RB') : FINE,
}

/** Values allowed with an industry practice, which is always merchant-initiated. */
const practice: Allowed = [['standingInstruction.type', ['UNSCHEDULED', 'INSTALLMENT']], ...byMerchant]

export const industryPractice: Rule = {
  sentence: 'industryPractice: INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW.',
  blames: practice.map(([name]) => name),
  strictOnly: true,
  structures: ['standingInstruction'],
  find: ({ form }) =>
    form.values.has('standingInstruction.industryPractice') ? others(form, practice, 'with industryPractice') : FINE,
}
