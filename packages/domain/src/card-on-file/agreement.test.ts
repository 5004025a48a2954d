import { DAY_MS, type ResultCode } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Agreement, type Authorisation, checkCharge, historyLengthOf } from './agreement.ts'
import type { IndustryPractice, InstructionType, StandingInstruction } from './instruction.ts'

const START_MS = Date.UTC(2026, 4, 4, 10, 0, 5)
const onDay = (days: number) => START_MS + days * DAY_MS

type Terms = Partial<StandingInstruction>

const begins = (type: InstructionType, terms: Terms = {}): StandingInstruction => ({
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

/** An agreement with these payments, oldest first. The first one began it, unless another gateway did. */
const agreement = (authorisations: readonly Authorisation[], isOurs = true): Agreement => ({
  initial: isOurs ? authorisations[0] : undefined,
  charges: authorisations.slice(isOurs ? 1 : 0).toReversed(),
})

interface Case {
  readonly what: string
  readonly of: Agreement
  readonly instruction: StandingInstruction
  readonly onDay?: number
  readonly amountMinor?: number
  readonly currency?: 'EUR' | 'USD'
  /** A part of the reason of its refusal; undefined: accepted. */
  readonly wrong?: string
}

function check({ of, instruction, onDay: days = 40, amountMinor = 3000, currency = 'EUR' }: Case) {
  return checkCharge({ instruction, amountMinor, currency, atMs: onDay(days), agreement: of })
}

const THREE = { numberOfInstallments: 3 }
const three = begins('INSTALLMENT', THREE)
const part = charge('INSTALLMENT')
const monthly = begins('RECURRING', { frequencyDays: 30, expiry: '2026-12-31' })
const first = authorisation(0, three)

const cases: readonly Case[] = [
  { what: 'of an agreement of another gateway', of: agreement([], false), instruction: charge('UNSCHEDULED') },
  {
    what: 'of a payment without a standing instruction',
    of: agreement([authorisation(0, undefined)]),
    instruction: charge('RECURRING'),
  },
  {
    what: 'of an agreement whose first payment was rejected',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined())]),
    instruction: charge('UNSCHEDULED'),
    wrong: 'was rejected',
  },
  {
    what: 'of another type than the agreement',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: charge('RECURRING'),
  },
  { what: 'that is no instalment', of: agreement([first]), instruction: charge('RECURRING'), wrong: 'type differs' },
  {
    what: 'of an instalment under an agreement without instalments',
    of: agreement([authorisation(0, monthly)]),
    instruction: part,
    wrong: 'type differs',
  },

  // Charges under the agreed terms.
  { what: 'with the terms repeated', of: agreement([first]), instruction: charge('INSTALLMENT', THREE) },
  {
    what: 'with another number of instalments',
    of: agreement([first]),
    instruction: charge('INSTALLMENT', { numberOfInstallments: 4 }),
    wrong: 'numberOfInstallments differs',
  },
  {
    what: 'with another frequency',
    of: agreement([authorisation(0, monthly)]),
    instruction: charge('RECURRING', { frequencyDays: 1 }),
    wrong: 'frequency differs',
  },
  {
    what: 'with another expiry',
    of: agreement([authorisation(0, monthly)]),
    instruction: charge('RECURRING', { expiry: '2027-12-31' }),
    wrong: 'expiry differs',
  },
  {
    what: 'with a term that the first payment left open',
    of: agreement([authorisation(0, begins('RECURRING'))]),
    instruction: charge('RECURRING', { expiry: '2027-12-31' }),
  },

  // End and frequency of the agreement.
  { what: 'on the last day', of: agreement([authorisation(0, monthly)]), instruction: charge('RECURRING'), onDay: 241 },
  {
    what: 'after the last day',
    of: agreement([authorisation(0, monthly)]),
    instruction: charge('RECURRING'),
    onDay: 243,
    wrong: 'the agreement has ended',
  },
  { what: 'on time', of: agreement([authorisation(0, monthly)]), instruction: charge('RECURRING'), onDay: 30 },
  {
    what: 'on time, somewhat earlier in the day',
    of: agreement([authorisation(0, monthly)]),
    instruction: charge('RECURRING'),
    onDay: 29.9,
  },
  {
    what: 'a day too early',
    of: agreement([authorisation(0, monthly)]),
    instruction: charge('RECURRING'),
    onDay: 29,
    wrong: 'too early',
  },
  {
    what: 'too early after the last of several',
    of: agreement([authorisation(0, monthly), authorisation(30, charge('RECURRING'))]),
    instruction: charge('RECURRING'),
    onDay: 59,
    wrong: 'too early',
  },
  {
    what: 'soon after a declined charge',
    of: agreement([authorisation(0, monthly), authorisation(31, charge('RECURRING'), declined())]),
    instruction: charge('RECURRING'),
    onDay: 32,
  },
  {
    what: 'soon after the account was verified',
    of: agreement([authorisation(0, monthly, { amountMinor: 0 })]),
    instruction: charge('RECURRING'),
    onDay: 1,
  },
  {
    what: 'too early by its own frequency, of an agreement of another gateway',
    of: agreement([authorisation(0, charge('RECURRING'))], false),
    instruction: charge('RECURRING', { frequencyDays: 7 }),
    onDay: 6,
    wrong: 'too early',
  },
  {
    what: 'twice on one day with a frequency of one day',
    of: agreement([authorisation(0, begins('RECURRING', { frequencyDays: 1 }))]),
    instruction: charge('RECURRING'),
    onDay: 0.1,
    wrong: 'too early',
  },

  // Instalments.
  { what: 'of the last instalment', of: agreement([first, authorisation(30, part)]), instruction: part },
  {
    what: 'of one instalment too many',
    of: agreement([first, authorisation(20, part), authorisation(30, part)]),
    instruction: part,
    wrong: 'all instalments',
  },
  {
    what: 'of an instalment after declined ones',
    of: agreement([first, authorisation(20, part, declined()), authorisation(30, part)]),
    instruction: part,
  },
  {
    what: 'of the third instalment after a verification',
    of: agreement([
      authorisation(0, three, { amountMinor: 0 }),
      authorisation(1, part),
      authorisation(20, part, { amountMinor: 900_000 }),
    ]),
    instruction: part,
  },
  {
    what: 'of the third instalment after a registration, which has no currency',
    of: { initial: authorisation(0, three, { amountMinor: 0, currency: null }), charges: [authorisation(1, part)] },
    instruction: part,
  },
  {
    what: 'of the whole remaining amount',
    of: agreement([first]),
    instruction: part,
    amountMinor: 6000,
  },
  {
    what: 'of more than the remaining amount',
    of: agreement([first]),
    instruction: part,
    amountMinor: 6001,
    wrong: 'exceed the agreed total',
  },
  {
    what: 'of an instalment in another currency',
    of: agreement([first]),
    instruction: part,
    currency: 'USD',
    wrong: 'currency',
  },
  {
    what: 'of one instalment too many under an agreement of another gateway',
    of: agreement([authorisation(0, part), authorisation(1, part), authorisation(2, part)], false),
    instruction: charge('INSTALLMENT', THREE),
    wrong: 'all instalments',
  },
  {
    what: 'of one instalment too many, counting an instalment under an industry practice',
    of: agreement([first, authorisation(20, part), authorisation(30, practice('NO_SHOW'))]),
    instruction: practice('NO_SHOW'),
    wrong: 'all instalments',
  },
  {
    what: 'of a further instalment if no number was agreed',
    of: agreement([authorisation(0, begins('INSTALLMENT'))]),
    instruction: part,
  },

  // Industry practices.
  {
    what: 'by RESUBMISSION of a declined payment',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined())]),
    instruction: practice('RESUBMISSION'),
    onDay: 13.9,
  },
  {
    what: 'by RESUBMISSION of a declined charge after a declined RESUBMISSION',
    of: agreement([
      authorisation(0, begins('UNSCHEDULED')),
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(33, practice('RESUBMISSION'), declined()),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 43,
  },
  {
    what: 'by RESUBMISSION after two weeks',
    of: agreement([
      authorisation(0, begins('UNSCHEDULED')),
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(43, practice('RESUBMISSION'), declined()),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 44,
    wrong: '14 days',
  },
  {
    what: 'by RESUBMISSION of a charge that was resubmitted with success',
    of: agreement([
      authorisation(0, begins('UNSCHEDULED')),
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(33, practice('RESUBMISSION')),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 34,
    wrong: 'RESUBMISSION repeats',
  },
  {
    what: 'by RESUBMISSION of an approved payment',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
    wrong: 'RESUBMISSION repeats',
  },
  {
    what: 'by RESUBMISSION of a payment that was declined for another reason',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined('800.100.152'))]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
    wrong: 'RESUBMISSION repeats',
  },
  {
    what: 'by REAUTHORIZATION in time',
    of: agreement([authorisation(0, undefined)]),
    instruction: practice('REAUTHORIZATION'),
    onDay: 29.9,
  },
  {
    what: 'by REAUTHORIZATION too late',
    of: agreement([authorisation(0, undefined)]),
    instruction: practice('REAUTHORIZATION'),
    onDay: 30,
    wrong: '30 days',
  },
  {
    what: 'by DELAYED_CHARGES in time',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 29,
  },
  {
    what: 'by DELAYED_CHARGES too late',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 31,
    wrong: '30 days',
  },
  {
    what: 'by DELAYED_CHARGES after a declined payment',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined())]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 1,
    wrong: 'was rejected',
  },
  {
    what: 'by NO_SHOW long after the reservation',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('NO_SHOW'),
    onDay: 200,
  },
  {
    what: 'by DELAYED_CHARGES soon after a charge of a subscription',
    of: agreement([authorisation(0, monthly)]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 1,
  },
  ...(['RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'] as const).map((industryPractice) => ({
    what: `by ${industryPractice} after an unknown payment`,
    of: agreement([], false),
    instruction: practice(industryPractice),
    onDay: 1,
    wrong: 'names no payment',
  })),
  {
    what: 'by RESUBMISSION of a charge under an agreement of another gateway',
    of: agreement([authorisation(0, charge('UNSCHEDULED'), declined())], false),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
  },
]

describe('a charge', () => {
  it.each(cases.filter(({ wrong }) => wrong === undefined))('$what is accepted', (each) => {
    expect(check(each)).toBeUndefined()
  })

  it.each(cases.filter(({ wrong }) => wrong !== undefined))('$what is refused', ({ wrong = '', ...each }) => {
    expect(check(each)).toMatchObject({ code: '600.200.501', reason: expect.stringContaining(wrong) })
  })

  it('is refused if the agreement has more charges than can be counted', () => {
    const many = Array.from({ length: 1000 }, () => authorisation(1, part, declined()))
    expect(check({ what: '', of: { initial: first, charges: many }, instruction: part })?.code).toBe('700.500.001')
    expect(check({ what: '', of: { initial: first, charges: many.slice(1) }, instruction: part })).toBeUndefined()
  })

  it('is accepted only within the agreed number and sum of instalments', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 5_000 }), amounts, (count, one, all) => {
        const initial = authorisation(0, begins('INSTALLMENT', { numberOfInstallments: count }), { amountMinor: one })
        const made = [initial]
        for (const amountMinor of all) {
          const of = { initial, charges: made.slice(1).toReversed() }
          if (!check({ what: '', of, instruction: part, amountMinor }))
            made.push(authorisation(1, part, { amountMinor }))
        }
        expect(made.length).toBeLessThanOrEqual(count)
        expect(made.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBeLessThanOrEqual(one * count)
      }),
    )
  })
})

describe('the number of earlier charges that a decision reads', () => {
  it.each([
    { of: 'no terms', instruction: charge('UNSCHEDULED'), initial: undefined, length: 0 },
    { of: 'an expiry', instruction: charge('RECURRING', { expiry: '2027-01-01' }), initial: undefined, length: 0 },
    { of: 'a frequency', instruction: charge('RECURRING'), initial: authorisation(0, monthly), length: 100 },
    { of: 'an industry practice', instruction: practice('NO_SHOW'), initial: undefined, length: 100 },
    { of: 'instalments', instruction: part, initial: first, length: 1000 },
  ])('for $of: $length', ({ instruction, initial, length }) => {
    expect(historyLengthOf(instruction, initial)).toBe(length)
  })
})
