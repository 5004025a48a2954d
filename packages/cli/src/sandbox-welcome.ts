import { bracketed, type RunningGateway, sandboxIds, sandboxToken } from '@tollgate/gateway'
import type { RunningServices } from './start-services.ts'

/** The addresses of the started services. */
interface StartedServices extends Pick<RunningServices, 'shopUrl' | 'simulatorUrl' | 'acquirerAddress'> {
  readonly gateway: Pick<RunningGateway, 'publicUrl' | 'manageUrl'>
}

/** The ids, keys and addresses of the sandbox, and a command that makes a first payment. */
export function sandboxWelcome(
  { gateway, shopUrl, simulatorUrl, acquirerAddress }: StartedServices,
  manageKey: string,
): string {
  const { publicUrl, manageUrl } = gateway
  return `
Test environment with the sandbox merchant.
  channel (entityId)  ${sandboxIds.channel}
${otherChannels}
  access token        ${sandboxToken}
  management API      ${manageUrl}/manage/v1   key ${manageKey}
  sample shop         ${shopUrl ?? 'off'}
  banks and wallets   ${simulatorUrl ?? 'off'}
  acquirer (ISO 8583) ${acquirerAddress === undefined ? 'off' : hostAndPort(acquirerAddress)}

A first payment:

${firstPayment(publicUrl)}

`
}

const hostAndPort = ({ host, port }: NonNullable<StartedServices['acquirerAddress']>): string =>
  `${bracketed(host)}:${port}`

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
