import { DAY_MS, type ResultCode } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Agreement, type Authorisation, checkCharge, historyOf } from './agreement.ts'
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
  stands: true,
  code: '000.100.110',
  amountMinor: 3000,
  currency: 'EUR',
  atMs: onDay(days),
  ...changes,
})

const declined = (code: ResultCode = '800.100.155') => ({ stands: false, code }) as const

/** The charges of an agreement, oldest first. The first one began it, unless it began on another platform. */
const agreement = (authorisations: readonly Authorisation[], here = true): Agreement => ({
  began: here ? authorisations[0] : undefined,
  charges: authorisations.slice(here ? 1 : 0).toReversed(),
})

interface Case {
  readonly what: string
  readonly of: Agreement
  readonly instruction: StandingInstruction
  readonly onDay?: number
  readonly amountMinor?: number
  readonly currency?: 'EUR' | 'USD'
  /** Why it is refused, if it is. */
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
  { what: 'of an agreement that began elsewhere', of: agreement([], false), instruction: charge('UNSCHEDULED') },
  {
    what: 'of a payment that said nothing of an agreement',
    of: agreement([authorisation(0, undefined)]),
    instruction: charge('RECURRING'),
  },
  {
    what: 'of a beginning that was rejected',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined())]),
    instruction: charge('UNSCHEDULED'),
    wrong: 'was rejected',
  },
  {
    what: 'of another type',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: charge('RECURRING'),
  },
  { what: 'that is no instalment', of: agreement([first]), instruction: charge('RECURRING'), wrong: 'type differs' },
  {
    what: 'that is one, of none',
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
    what: 'with a term that the beginning left open',
    of: agreement([authorisation(0, begins('RECURRING'))]),
    instruction: charge('RECURRING', { expiry: '2027-12-31' }),
  },

  // Its end and its frequency.
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
    what: 'soon after one that was declined',
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
    what: 'too early, of an agreement that began elsewhere, by the frequency that it tells',
    of: agreement([authorisation(0, charge('RECURRING'))], false),
    instruction: charge('RECURRING', { frequencyDays: 7 }),
    onDay: 6,
    wrong: 'too early',
  },
  {
    what: 'twice on one day, where a day must lie between',
    of: agreement([authorisation(0, begins('RECURRING', { frequencyDays: 1 }))]),
    instruction: charge('RECURRING'),
    onDay: 0.1,
    wrong: 'too early',
  },

  // Instalments.
  { what: 'the last instalment', of: agreement([first, authorisation(30, part)]), instruction: part },
  {
    what: 'one instalment too many',
    of: agreement([first, authorisation(20, part), authorisation(30, part)]),
    instruction: part,
    wrong: 'all instalments',
  },
  {
    what: 'an instalment after ones that were declined',
    of: agreement([first, authorisation(20, part, declined()), authorisation(30, part)]),
    instruction: part,
  },
  {
    what: 'the third instalment after a verification',
    of: agreement([
      authorisation(0, three, { amountMinor: 0 }),
      authorisation(1, part),
      authorisation(20, part, { amountMinor: 900_000 }),
    ]),
    instruction: part,
  },
  {
    what: 'the third instalment after a registration, which has no currency',
    of: { began: authorisation(0, three, { amountMinor: 0, currency: null }), charges: [authorisation(1, part)] },
    instruction: part,
  },
  {
    what: 'all that is left at once',
    of: agreement([first]),
    instruction: part,
    amountMinor: 6000,
  },
  {
    what: 'more than is left',
    of: agreement([first]),
    instruction: part,
    amountMinor: 6001,
    wrong: 'more than what was agreed',
  },
  {
    what: 'an instalment in another currency',
    of: agreement([first]),
    instruction: part,
    currency: 'USD',
    wrong: 'currency',
  },
  {
    what: 'one instalment too many of an agreement that began elsewhere',
    of: agreement([authorisation(0, part), authorisation(1, part), authorisation(2, part)], false),
    instruction: charge('INSTALLMENT', THREE),
    wrong: 'all instalments',
  },
  {
    what: 'an instalment under an industry practice counts',
    of: agreement([first, authorisation(20, part), authorisation(30, practice('NO_SHOW'))]),
    instruction: practice('NO_SHOW'),
    wrong: 'all instalments',
  },
  {
    what: 'as many instalments as anyone wants',
    of: agreement([authorisation(0, begins('INSTALLMENT'))]),
    instruction: part,
  },

  // Industry practices.
  {
    what: 'RESUBMISSION of a declined payment',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined())]),
    instruction: practice('RESUBMISSION'),
    onDay: 13.9,
  },
  {
    what: 'RESUBMISSION of a declined charge, after one that was declined again',
    of: agreement([
      authorisation(0, begins('UNSCHEDULED')),
      authorisation(30, charge('UNSCHEDULED'), declined()),
      authorisation(33, practice('RESUBMISSION'), declined()),
    ]),
    instruction: practice('RESUBMISSION'),
    onDay: 43,
  },
  {
    what: 'RESUBMISSION after two weeks',
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
    what: 'RESUBMISSION of what was resubmitted with success',
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
    what: 'RESUBMISSION of a payment that was approved',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
    wrong: 'RESUBMISSION repeats',
  },
  {
    what: 'RESUBMISSION of a payment that was declined for another reason',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined('800.100.152'))]),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
    wrong: 'RESUBMISSION repeats',
  },
  {
    what: 'REAUTHORIZATION in time',
    of: agreement([authorisation(0, undefined)]),
    instruction: practice('REAUTHORIZATION'),
    onDay: 29.9,
  },
  {
    what: 'REAUTHORIZATION too late',
    of: agreement([authorisation(0, undefined)]),
    instruction: practice('REAUTHORIZATION'),
    onDay: 30,
    wrong: '30 days',
  },
  {
    what: 'DELAYED_CHARGES in time',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 29,
  },
  {
    what: 'DELAYED_CHARGES too late',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 31,
    wrong: '30 days',
  },
  {
    what: 'DELAYED_CHARGES after a payment that was declined',
    of: agreement([authorisation(0, begins('UNSCHEDULED'), declined())]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 1,
    wrong: 'was rejected',
  },
  {
    what: 'NO_SHOW long after the reservation',
    of: agreement([authorisation(0, begins('UNSCHEDULED'))]),
    instruction: practice('NO_SHOW'),
    onDay: 200,
  },
  {
    what: 'DELAYED_CHARGES soon after a charge of a subscription',
    of: agreement([authorisation(0, monthly)]),
    instruction: practice('DELAYED_CHARGES'),
    onDay: 1,
  },
  ...(['RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'] as const).map((industryPractice) => ({
    what: `${industryPractice} of a payment that nobody knows`,
    of: agreement([], false),
    instruction: practice(industryPractice),
    onDay: 1,
    wrong: 'is not known here',
  })),
  {
    what: 'RESUBMISSION of a charge under an agreement that began elsewhere',
    of: agreement([authorisation(0, charge('UNSCHEDULED'), declined())], false),
    instruction: practice('RESUBMISSION'),
    onDay: 1,
  },
]

