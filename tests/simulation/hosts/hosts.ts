import type { RemoteConnector } from '@tollgate/connectors'
import { type composeGateway, createExternalConnector, type DialLink, type Gateway } from '@tollgate/gateway/testing'
import type { HostsConfig } from '../config.ts'
import type { Owner } from '../schedule.ts'
import { createSimulatedHost, type SimulatedHost } from './acquirer-host.ts'
import { FIRST_PORT, routedNames } from './routes.ts'

/** The hosts of acquirers, and the parts by which instances connect to them. */
export interface SimulatedHosts {
  readonly all: readonly SimulatedHost[]
  /** The parts of a gateway that connect it to the hosts. */
  readonly partsFor: (owner: Owner) => Pick<NonNullable<Parameters<typeof composeGateway>[5]>, 'dial' | 'external'>
  /**
   * Opens the links of a gateway.
   *
   * @param change wraps its connectors to hosts, to inject deliberate faults
   */
  readonly connect: (gateway: Gateway, change: (connector: RemoteConnector) => RemoteConnector) => void
}

type Parts = Omit<Parameters<typeof createSimulatedHost>[0], 'name' | 'faults'> & { readonly config: HostsConfig }

export function createHosts({ config, ...parts }: Parts): SimulatedHosts {
  const names = config.kind === 'routes' ? routedNames : ['external']
  const all = names.map((name) => createSimulatedHost({ ...parts, name, faults: config.faults }))

  const dialFor =
    (owner: Owner): DialLink =>
    async ({ port }) => {
      const host = all[port - FIRST_PORT]
      if (!host) throw new Error(`no host listens on port ${port}`)
      return host.dial(owner)
    }

  return {
    all,
    partsFor: (owner) => ({
      dial: dialFor(owner),
      ...(config.kind === 'external' && {
        external: (hostParts) =>
          createExternalConnector({ acquirerAddress: { host: '127.0.0.1', port: FIRST_PORT } }, hostParts),
      }),
    }),
    connect({ acquirers, connectors }, change) {
      const { accounts, external } = acquirers
      Object.assign(acquirers, {
        external: external && change(external),
        accounts: {
          names: () => accounts.names(),
          find(name: string) {
            const account = accounts.find(name)
            return account?.connector.kind === 'remote' ? { ...account, connector: change(account.connector) } : account
          },
        },
      })
      external?.open?.()
      connectors.open()
    },
  }
}
