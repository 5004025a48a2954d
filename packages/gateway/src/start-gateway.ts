import { InvariantError } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import { type Clock } from '@tollgate/operations'
import { systemClock } from './runtime/clock/movable-clock.ts'
import { bracketed, type Config, listenError, settings } from './config.ts'
import { prepareDrain } from './http/drain.ts'
import { replayTombstones, storeReplayedLengths } from './tombstones/replay-tombstones.ts'
import type { Gateway } from './gateway.ts'
import { manageServer } from './http/manage/server.ts'
import { expectedPages } from './http/pages/expected-pages.ts'
import { publicServer } from './http/public/server.ts'
import { missingInLive } from './missing-in-live.ts'
import { startError } from './start-error.ts'
import { openLog } from './runtime/log.ts'
import { watchPages } from './page-integrity/watch-pages.ts'
import { storeTime } from './runtime/clock/stored-clock.ts'
import { publishCounts } from './throttle/rate-counters.ts'
import { watchTls } from './tls/watch.ts'
import { type BackgroundTasks, startBackgroundTasks } from './runtime/background-tasks.ts'
import { settlementFolderTasks, startTasks } from './start-tasks.ts'
import { openGateway } from './compose.ts'

/** A gateway with its listeners. */
export interface RunningGateway {
  readonly gateway: Gateway
  readonly publicUrl: string
  readonly manageUrl: string
  /**
   * Drains the listeners, for at most the drain delay and the drain timeout, and stops jobs and background tasks; then
   * closes vault and storage. Repeated calls share one stop.
   */
  stop(): Promise<void>
  /** Reads the certificate files at once, without waiting for the next check. */
  reload(): Promise<void>
}

/**
 * Wires the whole service together in one place, and starts its listeners.
 *
 * @throws ConfigError of one line if a setting, a file, a port or the database prevents the start
 */
export async function startGateway(config: Config, clock: Clock = systemClock): Promise<RunningGateway> {
  const { gateway, close } = await openGateway(config, clock, () => openLog(config.logLevel)).catch((error: unknown) =>
    Promise.reject(startError(error, config)),
  )
  try {
    const { storage, ids, log } = gateway
    const accounts = await replayTombstones({ storage, ids, clock: gateway.clock }, config.data)
    if (accounts > 0) log.info({ start: 'tombstones replayed', accounts })
    const missing = missingInLive(gateway)
    if (missing !== undefined) log.warn({ start: 'payments are refused', missing })
    return await listen(gateway)
  } catch (error) {
    await close()
    throw startError(error, config)
  }
}

async function listen(gateway: Gateway): Promise<RunningGateway> {
  const { config } = gateway
  const publicListener = publicServer(gateway)
  const manageListener = manageServer(gateway)
  const drain = prepareDrain([publicListener, manageListener], gateway.readiness)
  const { clock, log, storage, tls } = gateway
  const certificateWatch = tls && watchTls(tls, { log, clock })
  const tasks = startTasks(gateway)
  gateway.jobs.start()
  const publishing = storage.peers && publishCounts(gateway.rateCounters, storage.peers)
  let ownTasks: BackgroundTasks | undefined
  const stopBackground = async () => {
    publishing?.stop()
    certificateWatch?.stop()
    await Promise.all([ownTasks?.stop(), tasks.stop(), gateway.jobs.stop(), gateway.sftpServer?.stop()])
  }
  const stop = async () => {
    await Promise.all([stopBackground(), drain(config.drainDelayMs)])
    await gateway.acquirers.external?.close?.()
    await gateway.connectors.close()
    await gateway.outgoing.close()
    await gateway.vault.close()
    await storeTime(gateway).catch(() => undefined)
    // If a length cannot be stored (on a full disk, for example), the next start replays the entries after the length
    // that was stored last.
    await storeReplayedLengths(gateway, config.data).catch(() => undefined)
    await storage.close()
    gateway.log.flush()
  }
  try {
    const listeners = [
      { listener: publicListener, port: config.port, setting: settings.port },
      { listener: manageListener, port: config.managePort, setting: settings.managePort },
    ]
    for (const { listener, port, setting } of listeners) {
      await listener
        .listen({ port, host: config.host })
        .catch((error: unknown) => Promise.reject(listenError(setting, error)))
    }
    gateway.acquirers.external?.open?.()
    gateway.connectors.open()
    await gateway.sftpServer?.start()
    if (config.port === 0) gateway.pages.url = urlOf(publicListener, config)
    // `peers` is omitted, so that every process does these tasks.
    const own = [
      gateway.declinedCards.follow,
      watchPages(gateway, expectedPages(gateway.assets)),
      ...settlementFolderTasks(gateway),
      ...(gateway.sftpServer?.tasks ?? []),
    ]
    ownTasks = startBackgroundTasks(own, { clock, log, eventLoop: gateway.eventLoop })
  } catch (error) {
    await Promise.all([stopBackground(), publicListener.close(), manageListener.close()])
    throw error
  }
  let stopping: Promise<void> | undefined
  return {
    gateway,
    publicUrl: gateway.pages.url,
    manageUrl: urlOf(manageListener, config),
    reload: () => certificateWatch?.reload() ?? Promise.resolve(),
    stop: () => (stopping ??= stop()),
  }
}

function urlOf(server: FastifyInstance, { host, tls }: Config): string {
  const address = server.server.address()
  if (typeof address !== 'object' || !address) throw new InvariantError('listening server has no port')
  return `${tls ? 'https' : 'http'}://${bracketed(host)}:${address.port}`
}
