import { type BrandCode, cardBrands, isCardBrand } from '@tollgate/contract'
import { hasEnded } from '../day.ts'
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
 * The use of stored account data by a payment: the type of the agreement, whether the payment begins the agreement or
 * is a charge under it, and whether customer or merchant initiates the payment (contract, Card on file).
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

/** The properties of a payment with a standing instruction that the rules for the instruction depend on. */
export interface InstructedPayment {
  readonly instruction: StandingInstruction
  readonly brand: BrandCode
  /** Whether the account belongs to a card network. */
  readonly hasCardNetwork: boolean
  /** Whether a cvv or dtvc was sent, which only a present customer can enter. */
  readonly hasCvv: boolean
  /** The network's id of the transaction that began the agreement: as sent, or stored with the registration. */
  readonly initialTransactionId: string | undefined
  /** Whether missing parameters are accepted: older clients do not send all of them. */
  readonly isLenient: boolean
  readonly atMs: number
}

const guards: readonly Guard<InstructedPayment>[] = [
  {
    code: '600.200.501',
    reason:
      'standingInstruction.recurringType is missing: Mastercard requires it for the first payment of type RECURRING',
    holds: ({ instruction: { type, mode, recurringType }, brand, isLenient }) =>
      isLenient || recurringType !== undefined || type !== 'RECURRING' || mode !== 'INITIAL' || !isMastercard(brand),
  },
  {
    code: '600.200.501',
    reason:
      'standingInstruction.initialTransactionId is missing: send the CardholderInitiatedTransactionID of the first ' +
      'payment, or pay with a registration that has one',
    // Only card networks require the id; for a bank account, the mandate takes its place.
    holds: ({ instruction, initialTransactionId, hasCardNetwork, isLenient }) =>
      isLenient || initialTransactionId !== undefined || !isCharge(instruction) || !hasCardNetwork,
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.source must be MIT for an instalment after the first',
    holds: ({ instruction: { type, mode, source } }) =>
      type !== 'INSTALLMENT' || mode !== 'REPEATED' || source === 'MIT',
  },
  {
    code: '600.200.501',
    reason: 'card.cvv must not be sent with standingInstruction.source=MIT: it must not be stored',
    holds: ({ instruction, hasCvv }) => instruction.source === 'CIT' || !hasCvv,
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
    reason: 'standingInstruction.expiry has passed: no payment is authorised after it',
    holds: ({ instruction: { expiry }, atMs }) => !hasEnded(expiry, atMs),
  },
  {
    code: '600.200.501',
    reason: 'an increment (industryPractice INCREMENTAL_AUTH) is sent to the id of the preauthorisation it increases',
    holds: ({ instruction }) => instruction.industryPractice !== 'INCREMENTAL_AUTH',
  },
]

/**
 * Checks that a standing instruction is complete and consistent.
 *
 * @returns 600.200.501 with the name of the missing or wrong parameter; undefined if there is none
 */
export const checkInstruction = (subject: InstructedPayment): Refused | undefined => firstFailure(guards, subject)

/** Whether the payment is a charge by the merchant under an existing agreement. */
export const isCharge = ({ mode, source }: Pick<StandingInstruction, 'mode' | 'source'>): boolean =>
  mode === 'REPEATED' && source === 'MIT'

/** Whether a brand is one of Mastercard's own, or has Mastercard as its only co-brand network. */
function isMastercard(brand: BrandCode): boolean {
  if (brand === 'MASTER' || brand === 'MAESTRO') return true
  const networks = isCardBrand(brand) ? cardBrands[brand].networks : []
  return networks.length > 0 && networks.every((network) => network === 'MASTER')
}
