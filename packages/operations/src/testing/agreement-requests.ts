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
 * @param typeModeSource type, mode and source, such as `INSTALLMENT INITIAL CIT`
 * @param more further parameters of the structure, by their names in it
 */
export function instruction(typeModeSource: string, more: Parameters = {}): Parameters {
  const [type, mode, source] = typeModeSource.split(' ')
  const fields = { type, mode, source, ...more }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]))
}

/** Requests under agreements for a card, on different days. */
export interface AgreementRequests extends Pick<RegistrationRequests, 'payWith'> {
  readonly advanceDays: (days: number) => void
  /** The date in a number of days, in the format of `standingInstruction.expiry`. */
  readonly inDays: (days: number) => string
  readonly pay: (typeModeSource: string, more?: Parameters, changes?: Parameters) => Promise<TestAnswer>
  readonly charge: (
    type: string,
    initialTransactionId: string | undefined,
    more?: Parameters,
    changes?: Parameters,
  ) => Promise<TestAnswer>
  /** Creates a registration. @returns its id */
  readonly register: (changes?: Parameters) => Promise<string>
}

export function agreementRequests({ send, clock }: TestGateway): AgreementRequests {
  const { register, payWith } = registrationRequests({ send })
  const pay: AgreementRequests['pay'] = (typeModeSource, more, changes) => {
    const parameters = instruction(typeModeSource, more)
    return send('POST', '/v1/payments', cardPayment({ 'card.cvv': undefined, ...parameters, ...changes }))
  }
  return {
    advanceDays: (days) => void (clock.nowMs += days * DAY_MS),
    inDays: (days) => new Date(clock.nowMs + days * DAY_MS).toISOString().slice(0, 10),
    pay,
    charge: (type, initialTransactionId, more, changes) =>
      pay(`${type} REPEATED MIT`, { initialTransactionId, ...more }, changes),
    payWith,
    register: async (changes) => (await register(cardWithoutPayment(changes))).body.id,
  }
}
