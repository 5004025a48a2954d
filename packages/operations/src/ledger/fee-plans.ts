import type { FeePlan } from '@tollgate/domain'
import type { Context } from '../context.ts'
import { storedReader } from '../records/stored-json.ts'
import { planFinder } from './dated-plans.ts'
import { feePlan, prepareFeePlan } from './fee-plan.ts'

const readFeePlan = storedReader(feePlan)

/** The fee plans of all entities as of one moment. */
export interface FeePlans {
  /** The plan of a merchant at a time, epoch milliseconds: its own, or that of the nearest entity above. */
  planAt(merchant: string, atMs: number): FeePlan | undefined
}

export async function readFeePlans({ storage, directory }: Pick<Context, 'storage' | 'directory'>): Promise<FeePlans> {
  const plans = (await storage.feePlans()).map(({ entity_id: entityId, starts_at_ms: startsAtMs, plan }) => ({
    entityId,
    startsAtMs,
    plan: plan === null ? null : prepareFeePlan(readFeePlan(plan)),
  }))
  const find = planFinder(directory, plans)
  return { planAt: (merchant, atMs) => find(merchant, atMs)?.plan }
}
