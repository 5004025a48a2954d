import type { FeePlan } from '@tollgate/domain'
import type { FeePlanRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { storedReader } from '../records/stored-json.ts'
import { feePlan, prepareFeePlan } from './fee-plan.ts'

const readFeePlan = storedReader(feePlan)

/** The fee plans of all entities as of one moment. */
export interface FeePlans {
  /** The plan of a merchant at a time, epoch milliseconds: its own, or that of the nearest entity above. */
  planAt(merchant: string, atMs: number): FeePlan | undefined
}

interface DatedPlan {
  readonly startsAtMs: number
  readonly plan: FeePlan | null
}

export async function readFeePlans({ storage, directory }: Pick<Context, 'storage' | 'directory'>): Promise<FeePlans> {
  const plansOf = new Map<string, DatedPlan[]>()
  for (const row of await storage.feePlans()) {
    const plans = plansOf.get(row.entity_id) ?? []
    plans.push(datedPlan(row))
    plansOf.set(row.entity_id, plans)
  }
  return {
    planAt(merchant, atMs) {
      let entity = plansOf.size === 0 ? undefined : directory.entity(merchant)
      while (entity) {
        const current = plansOf.get(entity.id)?.findLast(({ startsAtMs }) => startsAtMs <= atMs)
        if (current?.plan) return current.plan
        entity = entity.parent_id === null ? undefined : directory.entity(entity.parent_id)
      }
      return undefined
    },
  }
}

const datedPlan = ({ starts_at_ms: startsAtMs, plan }: FeePlanRow): DatedPlan => ({
  startsAtMs,
  plan: plan === null ? null : prepareFeePlan(readFeePlan(plan)),
})
