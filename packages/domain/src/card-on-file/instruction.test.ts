import { describe, expect, it } from 'vitest'
import {
  checkInstruction,
  type Instructed,
  instructionModes,
  instructionSources,
  instructionTypes,
  type StandingInstruction,
} from './instruction.ts'

const day = (text: string) => Date.parse(`${text}T12:00:00Z`)

/** By itself whole: a Visa card, without cvv, with the id of its agreement. */
const instructed = (instruction: StandingInstruction, changes: Partial<Instructed> = {}): Instructed => ({
  instruction,
  brand: 'VISA',
  ofNetwork: true,
  cvvSent: false,
  initialTransactionId: 'n1',
  lenient: false,
  atMs: day('2026-05-04'),
  ...changes,
})

const cit = { mode: 'INITIAL', source: 'CIT' } as const
const again = { mode: 'REPEATED', source: 'CIT' } as const
const setUp = { mode: 'INITIAL', source: 'MIT' } as const
const charge = { mode: 'REPEATED', source: 'MIT' } as const

describe('a standing instruction', () => {
  const all = instructionTypes.flatMap((type) =>
    instructionModes.flatMap((mode) => instructionSources.map((source) => ({ type, mode, source }))),
  )
  it.each(all)('of $type $mode $source is in the matrix, or refused', (instruction) => {
    const isAnInstalmentByTheCustomer = instruction.type === 'INSTALLMENT' && instruction.mode === 'REPEATED'
    const refusal = checkInstruction(instructed(instruction))
    if (isAnInstalmentByTheCustomer && instruction.source === 'CIT') expect(refusal?.code).toBe('600.200.501')
    else expect(refusal).toBeUndefined()
  })

  it.each<{ what: string; instruction: StandingInstruction; changes?: Partial<Instructed>; wrong?: string }>([
    {
      what: 'a direct debit without one, for it has a mandate',
      instruction: { type: 'RECURRING', ...charge },
      changes: { initialTransactionId: undefined, brand: 'DIRECTDEBIT_SEPA', ofNetwork: false },
    },
    {
      what: 'a charge of the card in a wallet, without one',
      instruction: { type: 'UNSCHEDULED', ...charge },
      changes: { initialTransactionId: undefined, brand: 'APPLEPAY' },
      wrong: 'initialTransactionId is missing',
    },
    {
      what: 'a subscription that begins with Mastercard, without recurringType',
      instruction: { type: 'RECURRING', ...cit },
      changes: { brand: 'MASTER' },
      wrong: 'recurringType is missing',
    },
    {
      what: 'the same with a brand on its network',
      instruction: { type: 'RECURRING', ...setUp },
      changes: { brand: 'MASTERDEBIT' },
      wrong: 'recurringType is missing',
    },
    {
      what: 'the same with Maestro',
      instruction: { type: 'RECURRING', ...cit },
      changes: { brand: 'MAESTRO' },
      wrong: 'recurringType is missing',
    },
    {
      what: 'the same with recurringType',
      instruction: { type: 'RECURRING', ...cit, recurringType: 'SUBSCRIPTION' },
      changes: { brand: 'MASTER' },
    },
    {
      what: 'the same from an older client',
      instruction: { type: 'RECURRING', ...cit },
      changes: { brand: 'MASTER', lenient: true },
    },
    {
      what: 'a co-branded card, which may run over another network',
      instruction: { type: 'RECURRING', ...cit },
      changes: { brand: 'BCMC' },
    },
    { what: 'what follows it', instruction: { type: 'RECURRING', ...charge }, changes: { brand: 'MASTER' } },
    { what: 'what is not recurring', instruction: { type: 'UNSCHEDULED', ...cit }, changes: { brand: 'MASTER' } },
    {
      what: 'a charge without initialTransactionId',
      instruction: { type: 'UNSCHEDULED', ...charge },
      changes: { initialTransactionId: undefined },
      wrong: 'initialTransactionId is missing',
    },
    {
      what: 'the same from an older client',
      instruction: { type: 'UNSCHEDULED', ...charge },
      changes: { initialTransactionId: undefined, lenient: true },
    },
    {
      what: 'a customer’s payment without it',
      instruction: { type: 'UNSCHEDULED', ...again },
      changes: { initialTransactionId: undefined },
    },
    {
      what: 'a charge with a cvv',
      instruction: { type: 'UNSCHEDULED', ...charge },
      changes: { cvvSent: true },
      wrong: 'card.cvv must not be sent',
    },
    {
      what: 'a beginning by the merchant with a cvv',
      instruction: { type: 'UNSCHEDULED', ...setUp },
      changes: { cvvSent: true },
      wrong: 'card.cvv must not be sent',
    },
    { what: 'a customer’s cvv', instruction: { type: 'UNSCHEDULED', ...again }, changes: { cvvSent: true } },
    {
      what: 'a number of instalments where there are none',
      instruction: { type: 'RECURRING', ...cit, numberOfInstallments: 3 },
      wrong: 'numberOfInstallments must not be sent',
    },
    {
      what: 'no instalment at all',
      instruction: { type: 'INSTALLMENT', ...cit, numberOfInstallments: 0 },
      wrong: 'numberOfInstallments must be 1 or more',
    },
    { what: 'one instalment', instruction: { type: 'INSTALLMENT', ...cit, numberOfInstallments: 1 } },
    {
      what: 'an end that is over',
      instruction: { type: 'RECURRING', ...cit, expiry: '2026-05-02' },
      wrong: 'expiry has passed',
    },
    { what: 'an end that is not over everywhere', instruction: { type: 'RECURRING', ...cit, expiry: '2026-05-03' } },
    { what: 'an end today', instruction: { type: 'RECURRING', ...cit, expiry: '2026-05-04' } },
    { what: 'no end', instruction: { type: 'RECURRING', ...cit, expiry: '9999-12-31' } },
    {
      what: 'an increment that refers to nothing',
      instruction: { type: 'UNSCHEDULED', ...charge, industryPractice: 'INCREMENTAL_AUTH' },
      wrong: 'INCREMENTAL_AUTH',
    },
    { what: 'a practice', instruction: { type: 'UNSCHEDULED', ...charge, industryPractice: 'NO_SHOW' } },
  ])('$what', ({ instruction, changes, wrong }) => {
    // Noon, when the day before has just ended at UTC−12: a moment earlier it has not.
    const refusal = checkInstruction(instructed(instruction, { atMs: day('2026-05-04') - 1, ...changes }))
    if (wrong === undefined) expect(refusal).toBeUndefined()
    else expect(refusal).toMatchObject({ code: '600.200.501', reason: expect.stringContaining(wrong) })
  })
})
