import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator } from '@tollgate/connectors'
import { openSqlite, type Storage, type Unit } from '@tollgate/storage'
import type { FastifyInstance } from 'fastify'
import { createRenderer } from './answer.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Config, ConfigError } from './config.ts'
import { openDirectory } from './directory.ts'
import { createFunnel } from './funnel.ts'
import type { Gateway } from './gateway.ts'
import { manageServer } from './http/manage/server.ts'
import { publicServer } from './http/public/server.ts'
import { createIds, type Ids } from './ids.ts'
import { keyCheckRow, openKeys } from './key-file.ts'
import { limits } from './limits.ts'
import { openLog } from './log.ts'
import { sandbox } from './sandbox.ts'

/** A gateway that listens. */
export interface RunningGateway {
  readonly gateway: Gateway
  readonly publicUrl: string
  readonly manageUrl: string
  /** Stops taking work, answers what is under way, closes the storage. At most once; bounded by the drain timeout. */
  stop(): Promise<void>
}

/**
 * Wires the whole service together, by hand and in one place, and starts its listeners.
 *
 * @throws ConfigError (or the storage's own error) in one line for anything that makes a start impossible
 */
export async function startGateway(config: Config, clock: Clock = systemClock): Promise<RunningGateway> {
  if (config.environment === 'live') {
    throw new ConfigError(
      'TOLLGATE_ENV=live needs a connection to an acquirer, and this version has only the simulator',
    )
  }
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const storage = await openSqlite({ file: join(config.data, 'tollgate.db') })
  try {
    const gateway = await composeGateway(config, clock, storage)
    return await listen(gateway)
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** The service without its listeners, over a storage that is already open. */
export async function composeGateway(config: Config, clock: Clock, storage: Storage): Promise<Gateway> {
  const ids = createIds(clock, config.seed)
  const { vault, keyCheck, fresh } = await openKeys(config, storage)
  const hash = (token: string) => vault.mac('token', token)
  await storage.commit(firstRows(config, ids, clock, hash, fresh ? keyCheck : undefined))
  const render = createRenderer(readBuildNumber(), ids.random())
  return {
    config,
    clock,
    ids,
    log: openLog(config),
    storage,
    vault,
    directory: await openDirectory(storage, hash),
    connector: createSimulator(),
    funnel: createFunnel(storage, render),
    render,
    readiness: { ready: true },
  }
}

/** What every start makes sure of: the key-check value on the first one, the sandbox wherever it is on. */
function firstRows(
  config: Config,
  ids: Ids,
  clock: Clock,
  hash: (token: string) => Uint8Array,
  keyCheck?: string,
): Unit {
  return {
    id: ids.ordered(),
    guards: [],
    rows: {
      ...(keyCheck !== undefined && { installation: [keyCheckRow(keyCheck)] }),
      ...(config.sandbox && sandbox(hash, clock.now())),
    },
  }
}

async function listen(gateway: Gateway): Promise<RunningGateway> {
  const { config } = gateway
  const merchants = publicServer(gateway)
  const operators = manageServer(gateway)
  try {
    await merchants.listen({ port: config.port, host: config.host })
    await operators.listen({ port: config.managePort, host: config.host })
  } catch (error) {
    await Promise.all([merchants.close(), operators.close()])
    throw listenError(error)
  }
  let stopping: Promise<void> | undefined
  return {
    gateway,
    publicUrl: config.port === 0 ? urlOf(merchants, config.host) : config.publicUrl,
    manageUrl: urlOf(operators, config.host),
    stop: () => (stopping ??= drain(gateway, [merchants, operators])),
  }
}

async function drain(gateway: Gateway, servers: readonly FastifyInstance[]): Promise<void> {
  gateway.readiness.ready = false
  const closed = Promise.all(servers.map((server) => server.close()))
  const late = setTimeout(() => {
    for (const server of servers) server.server.closeAllConnections()
  }, limits.drainTimeoutMs)
  await closed
  clearTimeout(late)
  await gateway.storage.close()
  gateway.log.flush()
}

function urlOf(server: FastifyInstance, host: string): string {
  const address = server.server.address()
  if (typeof address !== 'object' || !address) throw new Error('a listening server has a port')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

function listenError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE') return new ConfigError(`${error.message}: another process listens there; set PORT`)
  return new ConfigError(error.message)
}

function readBuildNumber(): string {
  const text: unknown = JSON.parse(readFileSync(new URL('./build-number.json', import.meta.url), 'utf8'))
  if (typeof text !== 'string') throw new ConfigError('the build is incomplete: run npm run build')
  return text
}
