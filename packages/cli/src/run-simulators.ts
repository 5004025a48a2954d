import { plainListenerOptions } from '@tollgate/gateway'
import { startSimulators } from '@tollgate/simulators'

/** The options of `tollgate simulate`. */
export interface SimulateOptions {
  readonly host: string
  readonly port: number
  readonly acquirerPort?: number
  readonly acquirerFile?: string
}

/** Runs the simulated banks, wallets, issuers and acquirer until SIGTERM or SIGINT. */
export async function runSimulators({ acquirerFile: file, ...options }: SimulateOptions): Promise<void> {
  const running = await startSimulators({ ...options, acquirer: { file }, server: plainListenerOptions() })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close())
  process.stdout.write(`Simulators listening on ${running.url}\n`)
  const { acquirerAddress } = running
  if (acquirerAddress === undefined) return
  process.stdout.write(`Simulated acquirer listening on ${acquirerAddress.host}:${acquirerAddress.port}\n`)
}
