import { testHostProfile } from '@tollgate/connectors'
import type { ConnectorRow, RouteListRow } from '@tollgate/storage'
import type { HostsConfig } from '../config.ts'

/** The names of the connectors to which the route leads. */
export const routedNames = ['north', 'south'] as const

/** The port of the first host; those of others follow. */
export const FIRST_PORT = 5_000

/** The rows of connectors to two hosts, and of the route that leads to them. @param entityId the entity of the route */
export const routesTo = (
  { order, terminals }: HostsConfig,
  entityId: string,
  atMs: number,
): { readonly connector: readonly ConnectorRow[]; readonly route_list: readonly RouteListRow[] } => ({
  connector: routedNames.map((name, index) => ({
    id: name,
    kind: 'iso8583',
    settings: JSON.stringify({
      addresses: [{ host: '127.0.0.1', port: FIRST_PORT + index }],
      profile: { ...testHostProfile, name },
      terminalIds: Array.from({ length: terminals }, (_, number) => `T${index}${String(number).padStart(6, '0')}`),
      costs: [{ currencies: ['EUR'], basisPoints: 100 - 10 * index, fixed: '0.10' }],
    }),
    sealed: null,
    wrapped_key: null,
    key_id: null,
    credentials_at_ms: null,
    state: 'enabled',
    created_at_ms: atMs,
    changed_at_ms: atMs,
    deleted_at_ms: null,
  })),
  route_list: [
    {
      entity_id: entityId,
      routes: JSON.stringify({
        routes: [{ name: 'cards', order, targets: routedNames.map((connector) => ({ connector })) }],
      }),
      changed_at_ms: atMs,
    },
  ],
})
