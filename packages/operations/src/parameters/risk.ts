import type { ParameterName, RequestParameters } from '@tollgate/contract'

/** Parameters with an account that the gateway cannot decrypt. */
const encryptedAccounts = [
  'walletA.paymentToken',
  'walletB.paymentToken',
  'walletC.paymentToken',
  'pos.encryptedSred.data',
] as const satisfies readonly ParameterName[]

/** The parameters of a risk check, beside the traits that rules compare. */
export type RiskTerms = Readonly<ReturnType<typeof readRiskTerms>>

export function readRiskTerms({ values, secrets }: RequestParameters) {
  const ordered = values.get('risk.orderTimestamp')
  return {
    /** risk.amount, as sent. */
    amount: values.get('risk.amount'),
    channelId: values.get('risk.channelId'),
    serviceId: values.get('risk.serviceId'),
    /** "risk.orderTimestamp: defaults to the time the service sets." It has no zone: it is in UTC. */
    orderedAtMs: ordered === undefined ? undefined : Date.parse(`${ordered.replace(' ', 'T')}Z`),
    /** Of a bank account. */
    bankCountry: values.get('bankAccount.country'),
    /** Parameters with an account that the gateway cannot decrypt. */
    encryptedAccounts: encryptedAccounts.filter((name) => secrets.has(name)),
  }
}
