import { plainListenerOptions, type Clock, type Config, listenError, sandboxIds, sandboxToken } from '@tollgate/gateway'
import { type RunningGateway, settings, startGateway, systemClock } from '@tollgate/gateway'

/** A gateway, and the services that run in its process. */
export interface RunningServices {
  readonly gateway: RunningGateway
  /** undefined if the sample shop is not started. */
  readonly shopUrl: string | undefined
  /** The simulators of this process, or those that the settings name; undefined without simulators. */
  readonly simulatorUrl: string | undefined
  /** The acquirer's test host: that of this process, or the one that the settings name; undefined without one. */
  readonly acquirerAddress: Config['acquirerAddress']
  stop(): Promise<void>
}

/** A service in the process of the gateway. */
interface Service {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts the gateway, and the services that the settings enable. If a start fails, the running services are stopped.
 *
 * @param webhookKey the key of the sample shop's webhook
 */
export async function startServices(config: Config, webhookKey?: string): Promise<RunningServices> {
  const { simulatorPort, shopPort } = config
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const stopOne of stops.splice(0).toReversed()) await stopOne()
  }
  /** @param settingOf the setting of the port that the error of a start is about */
  async function startService(
    starting: Promise<Service>,
    settingOf: (error: unknown) => { readonly name: string },
  ): Promise<string> {
    const running = await starting.catch((error: unknown) => Promise.reject(listenError(settingOf(error), error)))
    stops.push(() => running.close())
    return running.url
  }

  try {
    // The simulators start first, because the gateway's settings contain their URL. Once the gateway runs, simulators
    // and shop use its clock.
    const time: { clock: Clock } = { clock: systemClock }
    const clock = { now: () => time.clock.now() }
    const address = { host: config.host, publicHost: publicHostOf(config), server: plainListenerOptions() }
    let { simulatorUrl, acquirerAddress } = config
    if (simulatorUrl === undefined && simulatorPort !== undefined) {
      const { startSimulators } = await import('@tollgate/simulators')
      const acquirerPort = acquirerAddress === undefined ? config.acquirerPort : undefined
      const starting = startSimulators({ ...address, port: simulatorPort, acquirerPort, clock })
      simulatorUrl = await startService(starting, (error) =>
        portOf(error) === acquirerPort ? settings.acquirerPort : settings.simulatorPort,
      )
      acquirerAddress ??= (await starting).acquirerAddress
    }
    const gateway = await startGateway({ ...config, simulatorUrl, acquirerAddress })
    stops.push(() => gateway.stop())
    time.clock = gateway.gateway.clock
    let shopUrl: string | undefined
    if (shopPort !== undefined) {
      const { startShop } = await import('@tollgate/shop')
      const merchant = { gatewayUrl: gateway.publicUrl, entityId: sandboxIds.channel, token: sandboxToken, webhookKey }
      shopUrl = await startService(
        startShop({ ...address, port: shopPort, now: clock.now, ...merchant }),
        () => settings.shopPort,
      )
    }
    return { gateway, shopUrl, simulatorUrl, acquirerAddress, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The port of an error of `listen`, such as EADDRINUSE. */
const portOf = (error: unknown): unknown => (error instanceof Error && 'port' in error ? error.port : undefined)

/** The host name of the services for browsers: the host name of the gateway's public URL. */
const publicHostOf = ({ publicUrl }: Config): string => new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '')
