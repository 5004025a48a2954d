import { parametersOf, Secret } from '@tollgate/contract'
import type { AcquirerAccount, AcquirerAnswer, AcquirerOperation, AcquirerRequest } from '../../port.ts'
import { createSimulator } from '../simulator.ts'

const simulator = createSimulator()
/** The simulator's answer to a request. */
export const answerTo = (acquirerRequest: AcquirerRequest): AcquirerAnswer => simulator.send(acquirerRequest)

export const secret = (digits: string) => new Secret(new Uint8Array(Buffer.from(digits, 'ascii')))

export function card(number: string, changes: Partial<AcquirerAccount> = {}): AcquirerAccount {
  return {
    kind: 'card',
    number: secret(number),
    cvv: undefined,
    expiryMonth: '12',
    expiryYear: '2030',
    holder: 'Jane Jones',
    ...changes,
  }
}

export function request(
  changes: Partial<AcquirerRequest> = {},
  parameters: Readonly<Record<string, string>> = {},
): AcquirerRequest {
  return {
    transactionId: '8ac7a4a0000000000000000000000001',
    operation: 'DB',
    amountMinor: 9200,
    currency: 'EUR',
    brand: 'VISA',
    testMode: 'INTERNAL',
    account: card('4111111111111111'),
    descriptor: '1234.5678.9012 Shop',
    partialApproval: false,
    parameters: parametersOf(parameters).values,
    secrets: new Map(),
    atMs: Date.UTC(2026, 10, 20, 11, 30),
    ...changes,
  }
}

/** A request for a SEPA direct debit from the bank account with this number. */
export function bankRequest(
  number: string,
  changes: Partial<AcquirerRequest> = {},
  parameters: Readonly<Record<string, string>> = {},
): AcquirerRequest {
  const account = card(number, { kind: 'bankAccount', expiryMonth: undefined, expiryYear: undefined })
  return request({ brand: 'DIRECTDEBIT_SEPA', account, ...changes }, parameters)
}

export const forcedRequest = (name: string, value: string, changes: Partial<AcquirerRequest> = {}, parameters = {}) =>
  request(changes, { ...parameters, [`customParameters[${name}]`]: value })
export const billingAddress = { 'billing.street1': 'Main Street 1', 'billing.postcode': '10115' }
export const initialOperations: readonly AcquirerOperation[] = ['PA', 'DB', 'CD']
export const followUpOperations: readonly AcquirerOperation[] = ['CP', 'RV', 'RF']
