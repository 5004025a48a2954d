import type { Connector, RemoteConnector } from '@tollgate/connectors'
import type { Storage } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import type { Answer, Renderer } from './answer.ts'
import type { Assets } from './assets.ts'
import type { MovableClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Issuers } from './authentication/issuers.ts'
import type { Directory } from './directory.ts'
import type { Funnel } from './funnel.ts'
import type { ConnectionBounds } from './http/connections/connection-bounds.ts'
import type { Readiness } from './http/health.ts'
import type { Origin } from './http/origin.ts'
import type { Ids } from './ids.ts'
import type { Jobs } from './jobs/runner.ts'
import type { KeyKeeper } from './keys/key-keeper.ts'
import type { Log } from './log.ts'
import type { LookAgain } from './look-again.ts'
import type { Counts } from './metrics/counts.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { PageIntegrity } from './page-integrity/page-integrity.ts'
import type { Searches } from './searches.ts'
import type { AddressPace } from './throttle/address-pace.ts'
import type { Admission } from './throttle/admission.ts'
import type { Declines } from './throttle/declines.ts'
import type { FailedLogins } from './throttle/failed-logins.ts'
import type { Pace } from './throttle/pace.ts'
import type { Throttle } from './throttle/throttle.ts'
import type { Tally } from './throttle/tally.ts'
import type { RequestThrottle } from './throttle/throttle-requests.ts'
import type { Tls } from './tls/tls.ts'
import type { Velocity } from './velocity.ts'
import type { Webhooks } from './webhooks/endpoints.ts'
import type { World } from './world.ts'

/** Everything a request can reach, wired together in compose.ts. */
export interface Gateway {
  readonly config: Config
  readonly clock: MovableClock
  readonly world: World
  readonly ids: Ids
  readonly log: Log
  /** undefined: the listeners speak plain HTTP. */
  readonly tls: Tls | undefined
  readonly origin: Origin
  /** The bounds on the clients of both listeners together. */
  readonly connections: ConnectionBounds
  readonly counts: Counts
  readonly storage: Storage
  readonly vault: Vault
  readonly keys: KeyKeeper
  readonly directory: Directory
  /** undefined: no other process changes what this one knows. */
  readonly lookAgain: LookAgain | undefined
  readonly tally: Tally
  readonly throttle: RequestThrottle
  readonly failedLogins: FailedLogins
  /** When requests that need no token begin. */
  readonly addressPace: AddressPace
  readonly admission: Admission
  /** When merchants are told that they were too fast. */
  readonly pace: Pace
  readonly searches: Searches
  /** Reads of the status of a checkout. */
  readonly statusReads: Throttle
  /** Declined attempts of shoppers. */
  readonly declines: Declines
  readonly assets: Assets
  readonly pageIntegrity: PageIntegrity
  /** Finds out what became of what waits, once at a time for each visit. */
  readonly lookingAfter: (visitId: string, work: () => Promise<Answer>) => Promise<Answer>
  readonly connector: Connector
  /** Banks and wallets that shoppers are sent to; undefined: there are none. */
  readonly redirects: RemoteConnector | undefined
  /** The issuers of cards, by way of their networks; undefined: nobody can be authenticated. */
  readonly issuers: Issuers | undefined
  /** Where merchants and shoppers reach this gateway, without a slash at its end. */
  readonly address: { url: string }
  readonly velocity: Velocity
  readonly funnel: Funnel
  readonly jobs: Jobs
  readonly webhooks: Webhooks
  readonly outgoing: Outgoing
  readonly render: Renderer
  readonly readiness: Readiness
}
