import type { Clearing, ClearingVerdict, DayTotals, FileCapture, RemoteConnector } from '@tollgate/connectors'
import { routeMethods } from '@tollgate/domain'
import { testGateway, type TestGateway } from '@tollgate/gateway/testing'
import type { ConnectorAccount } from '../context.ts'
import { sandboxIds } from '../directory/sandbox.ts'

/** A connector `north` whose payments the gateway clears, with a cut-off at 18:00 UTC. Its acquirer approves all. */
export interface ClearedConnector {
  /** The days that were compared. */
  readonly compared: DayTotals[]
  /** The answer to a comparison. */
  verdict: (day: DayTotals) => ClearingVerdict
  /** The business day that the acquirer states; undefined: none. */
  settlementDay: number | undefined
}

/** A gateway at noon of 15 June 2026, UTC, with `useClearedConnector`. */
export async function clearedGateway(): Promise<TestGateway> {
  const tollgate = await testGateway()
  tollgate.clock.nowMs = Date.UTC(2026, 5, 15, 12)
  useClearedConnector(tollgate)
  return tollgate
}

/**
 * Routes the payments of the sandbox with testMode=EXTERNAL to a connector that is cleared.
 *
 * @param presentation what presents captures: their messages or clearing files
 */
export function useClearedConnector(
  { gateway }: Pick<TestGateway, 'gateway'>,
  { presentation = 'host' }: { readonly presentation?: 'host' | 'file' } = {},
): ClearedConnector {
  const cleared: ClearedConnector = { compared: [], verdict: () => ({ kind: 'agreed' }), settlementDay: undefined }
  const clearing: Clearing = {
    merchantId: 'NORTH0000000001',
    institute: 'North',
    cutOff: { minutes: 18 * 60, timeZone: 'UTC' },
    ...(presentation === 'file' && { fileCapture: (sentAs: string): FileCapture => JSON.parse(sentAs) }),
    async agree(day) {
      cleared.compared.push(day)
      return cleared.verdict(day)
    },
  }
  let references = 0
  let traces = 0
  const connector: RemoteConnector = {
    kind: 'remote',
    name: 'north',
    references: async ({ original }) => {
      traces += 1
      const captureSequence = original?.captureSequence ?? 1
      const reference = `61661200${String(traces).padStart(4, '0')}`
      return JSON.stringify({ reference, terminalId: 'TERM0001', captureSequence, captureCount: captureSequence + 1 })
    },
    async send({ amountMinor, original }) {
      references += 1
      const details = {
        ExtendedDescription: 'Approved.',
        ConnectorTxID1: `0R${String(references).padStart(6, '0')}`,
        ConnectorTxID2: '010000000306151200000000040012300000000000',
        ConnectorTxID3: 'A1B2C3',
        CardholderInitiatedTransactionID: original?.networkTransactionId ?? `4${String(references).padStart(14, '0')}`,
        AcquirerResponse: '00',
      }
      return { status: 'approved', code: '000.100.112', amountMinor, details, settlementDay: cleared.settlementDay }
    },
    reverse: async () => ({ kind: 'reversed' }),
    clearing,
  }
  const account: ConnectorAccount = {
    connector,
    methods: new Set(routeMethods),
    enabled: true,
    isHealthy: true,
    costs: [],
  }
  const accounts = { find: (name: string) => (name === 'north' ? account : undefined), names: () => ['north'] }
  Object.assign(gateway.acquirers, { accounts })
  routeToNorth({ gateway }, sandboxIds.channel)
  return cleared
}

/** Sends the payments of a channel to the connector of `useClearedConnector`. */
export function routeToNorth({ gateway }: Pick<TestGateway, 'gateway'>, channel: string): void {
  const routes = JSON.stringify({ routes: [{ name: 'cards', order: 'listed', targets: [{ connector: 'north' }] }] })
  gateway.directory.putRoutes({ entity_id: channel, routes, changed_at_ms: 0 })
}
