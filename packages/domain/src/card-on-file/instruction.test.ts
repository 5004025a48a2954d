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

/** A payment with a Visa card, without a cvv, with the id of its agreement. */
const instructedPayment = (
  instruction: StandingInstruction,
  changes: Partial<InstructedPayment> = {},
): InstructedPayment => ({
  instruction,
  brand: 'VISA',
  hasCardNetwork: true,
  hasCvv: false,
  initialTransactionId: 'n1',
  isLenient: false,
  atMs: day('2026-05-04'),
  ...changes,
})

const initialCit = { mode: 'INITIAL', source: 'CIT' } as const
const repeatedCit = { mode: 'REPEATED', source: 'CIT' } as const
const initialMit = { mode: 'INITIAL', source: 'MIT' } as const
const repeatedMit = { mode: 'REPEATED', source: 'MIT' } as const

describe('a standing instruction', () => {
  const combinations = instructionTypes.flatMap((type) =>
    instructionModes.flatMap((mode) => instructionSources.map((source) => ({ type, mode, source }))),
  )
  it.each(combinations)(
    'of $type $mode $source is accepted unless a customer pays a later instalment',
    (instruction) => {
      const isLaterInstalment = instruction.type === 'INSTALLMENT' && instruction.mode === 'REPEATED'
      const refusal = checkInstruction(instructedPayment(instruction))
      if (isLaterInstalment && instruction.source === 'CIT') expect(refusal?.code).toBe('600.200.501')
      else expect(refusal).toBeUndefined()
    },
  )

  interface Case {
    readonly name: string
    readonly instruction: StandingInstruction
    readonly changes?: Partial<InstructedPayment>
    /** A part of the reason of the refusal; undefined: accepted. */
    readonly reason?: string
  }

  const cases: readonly Case[] = [
    {
      name: 'of a direct debit under a mandate, without initialTransactionId,',
      instruction: { type: 'RECURRING', ...repeatedMit },
      changes: { initialTransactionId: undefined, brand: 'DIRECTDEBIT_SEPA', hasCardNetwork: false },
    },
    {
      name: 'of a charge of the card in a wallet, without initialTransactionId,',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { initialTransactionId: undefined, brand: 'APPLEPAY' },
      reason: 'initialTransactionId is missing',
    },
    {
      name: 'that begins a subscription with Mastercard, without recurringType,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'MASTER' },
      reason: 'recurringType is missing',
    },
    {
      name: 'that begins a subscription with a brand of the Mastercard network, without recurringType,',
      instruction: { type: 'RECURRING', ...initialMit },
      changes: { brand: 'MASTERDEBIT' },
      reason: 'recurringType is missing',
    },
    {
      name: 'that begins a subscription with Maestro, without recurringType,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'MAESTRO' },
      reason: 'recurringType is missing',
    },
    {
      name: 'that begins a subscription with Mastercard, with recurringType,',
      instruction: { type: 'RECURRING', ...initialCit, recurringType: 'SUBSCRIPTION' },
      changes: { brand: 'MASTER' },
    },
    {
      name: 'that begins a subscription with Mastercard, from an older client,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'MASTER', isLenient: true },
    },
    {
      name: 'for a co-branded card, which may use another network,',
      instruction: { type: 'RECURRING', ...initialCit },
      changes: { brand: 'BCMC' },
    },
    {
      name: 'of a later charge of a subscription with Mastercard',
      instruction: { type: 'RECURRING', ...repeatedMit },
      changes: { brand: 'MASTER' },
    },
    {
      name: 'that begins an unscheduled agreement with Mastercard',
      instruction: { type: 'UNSCHEDULED', ...initialCit },
      changes: { brand: 'MASTER' },
    },
    {
      name: 'of a charge without initialTransactionId',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { initialTransactionId: undefined },
      reason: 'initialTransactionId is missing',
    },
    {
      name: 'of a charge without initialTransactionId, from an older client,',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { initialTransactionId: undefined, isLenient: true },
    },
    {
      name: 'of a customer’s payment without initialTransactionId',
      instruction: { type: 'UNSCHEDULED', ...repeatedCit },
      changes: { initialTransactionId: undefined },
    },
    {
      name: 'of a charge with a cvv',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit },
      changes: { hasCvv: true },
      reason: 'card.cvv must not be sent',
    },
    {
      name: 'of a first payment by the merchant with a cvv',
      instruction: { type: 'UNSCHEDULED', ...initialMit },
      changes: { hasCvv: true },
      reason: 'card.cvv must not be sent',
    },
    {
      name: 'of a customer’s payment with a cvv',
      instruction: { type: 'UNSCHEDULED', ...repeatedCit },
      changes: { hasCvv: true },
    },
    {
      name: 'with a number of instalments, of a subscription,',
      instruction: { type: 'RECURRING', ...initialCit, numberOfInstallments: 3 },
      reason: 'numberOfInstallments must not be sent',
    },
    {
      name: 'with zero instalments',
      instruction: { type: 'INSTALLMENT', ...initialCit, numberOfInstallments: 0 },
      reason: 'numberOfInstallments must be 1 or more',
    },
    { name: 'with one instalment', instruction: { type: 'INSTALLMENT', ...initialCit, numberOfInstallments: 1 } },
    {
      name: 'with an expiry in the past',
      instruction: { type: 'RECURRING', ...initialCit, expiry: '2026-05-02' },
      reason: 'expiry has passed',
    },
    {
      name: 'with an expiry that has not passed in every time zone',
      instruction: { type: 'RECURRING', ...initialCit, expiry: '2026-05-03' },
    },
    { name: 'with an expiry today', instruction: { type: 'RECURRING', ...initialCit, expiry: '2026-05-04' } },
    {
      name: 'with an expiry in the year 9999',
      instruction: { type: 'RECURRING', ...initialCit, expiry: '9999-12-31' },
    },
    {
      name: 'of an increment without a referenced payment',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit, industryPractice: 'INCREMENTAL_AUTH' },
      reason: 'INCREMENTAL_AUTH',
    },
    {
      name: 'with an industry practice',
      instruction: { type: 'UNSCHEDULED', ...repeatedMit, industryPractice: 'NO_SHOW' },
    },
  ]

  /** Checks a millisecond before noon UTC, when the previous day ends at UTC−12. */
  const check = ({ instruction, changes }: Case) =>
    checkInstruction(instructedPayment(instruction, { atMs: day('2026-05-04') - 1, ...changes }))

  it.each(cases.filter(({ reason }) => reason === undefined))('$name is accepted', (example) => {
    expect(check(example)).toBeUndefined()
  })

  it.each(cases.filter(({ reason }) => reason !== undefined))('$name is refused', ({ reason = '', ...example }) => {
    expect(check(example)).toMatchObject({ code: '600.200.501', reason: expect.stringContaining(reason) })
  })
})
