import { missingInLive, readConfig } from '@tollgate/gateway'
import { sandboxWelcome } from './sandbox-welcome.ts'
import { startServices } from './start-services.ts'

/** Runs the gateway and the services of the test environment until SIGTERM or SIGINT; then drains and exits 0. */
export async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const running = await startServices(config, process.env['SHOP_WEBHOOK_KEY'])
  // The handlers are added before the line that reports readiness, because a supervisor may send a signal as soon as it
  // reads that line.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void running.stop().then(() => process.exit(0))
    })
  }
  if (config.tls) process.on('SIGHUP', () => void running.gateway.reload())
  if (config.sandbox) process.stdout.write(sandboxWelcome(running, config.manageKey))
  const missing = missingInLive(running.gateway.gateway)
  if (missing !== undefined) process.stdout.write(`Payments are refused: ${missing}\n`)
  process.stdout.write(`Tollgate listening on ${running.gateway.publicUrl}\n`)
}