describe('a charge', () => {
  it.each(cases)('$what', (each) => {
    const refusal = check(each)
    if (each.wrong === undefined) expect(refusal).toBeUndefined()
    else expect(refusal).toMatchObject({ code: '600.200.501', reason: expect.stringContaining(each.wrong) })
  })

  it('is not judged where there is too much to count', () => {
    const many = Array.from({ length: 1000 }, () => authorisation(1, part, declined()))
    expect(check({ what: '', of: { began: first, charges: many }, instruction: part })?.code).toBe('700.500.001')
    expect(check({ what: '', of: { began: first, charges: many.slice(1) }, instruction: part })).toBeUndefined()
  })

  it('never makes more instalments than were agreed, nor takes more', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 5_000 }), amounts, (count, one, all) => {
        const began = authorisation(0, begins('INSTALLMENT', { numberOfInstallments: count }), { amountMinor: one })
        const made = [began]
        for (const amountMinor of all) {
          const of = { began, charges: made.slice(1).toReversed() }
          if (!check({ what: '', of, instruction: part, amountMinor }))
            made.push(authorisation(1, part, { amountMinor }))
        }
        expect(made.length).toBeLessThanOrEqual(count)
        expect(made.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBeLessThanOrEqual(one * count)
      }),
    )
  })
})

describe('the history that a charge is decided on', () => {
  it.each([
    { of: 'an agreement without terms', instruction: charge('UNSCHEDULED'), began: undefined, length: 0 },
    { of: 'one with an end', instruction: charge('RECURRING', { expiry: '2027-01-01' }), began: undefined, length: 0 },
    { of: 'one with a frequency', instruction: charge('RECURRING'), began: authorisation(0, monthly), length: 100 },
    { of: 'an industry practice', instruction: practice('NO_SHOW'), began: undefined, length: 100 },
    { of: 'instalments', instruction: part, began: first, length: 1000 },
  ])('of $of: $length', ({ instruction, began, length }) => {
    expect(historyOf(instruction, began)).toBe(length)
  })
})
