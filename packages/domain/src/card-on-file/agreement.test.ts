import { DAY_MS, type ResultCode } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Agreement, type Authorisation, checkCharge, historyLengthOf } from './agreement.ts'
import type { IndustryPractice, InstructionType, StandingInstruction } from './instruction.ts'

const START_MS = Date.UTC(2026, 4, 4, 10, 0, 5)
const onDay = (days: number) => START_MS + days * DAY_MS

type Terms = Partial<StandingInstruction>

const initial = (type: InstructionType, terms: Terms = {}): StandingInstruction => ({
  type,
  mode: 'INITIAL',
  source: 'CIT',
  ...terms,
})
const charge = (type: InstructionType, terms: Terms = {}): StandingInstruction => ({
  type,
  mode: 'REPEATED',
  source: 'MIT',
  ...terms,
})
const practice = (industryPractice: IndustryPractice) => charge('UNSCHEDULED', { industryPractice })

const authorisation = (
  days: number,
  instruction: StandingInstruction | undefined,
  changes: Partial<Authorisation> = {},
): Authorisation => ({
  instruction,
  failed: false,
  code: '000.100.110',
  amountMinor: 3000,
  currency: 'EUR',
  atMs: onDay(days),
  ...changes,
})

const declined = (code: ResultCode = '800.100.155') => ({ failed: true, code }) as const

/** An agreement of this gateway with these payments, oldest first. */
const own = (payments: readonly Authorisation[]): Agreement => ({
  initial: payments[0],
  charges: payments.slice(1).toReversed(),
})

/** An agreement of another gateway with these charges, oldest first. */
const foreign = (charges: Authorisation[]): Agreement => ({ initial: undefined, charges: charges.toReversed() })

interface Case {
  readonly name: string
  readonly agreement: Agreement
  readonly instruction: StandingInstruction
  readonly onDay?: number
  readonly amountMinor?: number
  readonly currency?: 'EUR' | 'USD'
  /** A part of the reason of the refusal; undefined: accepted. */
  readonly reason?: string
}

function check({ agreement, instruction, onDay: days = 40, amountMinor = 3000, currency = 'EUR' }: Case) {
  return checkCharge({ instruction, amountMinor, currency, atMs: onDay(days), agreement })
}

const THREE = { numberOfInstallments: 3 }
const threeInstalments = initial('INSTALLMENT', THREE)
const instalment = charge('INSTALLMENT')
const monthly = initial('RECURRING', { frequencyDays: 30, expiry: '2026-12-31' })
const first = authorisation(0, threeInstalments)
const monthlyPayment = authorisation(0, monthly)
const unscheduled = authorisation(0, initial('UNSCHEDULED'))

