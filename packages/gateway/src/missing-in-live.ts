import type { Gateway } from './gateway.ts'

/**
 * What the live environment lacks before it can process a payment, with the remedy; undefined: nothing, or the
 * environment is test. Without it, every payment is refused with 600.200.200.
 */
export function missingInLive({
  environment,
  connectorCache,
  directory,
}: Pick<Gateway, 'environment' | 'connectorCache' | 'directory'>): string | undefined {
  if (environment === 'test') return undefined
  if (!connectorCache.all().some(({ state }) => state === 'enabled')) {
    return 'no connector to an acquirer is enabled: create one with `tollgate connector create`'
  }
  const hasRoutes = directory.entities().some(({ id }) => (directory.channel(id)?.routes ?? []).length > 0)
  return hasRoutes ? undefined : 'no channel has routes to a connector: set them with `tollgate route set`'
}
