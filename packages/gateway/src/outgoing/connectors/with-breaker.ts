import type { RemoteConnector } from '@tollgate/connectors'
import { breakerAfterFailure, breakerAfterSuccess, breakerAllows, closedBreaker } from '@tollgate/domain'

/** A connector, and whether its acquirer answers. */
export interface WatchedConnector {
  readonly connector: RemoteConnector
  readonly isHealthy: () => boolean
}

/**
 * Watches the answers of a connector. It is unhealthy while no connection is up, and after consecutive requests without
 * an answer, for a pause that grows with each one. If connections are kept open, a request that was not sent says
 * nothing more about the acquirer.
 */
export function withBreaker(connector: RemoteConnector, clock: { now(): number }): WatchedConnector {
  let breaker = closedBreaker
  const isFailure = (status: string): boolean => status === 'unknown' || (status === 'notSent' && !connector.isReady)
  return {
    isHealthy: () => connector.isReady?.() !== false && breakerAllows(breaker, clock.now()) !== 'none',
    connector: {
      ...connector,
      async send(request, sentAs) {
        const outcome = await connector.send(request, sentAs)
        if (isFailure(outcome.status)) breaker = breakerAfterFailure(breaker, clock.now(), undefined)
        else if (outcome.status !== 'notSent') breaker = breakerAfterSuccess(breaker)
        return outcome
      },
    },
  }
}
