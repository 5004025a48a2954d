import { isBrand } from '@tollgate/contract'
import {
  chargeOf,
  dayAt,
  type DisputeFacts,
  type DisputeMovement,
  type DisputeStage,
  disputeStageOf,
  disputeStages,
  disputeStateOf,
  type DisputeStep,
  disputeSteps,
  dueOnOf,
  type Go,
  isDisputeStage,
} from '@tollgate/domain'
import type { DisputeRow, Storage, StoredTree, TransactionRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { narrow } from '../narrow.ts'
import type { PendingChange } from '../pending-unit.ts'
import { paymentTree } from './payment-record.ts'
import { oneOf, optional, storedReader } from './stored-json.ts'

/** Who moved a dispute: a settlement file, a merchant or its processor, an operator, or the end of a period. */
export const disputeActors = ['file', 'caller', 'operator', 'deadline'] as const
export type DisputeActor = (typeof disputeActors)[number]

/** The events of a dispute: movements of money, steps, and its begin without money. */
const events = [
  'inquiry',
  'chargeback',
  'secondChargeback',
  'reversal',
  'partialReversal',
  ...disputeSteps,
] as const satisfies readonly (DisputeMovement | DisputeStep | 'inquiry')[]
export type DisputeEvent = (typeof events)[number]

/** One event, with the stage after it. */
export interface DisputeHistoryEntry {
  readonly event: DisputeEvent
  readonly stage: DisputeStage
  readonly by: DisputeActor
  readonly atMs: number
  /** The transaction of a movement of money. */
  readonly transactionId?: string | undefined
  /** A note by the operator. */
  readonly note?: string | undefined
}

const readHistory = storedReader(
  Type.Array(
    Type.Object({
      event: oneOf(events),
      stage: oneOf(disputeStages),
      by: oneOf(disputeActors),
      atMs: Type.Integer(),
      transactionId: optional(Type.String()),
      note: optional(Type.String()),
    }),
  ),
)

/** The events of a dispute, the first one first. */
export const historyOf = ({ history }: DisputeRow): readonly DisputeHistoryEntry[] => readHistory(history)

/** The details with which a chargeback or its reversal arrives. */
export interface DisputeDetails {
  readonly by: DisputeActor
  /** The reason as the network states it. */
  readonly reason?: string | undefined
  /** yyyy-MM-dd; absent: today. */
  readonly receivedOn?: string | undefined
  /** The last day of an answer, yyyy-MM-dd; absent: by the period of the network. */
  readonly dueOn?: string | undefined
  readonly note?: string | undefined
}

/** The stage of a stored dispute. */
export const stageIn = ({ stage }: Pick<DisputeRow, 'stage'>): DisputeStage => narrow(isDisputeStage, stage)

/**
 * The disputed transaction of a chargeback or its reversal: the charge to which the first chargeback refers; undefined
 * if that is a refund, because a returned refund is no dispute.
 */
function disputedOf(
  { transactions }: Pick<StoredTree, 'transactions'>,
  row: TransactionRow,
): TransactionRow | undefined {
  if (row.type !== 'CB' && row.type !== 'CR') return row.type === 'RF' ? undefined : row
  const referenced = transactions.find(({ id }) => id === row.referenced_id)
  return referenced && disputedOf({ transactions }, referenced)
}

/** The facts of a dispute by which its rules are found. */
export const disputeFactsOf = (disputed: TransactionRow, reason: string | null | undefined): DisputeFacts => ({
  brand: narrow(isBrand, disputed.brand) ?? undefined,
  reason: reason ?? undefined,
})

/** A chargeback or its reversal that is being decided. */
interface Movement {
  readonly go: Pick<Go, 'type' | 'amountMinor'>
  /** The id of the new transaction. */
  readonly id: string
  readonly stored: StoredTree
  readonly original: TransactionRow
  readonly atMs: number
  readonly details: DisputeDetails
}

/**
 * The change of a dispute by a chargeback or its reversal, for the unit of that transaction. It opens the dispute if
 * there is none.
 */
export async function disputeChange(
  storage: Pick<Storage, 'dispute'>,
  movement: Movement,
): Promise<Pick<PendingChange, 'rows' | 'compareAndSets'>> {
  const disputed = disputedOf(movement.stored, movement.original)
  if (!disputed) return {}
  const from = await storage.dispute(disputed.id)
  const kind = movementOf(movement, disputed)
  const reason = movement.details.reason ?? from?.reason ?? undefined
  const facts = disputeFactsOf(disputed, reason)
  const stage = disputeStageOf(facts, from && stageIn(from), kind)
  const to = movedDispute(from, disputed, {
    ...movement.details,
    event: kind,
    stage,
    reason,
    transactionId: movement.id,
    atMs: movement.atMs,
  })
  return from ? { compareAndSets: [{ table: 'dispute', from, to }] } : { rows: { dispute: [to] } }
}

function movementOf({ go, stored, original }: Movement, disputed: TransactionRow): DisputeMovement {
  if (go.type === 'CB') return original.type === 'CR' ? 'secondChargeback' : 'chargeback'
  const tree = paymentTree(stored)
  const transaction = tree?.transactions.find(({ id }) => id === disputed.id)
  const openMinor = tree && transaction ? chargeOf(tree, transaction).chargedBackMinor : 0
  return openMinor === go.amountMinor ? 'reversal' : 'partialReversal'
}

/** An event that moves a dispute to a stage. */
interface DisputeMove extends DisputeDetails {
  readonly event: DisputeEvent
  readonly stage: DisputeStage
  readonly atMs: number
  readonly transactionId?: string | undefined
}

/**
 * The row of a dispute after an event.
 *
 * @param from undefined: the event opens the dispute
 */
export function movedDispute(
  from: DisputeRow | undefined,
  disputed: TransactionRow,
  { event, stage, by, atMs, transactionId, note, ...details }: DisputeMove,
): DisputeRow {
  const reason = details.reason ?? from?.reason ?? null
  const entry: DisputeHistoryEntry = { event, stage, by, atMs, transactionId, note }
  const begun = from && from.stage === stage && event === 'partialReversal' ? periodOf(from) : undefined
  const receivedOn = details.receivedOn ?? dayAt(atMs)
  const dueOn = details.dueOn ?? dueOnAfter(disputeFactsOf(disputed, reason), stage, receivedOn)
  const isWaiting = disputeStateOf(stage) === 'answerNeeded'
  return {
    id: disputed.id,
    merchant: disputed.merchant,
    channel: disputed.channel,
    stage,
    reason,
    ...(begun ?? { received_on: receivedOn, due_on: (isWaiting && dueOn) || null, warned_at_ms: null }),
    history: JSON.stringify([...(from ? historyOf(from) : []), entry]),
    version: (from?.version ?? 0) + 1,
    created_at_ms: from?.created_at_ms ?? atMs,
    changed_at_ms: atMs,
  }
}

/** The period of a stage, which a partial reversal does not change. */
const periodOf = ({ received_on, due_on, warned_at_ms }: DisputeRow) => ({ received_on, due_on, warned_at_ms })

const dueOnAfter = (facts: DisputeFacts, stage: DisputeStage, receivedOn: string): string | undefined =>
  stage === 'chargeback' || stage === 'preArbitration' ? dueOnOf(facts, stage, receivedOn) : undefined

/** The chargebacks of a transaction and their reversals, in the order in which they were made. */
export const movementsOf = (stored: StoredTree, disputedId: string): readonly TransactionRow[] =>
  stored.transactions.filter(
    (row) =>
      (row.type === 'CB' || row.type === 'CR') && row.status === 'ACK' && disputedOf(stored, row)?.id === disputedId,
  )

/** The chargeback among the movements of a transaction that is not reversed in full. */
export const standingChargeback = (movements: readonly TransactionRow[]): TransactionRow | undefined =>
  movements.find((row) => row.type === 'CB' && reversedMinorOf(row, movements) < (row.amount_minor ?? 0))

const reversedMinorOf = ({ id }: TransactionRow, movements: readonly TransactionRow[]): number =>
  movements.reduce(
    (sum, row) => (row.type === 'CR' && row.referenced_id === id ? sum + (row.amount_minor ?? 0) : sum),
    0,
  )
