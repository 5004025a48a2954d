import type { ConnectorKind } from './connector-kind.ts'
import { iso8583Kind } from './iso8583-kind.ts'
import { upstreamKind } from './upstream-kind.ts'

/** The kinds of connectors, by the name that operators choose. */
export const connectorKinds: ReadonlyMap<string, ConnectorKind> = new Map([
  ['iso8583', iso8583Kind],
  ['upstream', upstreamKind],
])
