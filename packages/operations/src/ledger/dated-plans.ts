import type { Directory } from '../directory/channel.ts'

/** A plan of an entity that applies from a time on. */
export interface DatedPlan<Plan> {
  readonly entityId: string
  /** Epoch milliseconds. */
  readonly startsAtMs: number
  /** null: from this time on the plan of the entity above applies. */
  readonly plan: Plan | null
}

/** A plan that applies, with the entity that has it and its beginning. */
export interface ValidPlan<Plan> extends DatedPlan<Plan> {
  readonly plan: Plan
}

/**
 * Returns a function that finds the plan of an entity at a time (epoch milliseconds): its own, or that of the nearest
 * entity above that has one.
 *
 * @param plans those of each entity in the order of their beginning
 */
export function planFinder<Plan>(
  directory: Pick<Directory, 'entity'>,
  plans: readonly DatedPlan<Plan>[],
): (entityId: string, atMs: number) => ValidPlan<Plan> | undefined {
  const plansOf = new Map<string, DatedPlan<Plan>[]>()
  for (const plan of plans) {
    const ofEntity = plansOf.get(plan.entityId)
    if (ofEntity) ofEntity.push(plan)
    else plansOf.set(plan.entityId, [plan])
  }
  return (entityId, atMs) => {
    let entity = plansOf.size === 0 ? undefined : directory.entity(entityId)
    while (entity) {
      const current = plansOf.get(entity.id)?.findLast(({ startsAtMs }) => startsAtMs <= atMs)
      if (current && current.plan !== null) return { ...current, plan: current.plan }
      entity = entity.parent_id === null ? undefined : directory.entity(entity.parent_id)
    }
    return undefined
  }
}
