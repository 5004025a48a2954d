import { type BrandCode, cardBrands, isCardBrand } from '@tollgate/contract'
import { isOver } from '../day.ts'
import { firstFailure, type Guard, type Refused } from '../guard.ts'

export const instructionTypes = ['UNSCHEDULED', 'INSTALLMENT', 'RECURRING'] as const
export type InstructionType = (typeof instructionTypes)[number]

export const instructionModes = ['INITIAL', 'REPEATED'] as const
export const instructionSources = ['CIT', 'MIT'] as const
export const recurringTypes = ['STANDING_ORDER', 'SUBSCRIPTION'] as const

export const industryPractices = [
  'INCREMENTAL_AUTH',
  'RESUBMISSION',
  'REAUTHORIZATION',
  'DELAYED_CHARGES',
  'NO_SHOW',
] as const
export type IndustryPractice = (typeof industryPractices)[number]

/**
 * How a payment uses account data that is stored: by an agreement of which type, whether it begins the agreement or is
 * one of the charges under it, and who starts it, the customer or the merchant (contract, Card on file).
 */
export interface StandingInstruction {
  readonly type: InstructionType
  readonly mode: (typeof instructionModes)[number]
  readonly source: (typeof instructionSources)[number]
  readonly recurringType?: (typeof recurringTypes)[number] | undefined
  readonly industryPractice?: IndustryPractice | undefined
  /** yyyy-MM-dd: "date after which no more authorizations are made". */
  readonly expiry?: string | undefined
  /** "Minimum days between authorizations." */
  readonly frequencyDays?: number | undefined
  /** "Maximum authorizations for installments." */
  readonly numberOfInstallments?: number | undefined
}

/** A payment with a standing instruction, seen by itself. */
export interface Instructed {
  readonly instruction: StandingInstruction
  readonly brand: BrandCode
  /** Whether a card network stands behind the account. */
  readonly ofNetwork: boolean
  /** Whether a cvv or what stands for one was sent: what only a customer who is there can give. */
  readonly cvvSent: boolean
  /** The network's id of the transaction that began the agreement: as sent, or as the registration keeps it. */
  readonly initialTransactionId: string | undefined
  /** Whether nothing is missed: older clients never sent all of it. */
  readonly lenient: boolean
  readonly atMs: number
}

const guards: readonly Guard<Instructed>[] = [
  {
    code: '600.200.501',
    reason: 'standingInstruction.recurringType is missing: Mastercard needs it where RECURRING begins',
    holds: ({ instruction: { type, mode, recurringType }, brand, lenient }) =>
      lenient || recurringType !== undefined || type !== 'RECURRING' || mode !== 'INITIAL' || !isMastercard(brand),
  },
  {
    code: '600.200.501',
    reason:
      'standingInstruction.initialTransactionId is missing: send the CardholderInitiatedTransactionID of the first ' +
      'payment, or pay with a registration that has one',
    // Only the networks of cards ask for one: a bank account has its mandate.
    holds: ({ instruction, initialTransactionId, ofNetwork, lenient }) =>
      lenient || initialTransactionId !== undefined || !isCharge(instruction) || !ofNetwork,
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.source must be MIT for an instalment after the first',
    holds: ({ instruction: { type, mode, source } }) =>
      type !== 'INSTALLMENT' || mode !== 'REPEATED' || source === 'MIT',
  },
  {
    code: '600.200.501',
    reason: 'card.cvv must not be sent with standingInstruction.source=MIT: nobody may keep it for later',
    holds: ({ instruction, cvvSent }) => instruction.source === 'CIT' || !cvvSent,
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.numberOfInstallments must not be sent unless the type is INSTALLMENT',
    holds: ({ instruction: { type, numberOfInstallments } }) =>
      numberOfInstallments === undefined || type === 'INSTALLMENT',
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.numberOfInstallments must be 1 or more',
    holds: ({ instruction: { numberOfInstallments } }) => numberOfInstallments !== 0,
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.expiry has passed: nothing is authorised after it',
    holds: ({ instruction: { expiry }, atMs }) => !isOver(expiry, atMs),
  },
  {
    code: '600.200.501',
    reason: 'an increment (industryPractice INCREMENTAL_AUTH) is sent to the id of the preauthorisation it increases',
    holds: ({ instruction }) => instruction.industryPractice !== 'INCREMENTAL_AUTH',
  },
]

/**
 * Whether a standing instruction is whole and free of contradictions.
 *
 * @returns 600.200.501 with the name of what is missing or wrong; undefined where nothing is
 */
export const checkInstruction = (subject: Instructed): Refused | undefined => firstFailure(guards, subject)

/** A charge that the merchant makes under an agreement that exists. */
export const isCharge = ({ mode, source }: Pick<StandingInstruction, 'mode' | 'source'>): boolean =>
  mode === 'REPEATED' && source === 'MIT'

/** Mastercard, or a brand whose cards all run over its network. */
function isMastercard(brand: BrandCode): boolean {
  if (brand === 'MASTER' || brand === 'MAESTRO') return true
  const networks = isCardBrand(brand) ? cardBrands[brand].networks : []
  return networks.length > 0 && networks.every((network) => network === 'MASTER')
}
