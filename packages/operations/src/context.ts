import type { Connector, RemoteConnector } from '@tollgate/connectors'
import type { Storage } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import type { Answer, Renderer } from './answer.ts'
import type { Issuers } from './ports/issuers.ts'
import type { CommandHandler } from './execute.ts'
import type { Ids } from './ids.ts'
import type { Outgoing } from './ports/outgoing.ts'
import type { Wait } from './wait.ts'
import type { ServiceClock } from './clock.ts'
import type { OperationCounts } from './counters.ts'
import type { Directory } from './directory/channel.ts'
import type { Log } from './log.ts'
import type { SearchLimiter } from './ports/search-limiter.ts'
import type { Declines, RateLimit } from './ports/throttle.ts'
import type { Velocity } from './ports/velocity.ts'

/** Everything that an operation may reach, wired together in compose.ts. */
export interface Context {
  readonly config: { readonly environment: 'test' | 'live' }
  readonly clock: ServiceClock
  readonly world: { readonly wait: Wait }
  readonly ids: Ids
  readonly log: Log
  readonly counts: OperationCounts
  readonly storage: Storage
  readonly vault: Vault
  readonly directory: Directory
  readonly render: Renderer
  readonly commands: CommandHandler
  readonly searches: SearchLimiter
  /** Reads of the status of a checkout. */
  readonly statusReads: RateLimit
  /** Declined attempts of shoppers. */
  readonly declines: Declines
  readonly velocity: Velocity
  /** Subresource Integrity values of the files that browsers load. */
  readonly assets: { integrityOf(name: string): string }
  /** Single-flight of the polls of redirect sessions, by session. */
  readonly singleFlight: (sessionId: string, work: () => Promise<Answer>) => Promise<Answer>
  readonly connector: Connector
  /** Banks and wallets that shoppers are redirected to; undefined: none is connected. */
  readonly redirects: RemoteConnector | undefined
  /** The issuers of cards, by way of their networks; undefined: 3-D Secure is not connected. */
  readonly issuers: Issuers | undefined
  /** The URL of this gateway for merchants and shoppers, without a slash at its end. */
  readonly address: { readonly url: string }
  readonly outgoing: Outgoing
}
