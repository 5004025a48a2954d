import { boundedConnections, type Clock, type Config, listenError, sandboxIds, sandboxToken } from '@tollgate/gateway'
import { type RunningGateway, settings, startGateway, systemClock } from '@tollgate/gateway'

/** A gateway with the services beside it. */
export interface Served {
  readonly gateway: RunningGateway
  /** undefined: not started. */
  readonly shopUrl: string | undefined
  readonly simulatorUrl: string | undefined
  stop(): Promise<void>
}

/** A server beside the gateway. */
interface Sidecar {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts all services of the settings. If one fails to start, those already started are stopped.
 *
 * @param webhookKey of the sample shop's webhook
 */
export async function startServices(config: Config, webhookKey?: string): Promise<Served> {
  const { simulatorPort, shopPort } = config
  const started: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of started.splice(0).toReversed()) await end()
  }
  async function startSidecar(setting: { readonly name: string }, starting: Promise<Sidecar>): Promise<string> {
    const running = await starting.catch((error: unknown) => Promise.reject(listenError(setting, error)))
    started.push(() => running.close())
    return running.url
  }

  try {
    // The simulators start first, because the gateway's settings contain their URL. Simulators and shop use the
    // gateway's clock once it runs.
    const time: { clock: Clock } = { clock: systemClock }
    const clock = { now: () => time.clock.now() }
    const address = { host: config.host, publicHost: publicHostOf(config), server: boundedConnections() }
    let { simulatorUrl } = config
    if (simulatorUrl === undefined && simulatorPort !== undefined) {
      const { startSimulators } = await import('@tollgate/simulators')
      simulatorUrl = await startSidecar(
        settings.simulatorPort,
        startSimulators({ ...address, port: simulatorPort, clock }),
      )
    }
    const gateway = await startGateway({ ...config, simulatorUrl })
    started.push(() => gateway.stop())
    time.clock = gateway.gateway.clock
    let shopUrl: string | undefined
    if (shopPort !== undefined) {
      const { startShop } = await import('@tollgate/shop')
      const merchant = { gatewayUrl: gateway.publicUrl, entityId: sandboxIds.channel, token: sandboxToken, webhookKey }
      shopUrl = await startSidecar(
        settings.shopPort,
        startShop({ ...address, port: shopPort, now: clock.now, ...merchant }),
      )
    }
    return { gateway, shopUrl, simulatorUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The host name of the services for browsers: the host name of the gateway's public URL. */
const publicHostOf = ({ publicUrl }: Config): string => new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '')
