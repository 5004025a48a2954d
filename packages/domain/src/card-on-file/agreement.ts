import { type CurrencyCode, DAY_MS, type ResultCode } from '@tollgate/contract'
import { hasEnded } from '../day.ts'
import { firstFailure, type Guard, type Refused } from '../guard.ts'
import { limits } from '../limits.ts'
import { type IndustryPractice, type StandingInstruction } from './instruction.ts'

/** A payment or registration that began an agreement, or a charge under it. */
export interface Authorisation {
  /** undefined: a customer's payment that stored its account without a standing instruction. */
  readonly instruction: StandingInstruction | undefined
  /** Whether the payment was refused, or expired without an outcome. */
  readonly failed: boolean
  readonly code: ResultCode
  /** 0 if the account was only verified. */
  readonly amountMinor: number
  /** null for a registration, which has no amount. */
  readonly currency: CurrencyCode | null
  readonly atMs: number
}

/** A customer's agreement: the payments with the same initialTransactionId. */
export interface Agreement {
  /**
   * The payment that began the agreement; undefined: it is not stored, for example because another gateway processed
   * it.
   */
  readonly initial: Authorisation | undefined
  /** The newest charges, newest first, at most the number that `historyLengthOf` returns. */
  readonly charges: readonly Authorisation[]
}

/** A charge under an agreement. */
export interface AgreedCharge {
  readonly instruction: StandingInstruction
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly atMs: number
  readonly agreement: Agreement
}

/** The number of newest charges that a decision on a charge requires; 0 if no term concerns earlier charges. */
export function historyLengthOf(instruction: StandingInstruction, initial: Authorisation | undefined): number {
  const { numberOfInstallments, frequencyDays } = termsOf(instruction, initial)
  if (numberOfInstallments !== undefined) return limits.installmentHistoryMax
  return frequencyDays !== undefined || instruction.industryPractice !== undefined ? limits.historyMax : 0
}

/** Each term of the first payment; that of the charge if the first payment lacks the term or is unknown here. */
function termsOf(instruction: StandingInstruction, initial: Authorisation | undefined) {
  const agreed = initial?.instruction
  return {
    expiry: agreed?.expiry ?? instruction.expiry,
    frequencyDays: agreed?.frequencyDays ?? instruction.frequencyDays,
    numberOfInstallments: agreed?.numberOfInstallments ?? instruction.numberOfInstallments,
  }
}

/** Whether a charge does not contradict its agreement: one of the two lacks the term, or both have the same value. */
const matchesAgreement =
  (term: 'expiry' | 'frequencyDays' | 'numberOfInstallments') =>
  ({ instruction, agreement: { initial } }: AgreedCharge): boolean => {
    const [sent, agreed] = [instruction[term], initial?.instruction?.[term]]
    return sent === undefined || agreed === undefined || sent === agreed
  }

const hasPractice =
  (...practices: readonly IndustryPractice[]) =>
  ({ instruction: { industryPractice } }: AgreedCharge): boolean =>
    industryPractice !== undefined && practices.includes(industryPractice)

const isResubmission = hasPractice('RESUBMISSION')
const isLateCharge = hasPractice('REAUTHORIZATION', 'DELAYED_CHARGES')

const isInstallment = ({ instruction }: Pick<Authorisation, 'instruction'>): boolean =>
  instruction?.type === 'INSTALLMENT'

/** Calendar days in UTC. */
const daysBetween = (fromMs: number, toMs: number): number => Math.floor(toMs / DAY_MS) - Math.floor(fromMs / DAY_MS)

/** The charges in `agreement.charges` and the payment that began the agreement, newest first. */
const authorisations = ({ agreement: { initial, charges } }: AgreedCharge): readonly Authorisation[] =>
  initial ? [...charges, initial] : charges

/** Payments that have not failed and have an amount: an account verification is not among them. */
const paidAuthorisations = (charge: AgreedCharge): readonly Authorisation[] =>
  authorisations(charge).filter(({ failed, amountMinor }) => !failed && amountMinor > 0)

/** The payment that a resubmission repeats: the newest payment that is not a resubmission itself. */
const resubmittedPayment = (charge: AgreedCharge): Authorisation | undefined =>
  authorisations(charge).find(({ instruction }) => instruction?.industryPractice !== 'RESUBMISSION')

/** "Only after 51-type declines": not enough money or credit. */
const insufficientFunds: ReadonlySet<ResultCode> = new Set<ResultCode>(['800.100.155', '800.100.203'])

