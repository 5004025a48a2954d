import { randomBytes } from 'node:crypto'
import type { FastifyServerOptions } from 'fastify'
import { type AcquirerOptions, createAcquirer, type ListenerAddress } from './acquirer/acquirer.ts'
import { createBank } from './bank/bank.ts'
import { postByHttp } from './http/post.ts'
import { sendByHttp } from './http/send.ts'
import { simulatorServer } from './http/server.ts'
import { limits } from './limits.ts'
import { settlementFolderOf, type SimulatedSftp, type SimulatedSftpOptions } from './sftp/sftp-server.ts'
import { startSimulatedSftp } from './sftp/sftp-server.ts'
import type { Clock, Simulator, SimulatorEnvironment } from './simulator.ts'
import { createThreeDSecureSimulator } from './three-d-secure/simulator.ts'

export interface SimulatorsOptions {
  readonly host: string
  /** 0 selects any free port. */
  readonly port: number
  /** The host name for browsers and the gateway, if `host` is the address of all interfaces. */
  readonly publicHost?: string | undefined
  /** Further options of the server, such as bounds on connections. */
  readonly server?: FastifyServerOptions
  /** By default the machine's clock. Simulators in a gateway's process use the gateway's, which can be advanced. */
  readonly clock?: Clock
  /** Creates other simulators instead of banks, wallets and issuers. */
  readonly create?: (environment: SimulatorEnvironment) => readonly Simulator[]
  /** The port of the acquirer's host on TCP; 0 selects any free port. By default there is no such host. */
  readonly acquirerPort?: number | undefined
  readonly acquirer?: AcquirerOptions | undefined
  /** An SFTP server, which also shows the settlement files of the acquirer. By default there is none. */
  readonly sftp?: SimulatedSftpOptions | undefined
}

/** Simulators whose server listens. */
export interface RunningSimulators {
  /** The address, without a slash at its end. */
  readonly url: string
  /** The address of the acquirer's host; undefined if it was not started. */
  readonly acquirerAddress: ListenerAddress | undefined
  /** The SFTP server; undefined if it was not started. */
  readonly sftp: Pick<SimulatedSftp, 'address' | 'hostKey'> | undefined
  /** Stops the servers, and ends all connections. */
  close(): Promise<void>
}

/**
 * Starts banks, wallets, directory server and ACS on an address of their own, in a gateway's process or in a separate
 * process; and the host of an acquirer and an SFTP server on further ports, if they are given.
 *
 * @returns the simulators, once they listen
 * @throws the error of `listen`, such as EADDRINUSE, of the journal of the acquirer's host, or of the folder for SFTP
 */
export async function startSimulators(options: SimulatorsOptions): Promise<RunningSimulators> {
  const { host, port, publicHost = host, clock = { now: Date.now }, create = allSimulators, acquirerPort } = options
  let url = ''
  const environment: SimulatorEnvironment = {
    get url() {
      return url
    },
    clock,
    random: randomBytes,
  }
  const settlementFolder = options.sftp ? settlementFolderOf(options.sftp) : options.acquirer?.settlementFolder
  const acquirerOptions = { ...options.acquirer, settlementFolder }
  const acquirer = acquirerPort === undefined ? undefined : await createAcquirer(environment, acquirerOptions)
  const simulators = [...create(environment), ...(acquirer === undefined ? [] : [acquirer])]
  const server = simulatorServer(simulators, options.server)
  let sftp: SimulatedSftp | undefined
  const close = async (): Promise<void> => void (await Promise.all([server.close(), acquirer?.close(), sftp?.close()]))
  try {
    const { port: actualPort } = new URL(await server.listen({ host, port }))
    url = `http://${publicHost.includes(':') ? `[${publicHost}]` : publicHost}:${actualPort}`
    const acquirerAddress = await acquirer?.listen(host, acquirerPort ?? 0)
    sftp = options.sftp && (await startSimulatedSftp(host, options.sftp))
    const timer = setInterval(() => {
      for (const simulator of simulators) void simulator.advance()
    }, limits.tickMs)
    return {
      url,
      acquirerAddress,
      sftp,
      close() {
        clearInterval(timer)
        return close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const allSimulators = (environment: SimulatorEnvironment): readonly Simulator[] => [
  createBank(environment, sendByHttp),
  createThreeDSecureSimulator(environment, postByHttp),
]
