import type { Connector } from '@tollgate/connectors'

/** A connector under the name by which routes and attempts refer to it. */
export interface NamedConnector<C extends Connector = Connector> {
  readonly name: string
  readonly connector: C
}