const guards: readonly Guard<AgreedCharge>[] = [
  {
    code: '600.200.501',
    reason:
      'standingInstruction.initialTransactionId names no payment of this gateway that began an agreement or was made ' +
      'with a registration: industryPractice requires one',
    holds: (charge) =>
      charge.instruction.industryPractice === undefined ||
      (isResubmission(charge) ? resubmittedPayment(charge) : charge.agreement.initial) !== undefined,
  },
  {
    code: '600.200.501',
    reason: 'the payment that standingInstruction.initialTransactionId names was rejected: there is no agreement',
    holds: (charge) => isResubmission(charge) || charge.agreement.initial?.failed !== true,
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.type differs from the agreement: only one of the two types is INSTALLMENT',
    holds: ({ instruction, agreement: { initial } }) =>
      instruction.industryPractice !== undefined ||
      initial?.instruction === undefined ||
      isInstallment({ instruction }) === isInstallment(initial),
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.expiry differs from the agreement',
    holds: matchesAgreement('expiry'),
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.frequency differs from the agreement',
    holds: matchesAgreement('frequencyDays'),
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.numberOfInstallments differs from the agreement',
    holds: matchesAgreement('numberOfInstallments'),
  },
  {
    code: '600.200.501',
    reason: 'the agreement has ended: its expiry has passed',
    holds: ({ instruction, atMs, agreement }) => !hasEnded(termsOf(instruction, agreement.initial).expiry, atMs),
  },
  {
    code: '600.200.501',
    reason: 'too early: fewer days than the agreed frequency have passed since the last authorisation',
    holds(charge) {
      const { instruction, atMs, agreement } = charge
      const { frequencyDays } = termsOf(instruction, agreement.initial)
      const [last] = paidAuthorisations(charge)
      if (frequencyDays === undefined || instruction.industryPractice !== undefined || !last) return true
      return daysBetween(last.atMs, atMs) >= frequencyDays
    },
  },
  {
    code: '700.500.001',
    reason: 'the agreement has too many authorisations to count its instalments',
    holds: ({ instruction, agreement: { initial, charges } }) =>
      termsOf(instruction, initial).numberOfInstallments === undefined || charges.length < limits.installmentHistoryMax,
  },
  {
    code: '600.200.501',
    reason: 'currency differs from that of the first instalment',
    holds: ({ instruction, currency, agreement: { initial } }) => {
      const hasInstalments = termsOf(instruction, initial).numberOfInstallments !== undefined
      return !hasInstalments || !initial?.amountMinor || initial.currency === currency
    },
  },
  {
    code: '600.200.501',
    reason: 'all instalments of standingInstruction.numberOfInstallments have been made',
    holds(charge) {
      const { numberOfInstallments } = termsOf(charge.instruction, charge.agreement.initial)
      return numberOfInstallments === undefined || paidAuthorisations(charge).length < numberOfInstallments
    },
  },
  {
    code: '600.200.501',
    reason: 'the instalments would exceed the agreed total: the first instalment times numberOfInstallments',
    holds(charge) {
      const { instruction, amountMinor, agreement } = charge
      const { numberOfInstallments } = termsOf(instruction, agreement.initial)
      const first = agreement.initial?.amountMinor
      if (numberOfInstallments === undefined || !first) return true
      const paidMinor = paidAuthorisations(charge).reduce((sum, part) => sum + BigInt(part.amountMinor), 0n)
      return paidMinor + BigInt(amountMinor) <= BigInt(first) * BigInt(numberOfInstallments)
    },
  },
  {
    code: '600.200.501',
    reason: 'RESUBMISSION repeats only a payment that was declined for lack of funds and has not been paid since',
    holds: (charge) =>
      !isResubmission(charge) ||
      (insufficientFunds.has(resubmittedPayment(charge)?.code ?? '000.000.000') &&
        authorisations(charge)[0]?.failed === true),
  },
  {
    code: '600.200.501',
    reason: 'RESUBMISSION is possible for fewer than 14 days after the declined payment',
    holds: (charge) =>
      !isResubmission(charge) || charge.atMs - (resubmittedPayment(charge)?.atMs ?? 0) < limits.resubmissionMs,
  },
  {
    code: '600.200.501',
    reason: 'REAUTHORIZATION and DELAYED_CHARGES are possible for fewer than 30 days after the first payment',
    holds: (charge) =>
      !isLateCharge(charge) || charge.atMs - (charge.agreement.initial?.atMs ?? 0) < limits.lateChargeMs,
  },
]

/**
 * Checks a charge against its agreement: the terms and the end of the agreement, the days between charges, the number,
 * currency and sum of instalments, and the limits of the industry practices.
 *
 * @returns 600.200.501 with the violated term, 700.500.001 for an agreement with too many payments; undefined if the
 * charge is permitted
 */
export const checkCharge = (charge: AgreedCharge): Refused | undefined => firstFailure(guards, charge)
