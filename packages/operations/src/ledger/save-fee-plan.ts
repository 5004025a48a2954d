import type { FeePlanRow, TransactionFeedRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { timePartOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { storedReader } from '../records/stored-json.ts'
import { feePlan, FeePlanError, prepareFeePlan, type SentFeePlan } from './fee-plan.ts'
import { readOrBeginFeed } from './transaction-feed.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids'>

/** A fee plan of an entity, and the time from which it applies. */
export interface StoredFeePlan {
  readonly startsAtMs: number
  readonly createdAtMs: number
  /** null: from this time on the plan of the entity above applies. */
  readonly plan: SentFeePlan | null
}

const readFeePlan = storedReader(feePlan)

/** The fee plans of an entity itself, in the order of their beginning. */
export async function feePlansOf({ storage }: Pick<Context, 'storage'>, entityId: string): Promise<StoredFeePlan[]> {
  const rows = (await storage.feePlans()).filter((row) => row.entity_id === entityId)
  return rows.map(({ starts_at_ms: startsAtMs, created_at_ms: createdAtMs, plan }) => ({
    startsAtMs,
    createdAtMs,
    plan: plan === null ? null : readFeePlan(plan),
  }))
}

/**
 * Stores the fee plan of an entity from a time on.
 *
 * The fee of a transaction never changes, because a plan begins only at a time that the feed of transactions has not
 * reached when the plan is stored.
 *
 * @param plan null: from this time on the plan of the entity above applies
 * @param startsAtMs epoch milliseconds; by default now
 * @throws FeePlanError if the plan is invalid, begins in the past, or at the same time as another plan of the entity;
 * nothing was written
 */
export async function saveFeePlan(
  dependencies: Dependencies,
  entityId: string,
  plan: SentFeePlan | null,
  startsAtMs?: number,
): Promise<void> {
  if (plan) prepareFeePlan(plan)
  for (let attempt = 0; attempt < limits.feePlanTriesMax; attempt += 1) {
    const feed = await readOrBeginFeed(dependencies)
    if (feed && (await tryToSave(dependencies, feed, entityId, plan, startsAtMs))) return
  }
  throw new FeePlanError('startsAt could not be compared with the ledger, which is moving on; retry')
}

/** @returns false if the feed has moved on; nothing was written */
async function tryToSave(
  dependencies: Dependencies,
  feed: TransactionFeedRow,
  entityId: string,
  plan: SentFeePlan | null,
  sentStartMs: number | undefined,
): Promise<boolean> {
  const nowMs = dependencies.clock.now()
  const startsAtMs = sentStartMs ?? nowMs
  if (startsAtMs < nowMs) throw new FeePlanError('startsAt must not be in the past: entries keep their fees')
  // The clock of the process that reads the feed may be ahead of the clock of this one.
  if (timePartOf(startsAtMs) < feed.closed_before)
    throw new FeePlanError('startsAt must be later than the last transaction in the ledger')
  const plans = await feePlansOf(dependencies, entityId)
  if (plans.length >= limits.feePlansMax)
    throw new FeePlanError(`an entity has at most ${limits.feePlansMax} fee plans, including those of the past`)
  if (plans.some((each) => each.startsAtMs === startsAtMs))
    throw new FeePlanError('startsAt is the beginning of another fee plan of the entity: choose another time')
  const row: FeePlanRow = {
    entity_id: entityId,
    starts_at_ms: startsAtMs,
    plan: plan && JSON.stringify(plan),
    created_at_ms: nowMs,
  }
  // The compare-and-set fails if the feed has been closed at a later time since it was read.
  return commitChange(dependencies, {
    compareAndSets: [{ table: 'transaction_feed', from: feed, to: feed }],
    rows: { fee_plan: [row] },
  })
}
