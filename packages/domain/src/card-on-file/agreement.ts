import { type CurrencyCode, DAY_MS, type ResultCode } from '@tollgate/contract'
import { isOver } from '../day.ts'
import { firstFailure, type Guard, type Refused } from '../guard.ts'
import { limits } from '../limits.ts'
import { type IndustryPractice, type StandingInstruction } from './instruction.ts'

/** A payment that was sent to an acquirer under an agreement, or to begin it. */
export interface Authorisation {
  /** undefined: a customer's payment that stored its account without a standing instruction. */
  readonly instruction: StandingInstruction | undefined
  /** Approved, or not decided yet. */
  readonly stands: boolean
  readonly code: ResultCode
  /** 0 where the account was only verified. */
  readonly amountMinor: number
  /** null for a registration, which has no amount. */
  readonly currency: CurrencyCode | null
  readonly atMs: number
}

/** A customer's agreement: the payments with the same initialTransactionId. */
export interface Agreement {
  /** The payment that began it; undefined: another gateway processed it. */
  readonly began: Authorisation | undefined
  /** The newest charges, newest first, as many as `historyOf` asks for. */
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

/** How many of the newest charges the decision on the next one needs; 0 without terms that concern earlier charges. */
export function historyOf(instruction: StandingInstruction, began: Authorisation | undefined): number {
  const { numberOfInstallments, frequencyDays } = termsOf(instruction, began)
  if (numberOfInstallments !== undefined) return limits.installmentHistoryMax
  return frequencyDays !== undefined || instruction.industryPractice !== undefined ? limits.historyMax : 0
}

/** The terms of the first payment; if another gateway processed it, those of the charge. */
function termsOf(instruction: StandingInstruction, began: Authorisation | undefined) {
  const agreed = began?.instruction
  return {
    expiry: agreed?.expiry ?? instruction.expiry,
    frequencyDays: agreed?.frequencyDays ?? instruction.frequencyDays,
    numberOfInstallments: agreed?.numberOfInstallments ?? instruction.numberOfInstallments,
  }
}

/** Whether a charge omits a term of its agreement, or has the agreed value. */
const repeats =
  (term: 'expiry' | 'frequencyDays' | 'numberOfInstallments') =>
  ({ instruction, agreement: { began } }: AgreedCharge): boolean => {
    const [said, agreed] = [instruction[term], began?.instruction?.[term]]
    return said === undefined || agreed === undefined || said === agreed
  }

const isOf =
  (...practices: readonly IndustryPractice[]) =>
  ({ instruction: { industryPractice } }: AgreedCharge): boolean =>
    industryPractice !== undefined && practices.includes(industryPractice)

const isResubmission = isOf('RESUBMISSION')
const isLate = isOf('REAUTHORIZATION', 'DELAYED_CHARGES')

const isOfInstallments = (one: Pick<Authorisation, 'instruction'>): boolean => one.instruction?.type === 'INSTALLMENT'

/** Calendar days in UTC. */
const daysBetween = (fromMs: number, toMs: number): number => Math.floor(toMs / DAY_MS) - Math.floor(fromMs / DAY_MS)

/** All payments of the agreement, newest first. */
const authorisations = ({ agreement: { began, charges } }: AgreedCharge): readonly Authorisation[] =>
  began ? [...charges, began] : charges

/** Payments that took money: not a verification at the beginning. */
const parts = (charge: AgreedCharge): readonly Authorisation[] =>
  authorisations(charge).filter(({ stands, amountMinor }) => stands && amountMinor > 0)

/** The payment that a resubmission repeats: the newest one that is not a resubmission itself. */
const repeated = (charge: AgreedCharge): Authorisation | undefined =>
  authorisations(charge).find(({ instruction }) => instruction?.industryPractice !== 'RESUBMISSION')

/** "Only after 51-type declines": not enough money or credit. */
const withoutFunds: ReadonlySet<ResultCode> = new Set<ResultCode>(['800.100.155', '800.100.203'])

const guards: readonly Guard<AgreedCharge>[] = [
  {
    code: '600.200.501',
    reason:
      'the payment that standingInstruction.initialTransactionId names is not known here, and an industryPractice ' +
      'needs it: one that began an agreement or was made with a registration',
    holds: (charge) =>
      charge.instruction.industryPractice === undefined ||
      (isResubmission(charge) ? repeated(charge) : charge.agreement.began) !== undefined,
  },
  {
    code: '600.200.501',
    reason: 'the payment that standingInstruction.initialTransactionId names was rejected: there is no agreement',
    holds: (charge) => isResubmission(charge) || charge.agreement.began?.stands !== false,
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.type differs from the agreement: only one of the two is of instalments',
    holds: ({ instruction, agreement: { began } }) =>
      instruction.industryPractice !== undefined ||
      began?.instruction === undefined ||
      isOfInstallments({ instruction }) === isOfInstallments(began),
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.expiry differs from what was agreed',
    holds: repeats('expiry'),
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.frequency differs from what was agreed',
    holds: repeats('frequencyDays'),
  },
  {
    code: '600.200.501',
    reason: 'standingInstruction.numberOfInstallments differs from what was agreed',
    holds: repeats('numberOfInstallments'),
  },
  {
    code: '600.200.501',
    reason: 'the agreement has ended: its expiry has passed',
    holds: ({ instruction, atMs, agreement }) => !isOver(termsOf(instruction, agreement.began).expiry, atMs),
  },
  {
    code: '600.200.501',
    reason: 'too early: fewer days than the agreed frequency have passed since the last authorisation',
    holds(charge) {
      const { instruction, atMs, agreement } = charge
      const { frequencyDays } = termsOf(instruction, agreement.began)
      const [last] = parts(charge)
      if (frequencyDays === undefined || instruction.industryPractice !== undefined || !last) return true
      return daysBetween(last.atMs, atMs) >= frequencyDays
    },
  },
  {
    code: '700.500.001',
    reason: 'the agreement has as many authorisations as can be counted',
    holds: ({ instruction, agreement: { began, charges } }) =>
      termsOf(instruction, began).numberOfInstallments === undefined || charges.length < limits.installmentHistoryMax,
  },
  {
    code: '600.200.501',
    reason: 'currency differs from that of the first instalment',
    holds: ({ instruction, currency, agreement: { began } }) => {
      const isPart = termsOf(instruction, began).numberOfInstallments !== undefined
      return !isPart || !began?.amountMinor || began.currency === currency
    },
  },
  {
    code: '600.200.501',
    reason: 'all instalments of standingInstruction.numberOfInstallments were made',
    holds(charge) {
      const { numberOfInstallments } = termsOf(charge.instruction, charge.agreement.began)
      return numberOfInstallments === undefined || parts(charge).length < numberOfInstallments
    },
  },
  {
    code: '600.200.501',
    reason: 'the instalments would be more than what was agreed: the first one times numberOfInstallments',
    holds(charge) {
      const { instruction, amountMinor, agreement } = charge
      const { numberOfInstallments } = termsOf(instruction, agreement.began)
      const first = agreement.began?.amountMinor
      if (numberOfInstallments === undefined || !first) return true
      const taken = parts(charge).reduce((sum, part) => sum + BigInt(part.amountMinor), 0n)
      return taken + BigInt(amountMinor) <= BigInt(first) * BigInt(numberOfInstallments)
    },
  },
  {
    code: '600.200.501',
    reason:
      'RESUBMISSION repeats a payment that was declined for lack of funds, and this one was not, or was paid since',
    holds: (charge) =>
      !isResubmission(charge) ||
      (withoutFunds.has(repeated(charge)?.code ?? '000.000.000') && authorisations(charge)[0]?.stands === false),
  },
  {
    code: '600.200.501',
    reason: 'RESUBMISSION is possible for fewer than 14 days',
    holds: (charge) => !isResubmission(charge) || charge.atMs - (repeated(charge)?.atMs ?? 0) < limits.resubmissionMs,
  },
  {
    code: '600.200.501',
    reason:
      'REAUTHORIZATION and DELAYED_CHARGES are possible for fewer than 30 days after the payment that they follow',
    holds: (charge) => !isLate(charge) || charge.atMs - (charge.agreement.began?.atMs ?? 0) < limits.lateChargeMs,
  },
]

/**
 * Whether a charge keeps to its agreement: its end, the days between charges, the number and sum of instalments, and
 * the limits of the industry practices.
 *
 * @returns 600.200.501 with the violated term, 700.500.001 for an agreement with too many payments; undefined if the
 * charge is in order
 */
export const checkCharge = (charge: AgreedCharge): Refused | undefined => firstFailure(guards, charge)
