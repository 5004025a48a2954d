import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connector, createRedirectConnector, createSimulator, type RemoteConnector } from '@tollgate/connectors'
import { openPostgres, openSqlite, type Storage } from '@tollgate/storage'
import { exchangeJson } from './outgoing/connector-exchange.ts'
import { createCheckedLookup } from './outgoing/checked-lookup.ts'
import { createExternalConnector } from './outgoing/connectors/external.ts'
import { createRunningConnectors } from './outgoing/connectors/running-connectors.ts'
import type { DialLink } from './outgoing/dial-link.ts'
import type { HostParts } from './outgoing/host-connector.ts'
import { resolveName } from './outgoing/resolve.ts'
import { createClearingFolder } from './outgoing/clearing-folder.ts'
import { createSftpClient } from './outgoing/sftp/sftp-client.ts'
import { type Rules, usualPorts } from './outgoing/target.ts'
import {
  createCardRanges,
  type Clock,
  createCommandHandler,
  createDeclinedCards,
  createIds,
  createRenderer,
  createSearchLimiter,
  createVelocity,
  type DirectoryServer,
  jobKinds,
  type Log,
  openConnectorCache,
  openDirectory,
  openWebhooks,
  recordLines,
  type OutgoingClient,
  type SftpClient,
  createSandboxRows,
  withOutbox,
} from '@tollgate/operations'
import { directoryServerAt } from './outgoing/directory-server-client.ts'
import { builtAssets } from './assets.ts'
import { type Config, ConfigError } from './config.ts'
import { reloadCachesOnChange } from './runtime/cache-invalidation.ts'
import { openTombstoneLog } from './tombstones/tombstone-log.ts'
import { withTombstones } from './tombstones/with-tombstones.ts'
import type { Gateway } from './gateway.ts'
import { createConnectionBounds } from './http/connections/connection-bounds.ts'
import { clientInfoOf } from './http/client-info.ts'
import { createJobRunner } from './runtime/job-runner.ts'
import { createKeyManager } from './keys/key-manager.ts'
import { readConfiguredKeys, keyCheckRow, type Keys, openKeys } from './keys/open-keys.ts'
import { limits } from './limits.ts'
import { refuseLive } from './refuse-live.ts'
import { openLog } from './runtime/log.ts'
import { createDirectoryRefresh } from './runtime/directory-refresh.ts'
import { createCounts } from './metrics/counts.ts'
import { createOutgoingClient } from './outgoing/create-outgoing-client.ts'
import { createPageIntegrity } from './page-integrity/page-integrity.ts'
import { openClock } from './runtime/clock/stored-clock.ts'
import { createAddressPacing } from './throttle/address-pacing.ts'
import { createFairQueue } from './throttle/fair-queue.ts'
import { createDeclines } from './throttle/declines.ts'
import { createFailedLogins } from './throttle/failed-logins.ts'
import { createRefusalPacing } from './throttle/refusal-pacing.ts'
import { createThrottle } from './throttle/throttle.ts'
import { createRateCounters } from './throttle/rate-counters.ts'
import { throttleRequests } from './throttle/throttle-requests.ts'
import { type HostKey, readHostKey } from './sftp-server/host-key.ts'
import { createSftpService } from './sftp-server/sftp-service.ts'
import { openTls, type Tls } from './tls/tls.ts'
import { type EventLoop, nodeEventLoop } from './runtime/event-loop.ts'

/** A gateway without its listeners, jobs and background tasks. */
interface OpenedGateway {
  readonly gateway: Gateway
  readonly close: () => Promise<void>
}

