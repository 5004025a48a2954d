import { type AcquirerProfile, createIso8583Connector, type RemoteConnector, stanOf } from '@tollgate/connectors'
import { createTraceNumbers, errorFields, type Ids, type Log, type ServiceClock } from '@tollgate/operations'
import type { Storage } from '@tollgate/storage'
import type { EventLoop } from '../runtime/event-loop.ts'
import { createAcquirerHost, type HostCounts } from './acquirer-host.ts'
import type { DialLink, LinkAddress } from './dial-link.ts'

/** The account of a merchant at an acquirer that is reached by ISO 8583. */
export interface HostAccount {
  /** The name that is stored with each attempt. */
  readonly name: string
  readonly profile: AcquirerProfile
  readonly addresses: readonly LinkAddress[]
  /** The terminal ids that the acquirer has assigned to the account: more than there are processes. */
  readonly terminalIds: readonly string[]
}

/** The dependencies of a connector to an acquirer's host. */
export interface HostParts {
  readonly storage: Storage
  readonly ids: Ids
  readonly clock: ServiceClock
  readonly eventLoop: EventLoop
  readonly log: Log
  readonly counts: HostCounts
  /** An id of this process, by which it leases terminal ids. */
  readonly holder: string
  /** Opens the connections of links, by default with TCP or TLS. */
  readonly dial?: DialLink | undefined
}

/** The connector to an acquirer's host, with its links and trace numbers. */
export function createHostConnector(account: HostAccount, parts: HostParts): RemoteConnector {
  const { name, profile, addresses, terminalIds } = account
  const { clock, eventLoop, log, counts, holder, dial } = parts
  const links = createAcquirerHost({ name, addresses, profile, eventLoop, clock, log, counts, dial })
  const numbers = createTraceNumbers(parts, { connector: name, terminalIds, holder })
  return createIso8583Connector({
    name,
    profile,
    host: {
      ...links,
      async close() {
        await links.close()
        // Without a release the lease ends by itself, so that a failure is no reason to interrupt a stop.
        await numbers.release().catch((error: unknown) => {
          log.error({ acquirer: profile.name, operation: 'release a terminal id', ...errorFields(error) })
        })
      },
    },
    async nextTrace(terminalId) {
      const drawn = await numbers.draw(terminalId)
      return drawn && { terminalId: drawn.terminalId, stan: stanOf(drawn.number), atMs: drawn.atMs }
    },
    onMismatch: (field) =>
      log.error({ acquirer: profile.name, error: `an answer has another value in field ${field}` }),
  })
}
