import { DAY_MS } from '@tollgate/contract'
import {
  cardWithoutPayment,
  cardPayment,
  type Parameters,
  type TestAnswer,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { registrationRequests, type RegistrationRequests } from './registration-requests.ts'

export const APPROVED = [200, '000.100.110']
export const REFUSED = [400, '600.200.501']
export const INSUFFICIENT_FUNDS = { 'card.holder': '{800.100.155}' }

export const reasonOf = ({ body }: TestAnswer): string => body.resultDetails.ExtendedDescription
export const networkIdOf = ({ body }: TestAnswer): string => body.resultDetails.CardholderInitiatedTransactionID

/**
 * The parameters of a standing instruction.
 *
 * @param words type, mode and source, such as `INSTALLMENT INITIAL CIT`
 */
export function instruction(words: string, more: Parameters = {}): Parameters {
  const [type, mode, source] = words.split(' ')
  const all = { type, mode, source, ...more }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`standingInstruction.${name}`, value]))
}

/** Requests under agreements for a card, at different days. */
export interface AgreementRequests extends Pick<RegistrationRequests, 'payWith'> {
  readonly later: (days: number) => void
  /** The date after so many days, in the format of the parameter. */
  readonly inDays: (days: number) => string
  readonly pay: (words: string, more?: Parameters, changes?: Parameters) => Promise<TestAnswer>
  readonly charge: (
    type: string,
    initialTransactionId: string | undefined,
    more?: Parameters,
    changes?: Parameters,
  ) => Promise<TestAnswer>
  /** The id of a new registration. */
  readonly register: (changes?: Parameters) => Promise<string>
}

export function agreementRequests({ send, clock }: TestGateway): AgreementRequests {
  const { register, payWith } = registrationRequests({ send })
  const pay: AgreementRequests['pay'] = (words, more, changes) =>
    send('POST', '/v1/payments', cardPayment({ 'card.cvv': undefined, ...instruction(words, more), ...changes }))
  return {
    later: (days) => void (clock.nowMs += days * DAY_MS),
    inDays: (days) => new Date(clock.nowMs + days * DAY_MS).toISOString().slice(0, 10),
    pay,
    charge: (type, initialTransactionId, more, changes) =>
      pay(`${type} REPEATED MIT`, { initialTransactionId, ...more }, changes),
    payWith,
    register: async (changes) => (await register(cardWithoutPayment(changes))).body.id,
  }
}
