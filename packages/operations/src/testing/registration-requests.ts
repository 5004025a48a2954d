import type { Parameters, TestAnswer, TestGateway } from '@tollgate/gateway/testing'

export const money = { amount: '92.00', currency: 'EUR' }

/** Requests that store an account, change it and pay with it. */
export interface RegistrationRequests {
  readonly register: (account: Parameters) => Promise<TestAnswer>
  readonly payWith: (id: string, changes?: Parameters) => Promise<TestAnswer>
  readonly read: (id: string, changes?: Parameters) => Promise<TestAnswer>
  readonly update: (id: string, changes?: Parameters) => Promise<TestAnswer>
  readonly extend: (id: string, changes?: Parameters) => Promise<TestAnswer>
  readonly deregister: (id: string, changes?: Parameters) => Promise<TestAnswer>
}

const PATH = '/v1/registrations'

export const registrationRequests = ({ send }: Pick<TestGateway, 'send'>): RegistrationRequests => ({
  register: (account) => send('POST', PATH, account),
  payWith: (id, changes) => send('POST', `${PATH}/${id}/payments`, { ...money, paymentType: 'DB', ...changes }),
  read: (id, changes) => send('GET', `${PATH}/${id}`, changes),
  update: (id, changes) => send('POST', `${PATH}/${id}`, changes),
  extend: (id, changes) => send('POST', `${PATH}/${id}/extendlife`, changes),
  deregister: (id, changes) => send('DELETE', `${PATH}/${id}`, changes),
})

const SUBSCRIPTION = { 'standingInstruction.type': 'RECURRING', 'standingInstruction.recurringType': 'SUBSCRIPTION' }
/** The standing instruction of a payment that begins an agreement. */
export const BEGIN = { ...SUBSCRIPTION, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' }
/** The standing instruction of a charge under an agreement. */
export const CHARGE = { ...SUBSCRIPTION, 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' }