/** Opens all parts of the service but its listeners. If one cannot be opened, the others are closed. */
export async function openGateway(config: Config, clock: Clock, createLog: () => Log): Promise<OpenedGateway> {
  const tls = config.tls && (await openTls(config.tls))
  const opened: { close(): Promise<void> }[] = []
  const close = async () => {
    for (const part of opened) await part.close()
  }
  try {
    // The keys are read before the data folder is created, so that a start with unusable keys creates no file.
    const configuredKeys = await readConfiguredKeys(config)
    mkdirSync(config.data, { recursive: true, mode: 0o700 })
    const baseStorage = await openStorage(config)
    opened.unshift(baseStorage)
    const storage = withTombstones(baseStorage, await openTombstoneLog(config.data))
    opened[0] = storage
    const keys = await openKeys(config, storage, configuredKeys)
    opened.unshift(keys.vault)
    const outgoing = createOutgoingClient({ environment: config.environment })
    opened.unshift(outgoing)
    if (config.environment === 'live') await refuseLive(config, storage)
    const sftpHostKey = config.sftpPort === undefined ? undefined : await readHostKey(config)
    const redirects = redirectConnectorOf(config)
    const gateway = await composeGateway(config, clock, storage, keys, outgoing, {
      log: createLog(),
      sftpHostKey,
      tls,
      redirects,
      external: (parts) => createExternalConnector(config, parts),
      directoryServer: config.simulatorUrl === undefined ? undefined : directoryServerAt(config.simulatorUrl),
    })
    return { gateway, close }
  } catch (error) {
    await close()
    throw error
  }
}

const redirectConnectorOf = ({ simulatorUrl }: Config): RemoteConnector | undefined =>
  simulatorUrl === undefined ? undefined : createRedirectConnector(simulatorUrl, exchangeJson)

const openStorage = ({ databaseUrl, data }: Config): Promise<Storage> =>
  databaseUrl === undefined ? openSqlite({ file: join(data, 'tollgate.db') }) : openPostgres({ url: databaseUrl })

/** Parts of a gateway that depend on settings, and parts that tests replace. */
export interface OptionalParts {
  readonly log?: Log
  readonly tls?: Tls | undefined
  readonly connector?: Connector
  readonly redirects?: RemoteConnector | undefined
  /** Creates the connector of payments with the test mode EXTERNAL. */
  readonly external?: ((parts: HostParts) => RemoteConnector | undefined) | undefined
  readonly directoryServer?: DirectoryServer | undefined
  readonly eventLoop?: EventLoop
  /** The host key of the SFTP server, if there is one. */
  readonly sftpHostKey?: HostKey | undefined
  /** Opens the connections of links to acquirers' hosts, by default with TCP or TLS. */
  readonly dial?: DialLink
  /** Connects to SFTP servers. */
  readonly sftp?: SftpClient
}

