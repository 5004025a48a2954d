import type { RemoteConnector } from '@tollgate/connectors'
import type { ConnectorCost, RouteMethod } from '@tollgate/domain'
import type { TargetMembers } from '@tollgate/operations'
import type { LookupFunction } from 'node:net'
import type { HostParts } from '../host-connector.ts'
import type { Rules } from '../target.ts'

/** Invalid settings or credentials. The message contains the path of the member and a valid form, but no value. */
export class ConnectorSettingsError extends Error {}

/** The dependencies of running connectors. */
export interface ConnectorParts extends HostParts {
  /** The look-up of hosts, which checks their addresses. */
  readonly lookup: LookupFunction
}

/** The validated settings of a connector. */
export interface PreparedConnector {
  /** The members that determine to which server the credentials are shown. */
  readonly targets: TargetMembers
  /** The members, by path, whose values no other connector may have. */
  readonly exclusive: readonly { readonly member: string; readonly value: string }[]
  /** The members, by path, that cannot be changed, with their values. */
  readonly permanent?: Readonly<Record<string, string>>
  readonly costs: readonly ConnectorCost[]
  /**
   * Creates the connector; it opens no connection yet.
   *
   * @param credentials undefined: it has none
   * @throws ConnectorSettingsError if the credentials are invalid
   */
  readonly create: (name: string, credentials: unknown, parts: ConnectorParts) => RemoteConnector
  /**
   * @param credentials undefined: there are none
   * @throws ConnectorSettingsError if they are invalid, or missing
   */
  readonly checkCredentials: (credentials: unknown) => void
}

/** A kind of connectors: a protocol, with the settings and credentials of its accounts. */
export interface ConnectorKind {
  readonly methods: ReadonlySet<RouteMethod>
  /** @throws ConnectorSettingsError if the settings are invalid, or an address is not permitted */
  prepare(settings: unknown, rules: Rules): PreparedConnector
}
