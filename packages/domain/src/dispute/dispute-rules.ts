import {
  type ChargebackReason,
  chargebackReasons,
  type DisputeNetwork,
  unknownChargebackReason,
} from '@tollgate/contract'
import { chargebackReasonOf, disputeNetworksOf } from '../reconciliation/chargeback-reasons.ts'
import { type AnswerableStage, answerDueOn } from '../reconciliation/dispute-deadlines.ts'
import { type DisputeFlow, type DisputeMovement, type DisputeStage, stageAfterMovement } from './dispute-stages.ts'

/** The facts of a dispute on which its rules depend. */
export interface DisputeFacts {
  readonly brand: string | undefined
  /** The reason as the network states it, such as `10.4`; undefined: none was stated. */
  readonly reason: string | undefined
}

/** The networks whose rules may apply: the network of the reason, or else all networks of the brand. */
function networksOf({ brand, reason }: DisputeFacts): readonly DisputeNetwork[] {
  const networks = disputeNetworksOf(brand)
  const code = codeOf(reason)
  const stated = networks.filter((network) => Object.hasOwn(chargebackReasons[network], code))
  return stated.length > 0 ? stated : networks
}

/** The network of a dispute; undefined if the brand has several, and the reason names none of them. */
export function disputeNetworkOf(facts: DisputeFacts): DisputeNetwork | undefined {
  const networks = networksOf(facts)
  return networks.length === 1 ? networks[0] : undefined
}

/** The result code and meaning of a reason; undefined if none was stated, or the network does not know it. */
export function statedReasonOf({ brand, reason }: DisputeFacts): ChargebackReason | undefined {
  const found = chargebackReasonOf(brand, reason)
  return Object.values(unknownChargebackReason).includes(found) ? undefined : found
}

/** The reasons of Visa for which the network allocates liability: fraud (10) and authorisation (11). */
const ALLOCATED = /^1[01]\./

/** How a first chargeback is contested. Only Visa has the flow of allocation. */
export const flowOf = ({ reason }: DisputeFacts, network: DisputeNetwork | undefined): DisputeFlow =>
  network === 'VISA' && ALLOCATED.test(codeOf(reason)) ? 'allocation' : 'collaboration'

/**
 * The last day for an answer to a stage: the earliest of the networks that may apply.
 *
 * @param receivedOn the day on which the stage began, yyyy-MM-dd
 * @returns undefined if none of the networks has a period for it
 */
export function dueOnOf(facts: DisputeFacts, stage: AnswerableStage, receivedOn: string): string | undefined {
  const days = networksOf(facts).map((network) => answerDueOn(network, stage, receivedOn))
  return days.filter((day) => day !== undefined).toSorted()[0]
}

/** The stage of a dispute after a movement of money. */
export const stageOf = (
  facts: DisputeFacts,
  stage: DisputeStage | undefined,
  movement: DisputeMovement,
): DisputeStage => stageAfterMovement(stage, movement, (next) => dueOnOf(facts, next, ANY_DAY) !== undefined)

/** Whether a network has a period for a stage does not depend on the day. */
const ANY_DAY = '2026-01-01'

const codeOf = (reason: string | undefined): string => reason?.trim().toUpperCase() ?? ''