/** Wires the service without its listeners, over a storage and a vault that are already open. */
export async function composeGateway(
  config: Config,
  machineClock: Clock,
  baseStorage: Storage,
  keys: Keys,
  outgoing: OutgoingClient,
  {
    log = openLog(config.logLevel),
    tls,
    connector = config.environment === 'live' ? undefined : createSimulator(),
    redirects,
    external,
    directoryServer,
    eventLoop = nodeEventLoop,
    dial,
    sftpHostKey,
    sftp,
  }: OptionalParts = {},
): Promise<Gateway> {
  const clock = await openClock(machineClock, baseStorage, log)
  const ids = createIds(clock, config.seed)
  const counts = createCounts()
  const { vault, source, keyCheck } = keys
  const hash = (token: string | Uint8Array) => vault.mac('token', token)
  await storeFirstRows(config, baseStorage, ids.ordered(), createSandboxRows(hash, clock.now()), keyCheck)
  const processId = ids.random()
  const render = createRenderer(readBuildNumber(), processId)
  const storage: Storage = withOutbox(baseStorage, {
    ids,
    clock,
    render,
    subscriptions: { webhookIdsFor: (channelId, type) => gateway.webhooks.webhookIdsFor(channelId, type) },
    onJobs: (jobs) => {
      for (const { kind, lane, due_at_ms } of jobs) if (due_at_ms <= clock.now()) gateway.jobs.notify(kind, lane)
    },
  })
  const commands = createCommandHandler(storage, render)
  const directory = await openDirectory(storage, hash, config.sandbox, config.environment)
  const declinedCards = createDeclinedCards({ storage, clock, ids, log })
  const rateCounters = createRateCounters(clock, storage.peers !== undefined)
  const hostParts: HostParts = { storage, ids, clock, eventLoop, log, counts, holder: processId, dial }
  const connectorRules = connectorRulesOf(config)
  const connectorCache = await openConnectorCache(storage)
  const lookup = createCheckedLookup(connectorRules, resolveName)
  const connectors = createRunningConnectors({
    ...hostParts,
    lookup,
    vault,
    cache: connectorCache,
    rules: connectorRules,
  })
  const assets = builtAssets()
  const gateway: Gateway = {
    config,
    environment: config.environment,
    clock,
    eventLoop,
    wait: eventLoop.wait,
    ids,
    log,
    tls,
    clientInfo: clientInfoOf(config),
    connections: createConnectionBounds(eventLoop, (reason) => counts.endedConnections.add(reason)),
    counts,
    storage,
    vault,
    keys: createKeyManager({ vault, source, storage, ids, commands }),
    directory,
    refreshDirectory: createDirectoryRefresh(directory, storage.peers, eventLoop.now),
    rateCounters,
    throttle: throttleRequests(directory, config.environment, rateCounters),
    failedLogins: createFailedLogins(rateCounters),
    addressPacing: createAddressPacing(eventLoop.now),
    fairQueue: createFairQueue(eventLoop),
    refusalPacing: createRefusalPacing(),
    rates: {
      searches: createSearchLimiter(),
      statusReads: rateCounters.share('status reads', createThrottle(limits.throttleWindowMs, limits.throttleKeysMax)),
      declines: createDeclines(clock, rateCounters),
      velocity: createVelocity(storage),
      declinedCards,
    },
    declinedCards,
    assets,
    pageIntegrity: createPageIntegrity(),
    acquirers: {
      simulator: connector,
      redirect: redirects,
      external: external?.(hostParts),
      accounts: connectors,
      startTimer: eventLoop.startTimer,
    },
    issuers: directoryServer && { ...directoryServer, ranges: createCardRanges(directoryServer, { clock, ids }) },
    pages: { url: config.publicUrl, integrityOf: (name) => assets.integrityOf(name) },
    connectorCache,
    connectors,
    connectorRules,
    commands,
    render,
    webhooks: await openWebhooks({ storage, ids, directory }),
    outgoing,
    sftpServer:
      sftpHostKey &&
      createSftpService({
        config,
        port: config.sftpPort ?? 0,
        hostKey: sftpHostKey,
        storage,
        lines: (search) => recordLines(gateway, search),
        isPermitted: (id) => directory.entity(id)?.kind === 'merchant' && !directory.isVoid(id),
        ids,
        clock,
        log,
        eventLoop,
      }),
    clearingFiles: createClearingFolder(config.clearingFolder),
    sftp: sftp ?? createSftpClient({ rules: connectorRules, lookup, dial }),
    jobs: createJobRunner(() => jobKinds(gateway), { storage, clock, ids, log, jobRuns: counts.jobRuns }, eventLoop),
    readiness: { ready: true },
  }
  reloadCachesOnChange(gateway)
  return gateway
}

/** The addresses of acquirers and providers: any port, and the private networks that the setting names. */
const connectorRulesOf = ({ environment, connectorNetworks: networks }: Config): Rules => ({
  environment,
  ports: usualPorts,
  networks,
})

/**
 * Stores the missing rows of the sandbox if it is on, and the key-check value if it differs from the stored value.
 * Existing rows of the sandbox keep the changes of operators.
 */
async function storeFirstRows(
  config: Config,
  storage: Storage,
  unitId: string,
  sandboxRows: ReturnType<typeof createSandboxRows>,
  keyCheck: string | undefined,
): Promise<void> {
  const existing = new Set([...(await storage.entities()), ...(await storage.accessTokens())].map(({ id }) => id))
  const isNew = ({ id }: { readonly id: string }) => config.sandbox && !existing.has(id)
  await storage.commit({
    id: unitId,
    expectedVersions: [],
    rows: {
      installation: keyCheck === undefined ? [] : [keyCheckRow(keyCheck)],
      entity: sandboxRows.entity.filter(isNew),
      access_token: sandboxRows.access_token.filter(isNew),
    },
  })
}

function readBuildNumber(): string {
  const buildNumber: unknown = JSON.parse(readFileSync(new URL('./build-number.json', import.meta.url), 'utf8'))
  if (typeof buildNumber !== 'string') throw new ConfigError('the build is incomplete: run npm run build')
  return buildNumber
}
