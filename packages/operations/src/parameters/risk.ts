import type { ParameterName, RequestParameters } from '@tollgate/contract'

/** The parameters with an encrypted account, which the gateway cannot decrypt. */
const encryptedAccounts = [
  'walletA.paymentToken',
  'walletB.paymentToken',
  'walletC.paymentToken',
  'pos.encryptedSred.data',
] as const satisfies readonly ParameterName[]

/** The parameters of a risk check, except the traits. */
export type RiskParameters = Readonly<ReturnType<typeof readRiskParameters>>

export function readRiskParameters({ values, secrets }: RequestParameters) {
  const orderTimestamp = values.get('risk.orderTimestamp')
  return {
    /** risk.amount, as sent. */
    amount: values.get('risk.amount'),
    channelId: values.get('risk.channelId'),
    serviceId: values.get('risk.serviceId'),
    /** "risk.orderTimestamp: defaults to the time the service sets." The value has no time zone and is read as UTC. */
    orderedAtMs: orderTimestamp === undefined ? undefined : Date.parse(`${orderTimestamp.replace(' ', 'T')}Z`),
    bankCountry: values.get('bankAccount.country'),
    /** The names of the parameters with an encrypted account that were sent. */
    encryptedAccounts: encryptedAccounts.filter((name) => secrets.has(name)),
  }
}
