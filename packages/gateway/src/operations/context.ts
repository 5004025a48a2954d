import type { Connector, RemoteConnector } from '@tollgate/connectors'
import type { Storage } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import type { Answer, Renderer } from '../answer.ts'
import type { Issuers } from '../authentication/issuers.ts'
import type { MovableClock } from '../clock.ts'
import type { Directory } from '../directory.ts'
import type { Funnel } from '../funnel.ts'
import type { Ids } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Counts } from '../metrics/counts.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import type { Searches } from '../searches.ts'
import type { Declines } from '../throttle/declines.ts'
import type { Throttle } from '../throttle/throttle.ts'
import type { Velocity } from '../velocity.ts'
import type { Wait } from '../wait.ts'

/** Everything that an operation may reach, wired together in compose.ts. */
export interface Context {
  readonly config: { readonly environment: 'test' | 'live' }
  readonly clock: Pick<MovableClock, 'now' | 'machineNow'>
  readonly world: { readonly wait: Wait }
  readonly ids: Ids
  readonly log: Log
  readonly counts: Pick<Counts, 'deliveries' | 'deliveryTimes' | 'warnings'>
  readonly storage: Storage
  readonly vault: Vault
  readonly directory: Directory
  readonly render: Renderer
  readonly funnel: Funnel
  readonly searches: Searches
  /** Reads of the status of a checkout. */
  readonly statusReads: Pick<Throttle, 'take'>
  /** Declined attempts of shoppers. */
  readonly declines: Declines
  readonly velocity: Velocity
  /** Subresource Integrity values of the files that browsers load. */
  readonly assets: { integrityOf(name: string): string }
  /** Polls a redirect session, once at a time for each session. */
  readonly lookingAfter: (visitId: string, work: () => Promise<Answer>) => Promise<Answer>
  readonly connector: Connector
  /** Banks and wallets that shoppers are redirected to; undefined: none is connected. */
  readonly redirects: RemoteConnector | undefined
  /** The issuers of cards, by way of their networks; undefined: 3-D Secure is not connected. */
  readonly issuers: Issuers | undefined
  /** The URL of this gateway for merchants and shoppers, without a slash at its end. */
  readonly address: { readonly url: string }
  readonly outgoing: Outgoing
}
