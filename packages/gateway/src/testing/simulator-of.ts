import type { LocalConnector } from '@tollgate/connectors'
import type { Gateway } from '../gateway.ts'

/** The simulated acquirer of a gateway. */
export function simulatorOf({ acquirers: { simulator } }: Pick<Gateway, 'acquirers'>): LocalConnector {
  if (simulator?.kind !== 'local') throw new Error('the gateway has no simulator')
  return simulator
}
