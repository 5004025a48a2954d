import type { DisputeNetwork } from '@tollgate/contract'
import { addDays } from '../day.ts'

/** The stages of a dispute with a period in which it can be answered. */
export type AnswerableStage = 'chargeback' | 'preArbitration'

/** The periods of a network, in days. */
export interface DisputePeriods {
  /** The usual period from the transaction in which a cardholder can dispute it. */
  readonly cardholderDays: number
  /** The longest such period, from the transaction, for services that are provided later. */
  readonly cardholderDaysMax: number
  /** The period of an answer to each stage; absent: the network has no such stage. */
  readonly answerDays: Readonly<Partial<Record<AnswerableStage, number>>>
}

const periods = (
  cardholderDays: number,
  cardholderDaysMax: number,
  answerDays: DisputePeriods['answerDays'],
): DisputePeriods => ({ cardholderDays, cardholderDaysMax, answerDays })

/**
 * The periods of disputes by network (domain notes, 4.6). Returns and refunds of SEPA direct debits, which debtors can
 * demand for 8 weeks and without a mandate for 13 months, cannot be answered.
 */
export const disputePeriods: Readonly<Record<DisputeNetwork, DisputePeriods>> = {
  VISA: periods(120, 540, { chargeback: 30, preArbitration: 30 }),
  MASTER: periods(120, 120, { chargeback: 45, preArbitration: 30 }),
  AMEX: periods(120, 120, { chargeback: 20 }),
  DISCOVER: periods(120, 120, { chargeback: 30 }),
  SEPA: periods(56, 396, {}),
}

/**
 * The last day for an answer to a dispute, for files that do not state it; undefined if it cannot be answered.
 *
 * @param receivedOn the day on which the stage began, yyyy-MM-dd
 */
export function answerDueOn(network: DisputeNetwork, stage: AnswerableStage, receivedOn: string): string | undefined {
  const days = disputePeriods[network].answerDays[stage]
  return days === undefined ? undefined : addDays(receivedOn, days)
}
