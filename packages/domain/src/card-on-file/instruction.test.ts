import { describe, expect, it } from 'vitest'
import {
  checkInstruction,
  type InstructedPayment,
  instructionModes,
  instructionSources,
  instructionTypes,
  type StandingInstruction,
} from './instruction.ts'

const day = (text: string) => Date.parse(`${text}T12:00:00Z`)

/** A complete instruction for a Visa card, without cvv, with the id of its agreement. */
const instructedPayment = (
  instruction: StandingInstruction,
  changes: Partial<InstructedPayment> = {},
): InstructedPayment => ({
  instruction,
  brand: 'VISA',
  hasCardNetwork: true,
  cvvSent: false,
  initialTransactionId: 'n1',
  lenient: false,
  atMs: day('2026-05-04'),
  ...changes,
})

const initialCit = { mode: 'INITIAL', source: 'CIT' } as const
const repeatedCit = { mode: 'REPEATED', source: 'CIT' } as const
const initialMit = { mode: 'INITIAL', source: 'MIT' } as const
const repeatedMit = { mode: 'REPEATED', source: 'MIT' } as const

describe('a standing instruction', () => {
  const all = instructionTypes.flatMap((type) =>
    instructionModes.flatMap((mode) => instructionSources.map((source) => ({ type, mode, source }))),
  )
  it.each(all)('of $type $mode $source is accepted unless a customer pays a later instalment', (instruction) => {
    const isLaterInstalment = instruction.type === 'INSTALLMENT' && instruction.mode === 'REPEATED'
    const refusal = checkInstruction(instructedPayment(instruction))
    if (isLaterInstalment && instruction.source === 'CIT') expect(refusal?.code).toBe('600.200.501')
    else expect(refusal).toBeUndefined()
  })

  interface Case {
    readonly what: string
    readonly instruction: StandingInstruction
    readonly changes?: Partial<InstructedPayment>
    /** A part of the reason of its refusal; undefined: accepted. */
    readonly wrong?: string
  }

  const cases: readonly Case[] = [
    {
      what: 'of a direct debit under a mandate, without initialTransactionId,',
      instruction: { type: 'RECURRING', ...repeatedMit },
      changes: { initialTransactionId: undefined, brand: 'DIRECTDEBIT_SEPA', hasCardNetwork: false },
    },
    {
      what: 'of a charge of the card in a wallet, without initialTransactionId,',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { initialTransactionId: undefined, brand: 'APPLEPAY' },
      wrong: 'initialTransactionId is missing',
    },
    {
      what: 'that begins a subscription with Mastercard, without recurringType,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'MASTER' },
      wrong: 'recurringType is missing',
    },
    {
      what: 'that begins a subscription with a brand of the Mastercard network, without recurringType,',
      instruction: { type: 'RECURRING', ...initialMit },
      changes: { brand: 'MASTERDEBIT' },
      wrong: 'recurringType is missing',
    },
    {
      what: 'that begins a subscription with Maestro, without recurringType,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'MAESTRO' },
      wrong: 'recurringType is missing',
    },
    {
      what: 'that begins a subscription with Mastercard, with recurringType,',
      instruction: { type: 'RECURRING', ...initialCit, recurringType: 'SUBSCRIPTION' },
      changes: { brand: 'MASTER' },
    },
    {
      what: 'that begins a subscription with Mastercard, from an older client,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'MASTER', lenient: true },
    },
    {
      what: 'for a co-branded card, which may use another network,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'BCMC' },
    },
    {
      what: 'of a later charge of a subscription with Mastercard',
      instruction: { type: 'RECURRING', ...repeatedMit },
      changes: { brand: 'MASTER' },
    },
    {
      what: 'that begins an unscheduled agreement with Mastercard',
      instruction: { type: 'UNSCHEDULED', ...initialCit },
      changes: { brand: 'MASTER' },
    },
    {
      what: 'of a charge without initialTransactionId',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { initialTransactionId: undefined },
      wrong: 'initialTransactionId is missing',
    },
    {
      what: 'of a charge without initialTransactionId, from an older client,',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { initialTransactionId: undefined, lenient: true },
    },
    {
      what: 'of a customer’s payment without initialTransactionId',
      instruction: { type: 'UNSCHEDULED', ...repeatedCit },
      changes: { initialTransactionId: undefined },
    },
    {
      what: 'of a charge with a cvv',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { cvvSent: true },
      wrong: 'card.cvv must not be sent',
    },
    {
      what: 'of a first payment by the merchant with a cvv',
      instruction: { type: 'UNSCHEDULED', ...initialMit },
      changes: { cvvSent: true },
      wrong: 'card.cvv must not be sent',
    },
    {
      what: 'of a customer’s payment with a cvv',
      instruction: { type: 'UNSCHEDULED', ...repeatedCit },
      changes: { cvvSent: true },
    },
    {
      what: 'with a number of instalments, of a subscription,',
      instruction: { type: 'RECURRING', ...initialCit, numberOfInstallments: 3 },
      wrong: 'numberOfInstallments must not be sent',
    },
    {
      what: 'with zero instalments',
      instruction: { type: 'INSTALLMENT', ...initialCit, numberOfInstallments: 0 },
      wrong: 'numberOfInstallments must be 1 or more',
    },
    { what: 'with one instalment', instruction: { type: 'INSTALLMENT', ...initialCit, numberOfInstallments: 1 } },
    {
      what: 'with an expiry in the past',
      instruction: { type: 'RECURRING', ...initialCit, expiry: '2026-05-02' },
      wrong: 'expiry has passed',
    },
    {
      what: 'with an expiry that has not passed in every time zone',
      instruction: { type: 'RECURRING', ...initialCit, expiry: '2026-05-03' },
    },
    { what: 'with an expiry today', instruction: { type: 'RECURRING', ...initialCit, expiry: '2026-05-04' } },
    {
      what: 'with an expiry in the year 9999',
      instruction: { type: 'RECURRING', ...initialCit, expiry: '9999-12-31' },
    },
    {
      what: 'of an increment without a referenced payment',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit, industryPractice: 'INCREMENTAL_AUTH' },
      wrong: 'INCREMENTAL_AUTH',
    },
    {
      what: 'with an industry practice',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit, industryPractice: 'NO_SHOW' },
    },
  ]

  /** A millisecond before noon, when the day before ends at UTC−12. */
  const check = ({ instruction, changes }: Case) =>
    checkInstruction(instructedPayment(instruction, { atMs: day('2026-05-04') - 1, ...changes }))

  it.each(cases.filter(({ wrong }) => wrong === undefined))('$what is accepted', (each) => {
    expect(check(each)).toBeUndefined()
  })

  it.each(cases.filter(({ wrong }) => wrong !== undefined))('$what is refused', ({ wrong = '', ...each }) => {
    expect(check(each)).toMatchObject({ code: '600.200.501', reason: expect.stringContaining(wrong) })
  })
})
