import type { Assets } from './assets.ts'
import type { MovableClock } from './runtime/clock/movable-clock.ts'
import type { Config } from './config.ts'
import type { ConnectionBounds } from './http/connections/connection-bounds.ts'
import type { ClientInfo } from './http/client-info.ts'
import type { JobRunner } from './runtime/job-runner.ts'
import type { KeyManager } from './keys/key-manager.ts'
import type { RunningConnectors } from './outgoing/connectors/running-connectors.ts'
import type { Rules } from './outgoing/target.ts'
import type { RefreshDirectory } from './runtime/directory-refresh.ts'
import type { Counts } from './metrics/counts.ts'
import type {
  ClearingFiles,
  ConnectorContext,
  DeliveryContext,
  FollowedDeclinedCards,
  Pages,
  SftpContext,
} from '@tollgate/operations'
import type { PageIntegrity } from './page-integrity/page-integrity.ts'
import type { Readiness } from './runtime/readiness.ts'
import type { AddressPacing } from './throttle/address-pacing.ts'
import type { FairQueue } from './throttle/fair-queue.ts'
import type { FailedLogins } from './throttle/failed-logins.ts'
import type { RefusalPacing } from './throttle/refusal-pacing.ts'
import type { RateCounters } from './throttle/rate-counters.ts'
import type { RequestThrottle } from './throttle/throttle-requests.ts'
import type { SftpService } from './sftp-server/sftp-service.ts'
import type { Tls } from './tls/tls.ts'
import type { EventLoop } from './runtime/event-loop.ts'

/** The parts of the service, which compose.ts wires together. */
export interface Gateway extends DeliveryContext, ConnectorContext, SftpContext {
  readonly config: Config
  readonly clock: MovableClock
  readonly eventLoop: EventLoop
  /** undefined: the listeners use plain HTTP. */
  readonly tls: Tls | undefined
  readonly clientInfo: ClientInfo
  /** The bounds on unanswered requests and unsent answers, for the connections of both listeners together. */
  readonly connections: ConnectionBounds
  readonly counts: Counts
  readonly keys: KeyManager
  /** The connectors that operators have set up. */
  readonly connectors: RunningConnectors
  /** The addresses that connectors may reach. */
  readonly connectorRules: Rules
  /** undefined: no other process changes the tables that this process caches. */
  readonly refreshDirectory: RefreshDirectory | undefined
  readonly rateCounters: RateCounters
  /** The declined cards, with the task by which this process follows those of others. */
  readonly declinedCards: FollowedDeclinedCards
  readonly throttle: RequestThrottle
  readonly failedLogins: FailedLogins
  /** Delays requests without credentials, and requests for documents, pages and unknown paths, by address. */
  readonly addressPacing: AddressPacing
  readonly fairQueue: FairQueue
  /** Delays refusals of requests above a rate limit or during an overload. */
  readonly refusalPacing: RefusalPacing
  readonly assets: Assets
  readonly pageIntegrity: PageIntegrity
  readonly pages: Pages & { url: string }
  readonly clearingFiles: ClearingFiles
  /** undefined: there is no SFTP server. */
  readonly sftpServer: SftpService | undefined
  readonly jobs: JobRunner
  readonly readiness: Readiness
}
