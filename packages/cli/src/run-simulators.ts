import { plainListenerOptions } from '@tollgate/gateway'
import { startSimulators } from '@tollgate/simulators'

/** Runs the simulated banks, wallets and issuers until SIGTERM or SIGINT. */
export async function runSimulators(address: { readonly host: string; readonly port: number }): Promise<void> {
  const running = await startSimulators({ ...address, server: plainListenerOptions() })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close())
  process.stdout.write(`Simulators listening on ${running.url}\n`)
}
