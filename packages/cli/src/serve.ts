import { readConfig, sandboxIds, sandboxToken } from '@tollgate/gateway'
import { type RunningServices, startServices } from './start-services.ts'

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
  process.stdout.write(`Tollgate listening on ${running.gateway.publicUrl}\n`)
}

/** The ids, keys and addresses of the sandbox, and a command that makes a first payment. */
function sandboxWelcome({ gateway, shopUrl, simulatorUrl }: RunningServices, manageKey: string): string {
  const { publicUrl, manageUrl } = gateway
  return `
Test environment with the sandbox merchant.
  channel (entityId)  ${sandboxIds.channel}
${otherChannels}
  access token        ${sandboxToken}
  management API      ${manageUrl}/manage/v1   key ${manageKey}
  sample shop         ${shopUrl ?? 'off'}
  banks and wallets   ${simulatorUrl ?? 'off'}

A first payment:

${firstPayment(publicUrl)}

`
}

const otherChannels = Object.entries({
  '3-D Secure always': sandboxIds.secureChannel,
  legacy: sandboxIds.legacyChannel,
  'legacy, 3-D Secure': sandboxIds.secureLegacyChannel,
  'legacy, Mastercard': sandboxIds.mastercardChannel,
})
  .map(([name, id]) => `    ${name.padEnd(20)}${id}`)
  .join('\n')

function firstPayment(publicUrl: string): string {
  const parameters = [
    `entityId=${sandboxIds.channel}`,
    'amount=92.00',
    'currency=EUR',
    'paymentBrand=VISA',
    'paymentType=DB',
    'card.number=4200000000000000',
    'card.holder=Jane Jones',
    'card.expiryMonth=05',
    'card.expiryYear=2034',
    'card.cvv=123',
  ]
  const lines = parameters.map((parameter) => `  -d "${parameter}"`)
  return [`curl ${publicUrl}/v1/payments`, `  -H "Authorization: Bearer ${sandboxToken}"`, ...lines].join(' \\\n')
}
