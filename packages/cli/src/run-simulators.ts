import { readFile } from 'node:fs/promises'
import { ConfigError, plainListenerOptions, readCertificate, readPem } from '@tollgate/gateway'
import {
  type AcquirerOptions,
  cutOffProblem,
  isHostFileFormatName,
  type ListenerTls,
  midnightInUtc,
  type SimulatedSftpOptions,
  startSimulators,
  tlsListener,
} from '@tollgate/simulators'

/** The options of `tollgate simulate`. */
export interface SimulateOptions {
  readonly host: string
  readonly port: number
  readonly acquirerPort?: number
  readonly acquirerFile?: string
  readonly acquirerCutOff?: string
  readonly acquirerTimeZone?: string
  readonly acquirerSettlementFolder?: string
  readonly acquirerSettlementFormat?: string
  readonly sftpPort?: number
  readonly sftpFolder?: string
  readonly sftpKeys?: string
  readonly acquirerClearingFolder?: string
  readonly acquirerCert?: string
  readonly acquirerKey?: string
  readonly acquirerClientCa?: string
}

/**
 * Runs the simulated banks, wallets, issuers and acquirer until SIGTERM or SIGINT.
 *
 * @throws ConfigError if a certificate, a key or another option of the acquirer cannot be used
 */
export async function runSimulators(options: SimulateOptions): Promise<void> {
  const { host, port, acquirerPort, acquirerFile: file } = options
  const tls = await listenerTls(options)
  const acquirer = { file, createListener: tls && tlsListener(tls), ...settlementOptions(options) }
  const sftp = await sftpOptions(options)
  const running = await startSimulators({ host, port, acquirerPort, acquirer, sftp, server: plainListenerOptions() })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close())
  process.stdout.write(`Simulators listening on ${running.url}\n`)
  const { acquirerAddress } = running
  if (acquirerAddress !== undefined)
    process.stdout.write(`Simulated acquirer listening on ${acquirerAddress.host}:${acquirerAddress.port}\n`)
  if (running.sftp === undefined) return
  const { address, hostKey } = running.sftp
  process.stdout.write(`Simulated SFTP server listening on ${address.host}:${address.port}, host key ${hostKey}\n`)
}

/** The SFTP server; undefined: there is none. */
async function sftpOptions({
  acquirerSettlementFolder,
  sftpPort: port,
  sftpFolder: folder,
  sftpKeys: keys,
}: SimulateOptions): Promise<SimulatedSftpOptions | undefined> {
  if (port === undefined && folder === undefined && keys === undefined) return undefined
  if (port === undefined || folder === undefined || keys === undefined)
    throw new ConfigError('an SFTP server requires --sftp-port, --sftp-folder and --sftp-keys')
  if (acquirerSettlementFolder !== undefined)
    throw new ConfigError('--acquirer-settlement-folder: with --sftp-folder, the files are in its folder settlement')
  const text = await readFile(keys, 'utf8').catch(() => {
    throw new ConfigError(`--sftp-keys: ${keys}: the file cannot be read`)
  })
  const publicKeys = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return { port, folder, publicKeys }
}

/** The business day of the acquirer, and the folders of its settlement files and clearing files. */
function settlementOptions(options: SimulateOptions): AcquirerOptions {
  const { acquirerCutOff: time = midnightInUtc.time, acquirerTimeZone: timeZone = midnightInUtc.timeZone } = options
  const { acquirerSettlementFolder: settlementFolder, acquirerSettlementFormat: settlementFormat = 'csv' } = options
  const problem = cutOffProblem({ time, timeZone })
  if (problem !== undefined) throw new ConfigError(`--acquirer-cut-off, --acquirer-time-zone: ${problem}`)
  if (!isHostFileFormatName(settlementFormat))
    throw new ConfigError('--acquirer-settlement-format must be csv, fixed, camt053 or camt054')
  const { acquirerClearingFolder: clearingFolder } = options
  return { cutOff: { time, timeZone }, settlementFolder, settlementFormat, clearingFolder }
}

/** The TLS of the acquirer's port; undefined: it is plain TCP. */
async function listenerTls({
  acquirerCert: cert,
  acquirerKey: key,
  acquirerClientCa: clientCa,
}: SimulateOptions): Promise<ListenerTls | undefined> {
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new ConfigError('TLS of the acquirer requires --acquirer-cert and --acquirer-key')
  const pair = await readCertificate({ cert, key }, { cert: '--acquirer-cert', key: '--acquirer-key' })
  return { ...pair, clientCa: clientCa === undefined ? undefined : await readPem('--acquirer-client-ca', clientCa) }
}
