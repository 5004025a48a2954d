import { readConfig, type RunningGateway, sandboxIds, sandboxToken, startGateway } from '@tollgate/gateway'

/** Starts the gateway and keeps it running until SIGTERM or SIGINT; then drains and exits 0. */
export async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const running = await startGateway(config)
  // Before the line that says it is ready: whoever waits for that line may stop it at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void running.stop().then(() => process.exit(0))
    })
  }
  if (config.tls) process.on('SIGHUP', () => void running.reload())
  if (config.sandbox) process.stdout.write(sandboxWelcome(running, config.manageKey))
  process.stdout.write(`Tollgate listening on ${running.publicUrl}\n`)
}

/** Everything a newcomer needs for a first payment. */
function sandboxWelcome({ publicUrl, manageUrl }: RunningGateway, manageKey: string): string {
  return `
Test environment with the sandbox merchant.
  channel (entityId)  ${sandboxIds.channel}
  access token        ${sandboxToken}
  management API      ${manageUrl}/manage/v1   key ${manageKey}

A first payment:

${firstPayment(publicUrl)}

`
}

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
