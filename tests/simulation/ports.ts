import type { RemoteConnector } from '@tollgate/connectors'
import type { Outgoing } from '@tollgate/gateway/testing'
import type { Storage } from '@tollgate/storage'
import type { Random } from '../support/random.ts'
import type { SimulatedDisk } from './disk.ts'
import type { Owner, Schedule } from './schedule.ts'

/** What stands between an instance and the world; where a deliberate fault is put in. */
export interface Ports {
  readonly storage: (storage: Storage, owner: Owner) => Storage
  readonly outgoing: (outgoing: Outgoing, owner: Owner) => Outgoing
  readonly acquirer: (link: RemoteConnector, owner: Owner) => RemoteConnector
}

/** What a fault may use. */
export interface Tools {
  readonly schedule: Schedule
  readonly random: Random
  readonly disk: SimulatedDisk
}

/** Nothing stands in between. */
export const honest: Ports = {
  storage: (storage) => storage,
  outgoing: (outgoing) => outgoing,
  acquirer: (link) => link,
}
