import type { ParameterName, RequestParameters } from '@tollgate/contract'

/** Parameters with an account that the gateway cannot decrypt. */
const encryptedAccounts = [
  'walletA.paymentToken',
  'walletB.paymentToken',
  'walletC.paymentToken',
  'pos.encryptedSred.data',
] as const satisfies readonly ParameterName[]

/** The parameters of a risk check, beside the traits that rules compare. */
export interface RiskTerms {
  /** risk.amount, as sent. */
  readonly amount: string | undefined
  readonly channelId: string | undefined
  readonly serviceId: string | undefined
  /** "risk.orderTimestamp: defaults to the time the service sets." It has no zone: it is in UTC. */
  readonly orderedAtMs: number | undefined
  /** Of a bank account. */
  readonly bankCountry: string | undefined
  /** Parameters with an account that the gateway cannot decrypt. */
  readonly encryptedAccounts: readonly (typeof encryptedAccounts)[number][]
}

export function readRiskTerms({ values, secrets }: RequestParameters): RiskTerms {
  const ordered = values.get('risk.orderTimestamp')
  return {
    amount: values.get('risk.amount'),
    channelId: values.get('risk.channelId'),
    serviceId: values.get('risk.serviceId'),
    orderedAtMs: ordered === undefined ? undefined : Date.parse(`${ordered.replace(' ', 'T')}Z`),
    bankCountry: values.get('bankAccount.country'),
    encryptedAccounts: encryptedAccounts.filter((name) => secrets.has(name)),
  }
}
