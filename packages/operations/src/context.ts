import type { Connector, RemoteConnector } from '@tollgate/connectors'
import type { BuiltInConnector, RoutedConnector } from '@tollgate/domain'
import type { Storage } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import type { Renderer } from './answer.ts'
import type { Issuers } from './ports/issuers.ts'
import type { CommandHandler } from './command-handler.ts'
import type { Ids } from './ids.ts'
import type { LoopTimes, StartTimer } from './wait.ts'
import type { ServiceClock } from './clock.ts'
import type { OperationCounts } from './counters.ts'
import type { Directory } from './directory/channel.ts'
import type { Log } from './log.ts'
import type { SearchLimiter } from './ports/search-limiter.ts'
import type { Declines, RateLimit } from './ports/rate-limits.ts'
import type { DeclinedCards } from './ports/declined-cards.ts'
import type { Velocity } from './ports/velocity.ts'

/** The dependencies of operations, which the gateway's `compose.ts` wires together. */
export interface Context {
  readonly environment: 'test' | 'live'
  readonly clock: ServiceClock
  readonly eventLoop: LoopTimes
  readonly ids: Ids
  readonly log: Log
  readonly counts: OperationCounts
  readonly storage: Storage
  readonly vault: Vault
  readonly directory: Directory
  readonly render: Renderer
  readonly commands: CommandHandler
  readonly rates: Rates
  readonly acquirers: Acquirers
  /** The directory servers of the card networks; undefined: 3-D Secure is not connected. */
  readonly issuers: Issuers | undefined
  readonly pages: Pages
}

/** Rate limits of requests and of declined attempts, the counts of payments for risk rules, and declined cards. */
export interface Rates {
  readonly searches: SearchLimiter
  /** Reads of the status of a checkout. */
  readonly statusReads: RateLimit
  /** Declined attempts of shoppers. */
  readonly declines: Declines
  readonly velocity: Velocity
  readonly declinedCards: DeclinedCards
}

/** The connectors of payments. Those of the test environment are built in; all others have an account. */
export interface Acquirers extends Readonly<Partial<Record<BuiltInConnector, Connector | undefined>>> {
  readonly redirect?: RemoteConnector | undefined
  readonly external?: RemoteConnector | undefined
  readonly accounts: ConnectorAccounts
  /** Starts the timer of a request to an acquirer; tests replace it. */
  readonly startTimer: StartTimer
}

/** The connectors that operators have set up. */
export interface ConnectorAccounts {
  /** @returns undefined: no account has the name, or it was deleted */
  find(name: string): ConnectorAccount | undefined
  /** The names of all accounts. */
  names(): Iterable<string>
}

/** A connector, and the facts by which routes select it. */
export interface ConnectorAccount extends RoutedConnector {
  readonly connector: Connector
}

/** The pages of this gateway that shoppers and issuers load. */
export interface Pages {
  /** The public address of this gateway, without a trailing slash. */
  readonly url: string
  /** Subresource Integrity value of a file that browsers load. */
  integrityOf(name: string): string
}
