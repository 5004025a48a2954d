import type { RemoteConnector } from '@tollgate/connectors'
import type { OutgoingClient } from '@tollgate/gateway/testing'
import type { Storage } from '@tollgate/storage'
import type { Random } from '../support/random.ts'
import type { SimulatedDisk } from './disk.ts'
import type { Owner, Schedule } from './schedule.ts'

/** Wrappers of the interfaces between an instance and its environment; they inject deliberate faults. */
export interface Ports {
  readonly storage: (storage: Storage, owner: Owner) => Storage
  readonly outgoing: (outgoing: OutgoingClient, owner: Owner) => OutgoingClient
  readonly acquirer: (connector: RemoteConnector, owner: Owner) => RemoteConnector
}

/** Parts of the simulation that an injected fault may use. */
export interface FaultContext {
  readonly schedule: Schedule
  readonly random: Random
  readonly disk: SimulatedDisk
}

/** Ports without injected faults. */
export const withoutFaults: Ports = {
  storage: (storage) => storage,
  outgoing: (outgoing) => outgoing,
  acquirer: (connector) => connector,
}
