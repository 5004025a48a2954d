import { ConfigError, plainListenerOptions, readCertificate, readPem } from '@tollgate/gateway'
import { type ListenerTls, startSimulators, tlsListener } from '@tollgate/simulators'

/** The options of `tollgate simulate`. */
export interface SimulateOptions {
  readonly host: string
  readonly port: number
  readonly acquirerPort?: number
  readonly acquirerFile?: string
  readonly acquirerCert?: string
  readonly acquirerKey?: string
  readonly acquirerClientCa?: string
}

/**
 * Runs the simulated banks, wallets, issuers and acquirer until SIGTERM or SIGINT.
 *
 * @throws ConfigError if a certificate or a key cannot be used
 */
export async function runSimulators(options: SimulateOptions): Promise<void> {
  const { host, port, acquirerPort, acquirerFile: file } = options
  const tls = await listenerTls(options)
  const acquirer = { file, createListener: tls && tlsListener(tls) }
  const running = await startSimulators({ host, port, acquirerPort, acquirer, server: plainListenerOptions() })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close())
  process.stdout.write(`Simulators listening on ${running.url}\n`)
  const { acquirerAddress } = running
  if (acquirerAddress === undefined) return
  process.stdout.write(`Simulated acquirer listening on ${acquirerAddress.host}:${acquirerAddress.port}\n`)
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
