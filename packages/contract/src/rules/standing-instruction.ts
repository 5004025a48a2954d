import { isSepaBrand } from '../brands.ts'
import { FINE, missing, type Rule, starts, type Wrong } from './rule.ts'

const kind = ['standingInstruction.type', 'standingInstruction.mode', 'standingInstruction.source']

export const standingInstructionKind: Rule = {
  name: 'standing-instruction-kind',
  sentence: 'standingInstruction.type, mode and source: C, each requires the others.',
  blames: kind,
  legacy: false,
  structures: ['standingInstruction'],
  find: (subject) =>
    starts(subject) && kind.some((name) => subject.form.values.has(name)) ? missing(subject.form, kind) : FINE,
}

export const initialTransaction: Rule = {
  name: 'initial-transaction',
  sentence: 'initialTransactionId: the id returned in the response of the first customer-initiated transaction.',
  blames: ['standingInstruction.initialTransactionId'],
  legacy: false,
  structures: ['standingInstruction'],
  // A registration remembers the id; account data that is sent anew does not, unless by a mandate.
  find: ({ form, name }) =>
    name === 'createPayment' &&
    !isSepaBrand(form.values.get('paymentBrand') ?? '') &&
    form.values.get('standingInstruction.mode') === 'REPEATED' &&
    form.values.get('standingInstruction.source') === 'MIT'
      ? missing(form, ['standingInstruction.initialTransactionId'])
      : FINE,
}

/** What an industry practice may be combined with: it is always a follow-up by the merchant. */
const practice: readonly (readonly [name: string, allowed: readonly string[]])[] = [
  ['standingInstruction.type', ['UNSCHEDULED', 'INSTALLMENT']],
  ['standingInstruction.mode', ['REPEATED']],
  ['standingInstruction.source', ['MIT']],
]

export const industryPractice: Rule = {
  name: 'industry-practice',
  sentence: 'industryPractice: INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW.',
  blames: practice.map(([name]) => name),
  legacy: false,
  structures: ['standingInstruction'],
  find({ form }) {
    if (!form.values.has('standingInstruction.industryPractice')) return FINE
    return practice.flatMap(([name, allowed]): readonly Wrong[] => {
      const value = form.values.get(name)
      if (value === undefined || allowed.includes(value)) return FINE
      return [{ name, message: `must be one of [${allowed.join(', ')}] with industryPractice` }]
    })
  },
}