const cases: readonly Case[] = [
  { name: 'of an agreement of another gateway', agreement: foreign([]), instruction: charge('UNSCHEDULED') },
  {
    name: 'of a payment without a standing instruction',
    agreement: own([authorisation(0, undefined)]),
    instruction: charge('RECURRING'),
  },
  {
    name: 'of an agreement whose first payment was rejected',
    agreement: own([authorisation(0, initial('UNSCHEDULED'), declined())]),
    instruction: charge('UNSCHEDULED'),
    reason: 'was rejected',
  },
  { name: 'of a type other than the agreement’s', agreement: own([unscheduled]), instruction: charge('RECURRING') },
  {
    name: 'that is no instalment, under an agreement of instalments,',
    agreement: own([first]),
    instruction: charge('RECURRING'),
    reason: 'type differs',
  },
  {
    name: 'of an instalment under an agreement without instalments',
    agreement: own([monthlyPayment]),
    instruction: instalment,
    reason: 'type differs',
  },

  // Charges under the agreed terms.
  { name: 'that repeats the terms', agreement: own([first]), instruction: charge('INSTALLMENT', THREE) },
  {
    name: 'with a number of instalments other than agreed',
    agreement: own([first]),
    instruction: charge('INSTALLMENT', { numberOfInstallments: 4 }),
    reason: 'numberOfInstallments differs',
  },
  {
    name: 'with a frequency other than agreed',
    agreement: own([monthlyPayment]),
    instruction: charge('RECURRING', { frequencyDays: 1 }),
    reason: 'frequency differs',
  },
  {
    name: 'with an expiry other than agreed',
    agreement: own([monthlyPayment]),
    instruction: charge('RECURRING', { expiry: '2027-12-31' }),
    reason: 'expiry differs',
  },
  {
    name: 'with a term that the first payment did not have',
    agreement: own([authorisation(0, initial('RECURRING'))]),
    instruction: charge('RECURRING', { expiry: '2027-12-31' }),
  },

  // End and frequency of the agreement.
  { name: 'on the last day', agreement: own([monthlyPayment]), instruction: charge('RECURRING'), onDay: 241 },
  {
    name: 'after the last day',
    agreement: own([monthlyPayment]),
    instruction: charge('RECURRING'),
    onDay: 243,
    reason: 'the agreement has ended',
  },
  { name: 'on time', agreement: own([monthlyPayment]), instruction: charge('RECURRING'), onDay: 30 },
  { name: 'early on the right day', agreement: own([monthlyPayment]), instruction: charge('RECURRING'), onDay: 29.9 },
  {
    name: 'a day too early',
    agreement: own([monthlyPayment]),
    instruction: charge('RECURRING'),
    onDay: 29,
    reason: 'too early',
  },
  {
    name: 'too early after the last of several charges',
    agreement: own([monthlyPayment, authorisation(30, charge('RECURRING'))]),
    instruction: charge('RECURRING'),
    onDay: 59,
    reason: 'too early',
  },
  {
    name: 'soon after a declined charge',
    agreement: own([monthlyPayment, authorisation(31, charge('RECURRING'), declined())]),
    instruction: charge('RECURRING'),
    onDay: 32,
  },
  {
    name: 'soon after the account was verified',
    agreement: own([authorisation(0, monthly, { amountMinor: 0 })]),
    instruction: charge('RECURRING'),
    onDay: 1,
  },
  {
    name: 'too early by its own frequency, of an agreement of another gateway',
    agreement: foreign([authorisation(0, charge('RECURRING'))]),
    instruction: charge('RECURRING', { frequencyDays: 7 }),
    onDay: 6,
    reason: 'too early',
  },
  {
    name: 'twice on one day with a frequency of one day',
    agreement: own([authorisation(0, initial('RECURRING', { frequencyDays: 1 }))]),
    instruction: charge('RECURRING'),
    onDay: 0.1,
    reason: 'too early',
  },

  // Instalments.
  { name: 'of the last instalment', agreement: own([first, authorisation(30, instalment)]), instruction: instalment },
  {
    name: 'of one instalment too many',
    agreement: own([first, authorisation(20, instalment), authorisation(30, instalment)]),
    instruction: instalment,
    reason: 'all instalments',
  },
  {
    name: 'of an instalment after a declined instalment',
    agreement: own([first, authorisation(20, instalment, declined()), authorisation(30, instalment)]),
    instruction: instalment,
  },
  {
    name: 'of the third instalment after a verification, which bounds no total,',
    agreement: own([
      authorisation(0, threeInstalments, { amountMinor: 0 }),
      authorisation(1, instalment),
      authorisation(20, instalment, { amountMinor: 900_000 }),
    ]),
    instruction: instalment,
  },
  {
    name: 'of the second instalment after a registration, which has no currency',
    agreement: own([
      authorisation(0, threeInstalments, { amountMinor: 0, currency: null }),
      authorisation(1, instalment),
    ]),
    instruction: instalment,
  },
  { name: 'of the whole remaining amount', agreement: own([first]), instruction: instalment, amountMinor: 6000 },
  {
    name: 'of more than the remaining amount',
    agreement: own([first]),
    instruction: instalment,
    amountMinor: 6001,
    reason: 'exceed the agreed total',
  },
  {
    name: 'of an instalment in a currency other than the first',
    agreement: own([first]),
    instruction: instalment,
    currency: 'USD',
    reason: 'currency',
  },
  {
    name: 'of one instalment too many under an agreement of another gateway',
    agreement: foreign([authorisation(0, instalment), authorisation(1, instalment), authorisation(2, instalment)]),
    instruction: charge('INSTALLMENT', THREE),
    reason: 'all instalments',
  },
  {
    name: 'by NO_SHOW after all instalments, one of which was a charge by NO_SHOW,',
    agreement: own([first, authorisation(20, instalment), authorisation(30, practice('NO_SHOW'))]),
    instruction: practice('NO_SHOW'),
    reason: 'all instalments',
  },
  {
    name: 'of a further instalment if no number was agreed',
    agreement: own([authorisation(0, initial('INSTALLMENT'))]),
    instruction: instalment,
  },

  // Industry practices.
  {
    name: 'by RESUBMISSION of a declined payment',
    agreement: own([authorisation(0, initial('UNSCHEDULED'), declined())]),
    instruction: practice('RESUBMISSION'),
    onDay: 13.9,
  },
  {
    name: 'by RESUBMISSION of a declined charge after a declined RESUBMISSION',
    agreement: own([
      unscheduled,
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(33, practice('RESUBMISSION'), declined()),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 43,
  },
  {
    name: 'by RESUBMISSION after two weeks',
    agreement: own([
      unscheduled,
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(43, practice('RESUBMISSION'), declined()),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 44,
    reason: '14 days',
  },
  {
    name: 'by RESUBMISSION of a charge that was resubmitted successfully',
    agreement: own([
      unscheduled,
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(33, practice('RESUBMISSION')),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 34,
    reason: 'RESUBMISSION repeats',
  },
  {
    name: 'by RESUBMISSION of an approved payment',
    agreement: own([unscheduled]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
    reason: 'RESUBMISSION repeats',
  },
  {
    name: 'by RESUBMISSION of a payment that was not declined for lack of funds',
    agreement: own([authorisation(0, initial('UNSCHEDULED'), declined('800.100.152'))]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
    reason: 'RESUBMISSION repeats',
  },
  {
    name: 'by REAUTHORIZATION in time',
    agreement: own([authorisation(0, undefined)]),
    instruction: practice('REAUTHORIZATION'),
    onDay: 29.9,
  },
  {
    name: 'by REAUTHORIZATION too late',
    agreement: own([authorisation(0, undefined)]),
    instruction: practice('REAUTHORIZATION'),
    onDay: 30,
    reason: '30 days',
  },
  {
    name: 'by DELAYED_CHARGES in time',
    agreement: own([unscheduled]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 29,
  },
  {
    name: 'by DELAYED_CHARGES too late',
    agreement: own([unscheduled]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 31,
    reason: '30 days',
  },
  {
    name: 'by DELAYED_CHARGES after a declined payment',
    agreement: own([authorisation(0, initial('UNSCHEDULED'), declined())]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 1,
    reason: 'was rejected',
  },
  {
    name: 'by NO_SHOW long after the reservation',
    agreement: own([unscheduled]),
    instruction: practice('NO_SHOW'),
    onDay: 200,
  },
  {
    name: 'by DELAYED_CHARGES soon after a charge of a subscription',
    agreement: own([monthlyPayment]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 1,
  },
  ...(['RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'] as const).map((industryPractice) => ({
    name: `by ${industryPractice} after an unknown payment`,
    agreement: foreign([]),
    instruction: practice(industryPractice),
    onDay: 1,
    reason: 'names no payment',
  })),
  {
    name: 'by RESUBMISSION of a charge under an agreement of another gateway',
    agreement: foreign([authorisation(0, charge('UNSCHEDULED'), declined())]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
  },
]

describe('a charge', () => {
  it.each(cases.filter(({ reason }) => reason === undefined))('$name is accepted', (example) => {
    expect(check(example)).toBeUndefined()
  })

  it.each(cases.filter(({ reason }) => reason !== undefined))('$name is refused', ({ reason = '', ...example }) => {
    expect(check(example)).toMatchObject({ code: '600.200.501', reason: expect.stringContaining(reason) })
  })

  it('is refused if the agreement has more charges than can be counted', () => {
    const charges = Array.from({ length: 1000 }, () => authorisation(1, instalment, declined()))
    const checkWith = (agreement: Agreement) => check({ name: '', agreement, instruction: instalment })
    expect(checkWith({ initial: first, charges })?.code).toBe('700.500.001')
    expect(checkWith({ initial: first, charges: charges.slice(1) })).toBeUndefined()
  })

  it('is accepted only within the agreed number and sum of instalments', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 30 })
    const anyCount = fc.integer({ min: 1, max: 999 })
    const anyAmount = fc.integer({ min: 1, max: 5_000 })
    fc.assert(
      fc.property(anyCount, anyAmount, amounts, (count, firstMinor, laterMinor) => {
        const terms = initial('INSTALLMENT', { numberOfInstallments: count })
        const accepted = [authorisation(0, terms, { amountMinor: firstMinor })]
        for (const amountMinor of laterMinor) {
          if (!check({ name: '', agreement: own(accepted), instruction: instalment, amountMinor }))
            accepted.push(authorisation(1, instalment, { amountMinor }))
        }
        expect(accepted.length).toBeLessThanOrEqual(count)
        expect(accepted.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBeLessThanOrEqual(firstMinor * count)
      }),
    )
  })
})

describe('historyLengthOf', () => {
  it.each([
    { terms: 'no terms', instruction: charge('UNSCHEDULED'), initial: undefined, length: 0 },
    { terms: 'an expiry', instruction: charge('RECURRING', { expiry: '2027-01-01' }), initial: undefined, length: 0 },
    { terms: 'a frequency', instruction: charge('RECURRING'), initial: monthlyPayment, length: 100 },
    { terms: 'an industry practice', instruction: practice('NO_SHOW'), initial: undefined, length: 100 },
    { terms: 'instalments', instruction: instalment, initial: first, length: 1000 },
  ])('returns $length for $terms', ({ instruction, initial: firstPayment, length }) => {
    expect(historyLengthOf(instruction, firstPayment)).toBe(length)
  })
})
