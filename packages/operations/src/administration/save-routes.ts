import { builtInConnectors } from '@tollgate/domain'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import { isExisting } from '../connectors/connector-cache.ts'
import type { Context } from '../context.ts'
import { prepareRoutes, RoutesError, type RouteSet } from '../directory/routes.ts'

/**
 * Checks and stores the routes of an entity.
 *
 * @param set null: removes the entity's own routes
 * @throws RoutesError if the routes cannot be applied; nothing was written
 */
export async function saveRoutes(context: Context, entityId: string, set: RouteSet | null): Promise<void> {
  const { directory, clock, log } = context
  if (set) await checkRoutes(context, set)
  const row = { entity_id: entityId, routes: set && JSON.stringify(set), changed_at_ms: clock.now() }
  await commitChange(context, { rows: { route_list: [row] } })
  directory.putRoutes(row)
  audit(log, 'routes changed', { entity: entityId, routes: set ? set.routes.length : 'removed' })
}

/** Connectors are read from the storage, because the notification of a new one may not have arrived. */
async function checkRoutes({ environment, storage }: Context, set: RouteSet): Promise<void> {
  const accounts = (await storage.connectors()).filter(isExisting).map(({ id }) => id)
  const known = environment === 'live' ? accounts : [...accounts, ...Object.keys(builtInConnectors)]
  for (const [index, { when, targets }] of set.routes.entries()) {
    if (environment === 'live' && when?.testModes) {
      throw new RoutesError(`routes/${index}/when/testModes must not be set in the live environment`)
    }
    const unknown = targets.findIndex(({ connector }) => !known.includes(connector))
    if (unknown >= 0) {
      const choices =
        known.length === 0 ? 'the name of a connector, and there is none yet' : `one of ${known.join(', ')}`
      throw new RoutesError(`routes/${index}/targets/${unknown}/connector must be ${choices}`)
    }
  }
  prepareRoutes(set)
}
