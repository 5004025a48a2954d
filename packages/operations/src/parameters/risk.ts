import type { ParameterName, RequestParameters } from '@tollgate/contract'

/** The parameters with an encrypted account, which the gateway cannot decrypt. */
const encryptedAccounts = [
  'walletA.paymentToken',
  'walletB.paymentToken',
  'walletC.paymentToken',
  'pos.encryptedSred.data',
] as const satisfies readonly ParameterName[]

/** The parameters of a risk check, except the traits. */
export type RiskTerms = Readonly<ReturnType<typeof readRiskTerms>>

export function readRiskTerms({ values, secrets }: RequestParameters) {
  const ordered = values.get('risk.orderTimestamp')
  return {
    /** risk.amount, as sent. */
    amount: values.get('risk.amount'),
    channelId: values.get('risk.channelId'),
    serviceId: values.get('risk.serviceId'),
    /** "risk.orderTimestamp: defaults to the time the service sets." It has no time zone, and is read as UTC. */
    orderedAtMs: ordered === undefined ? undefined : Date.parse(`${ordered.replace(' ', 'T')}Z`),
    /** Of a bank account. */
    bankCountry: values.get('bankAccount.country'),
    /** The names of the sent parameters with an encrypted account. */
    encryptedAccounts: encryptedAccounts.filter((name) => secrets.has(name)),
  }
}
