import { cardPayment, type Parameters, type TestAnswer, type TestGateway } from '@tollgate/gateway/testing'
import { sandboxIds } from '../directory/sandbox.ts'

/** An id that no transaction has. */
export const UNKNOWN_ID = '0'.repeat(32)

/** A right of an access token, for operations that merchants may not execute. */
type Right = 'chargeback' | 'system'

/** A request of a sequence: a new payment, or a follow-up of the transaction of an earlier step. */
export interface PaymentStep {
  readonly type: string
  readonly amount?: string | undefined
  /** The index of the step that this step refers to; 'unknown': an id without a transaction. */
  readonly to?: number | 'unknown'
  /** The time between the previous step and this step. */
  readonly afterMs?: number
  /** Further parameters of the request. */
  readonly more?: Parameters
  /** The right of the access token; undefined: an ordinary token is used. */
  readonly right?: Right
}

export const pa = (amount: string, more?: Parameters): PaymentStep => ({ type: 'PA', amount, ...(more && { more }) })
export const db = (amount: string, more?: Parameters): PaymentStep => ({ type: 'DB', amount, ...(more && { more }) })
export const cd = (amount: string): PaymentStep => ({ type: 'CD', amount })

export const followUp = (type: string) => (to: number | 'unknown', amount?: string, more?: Parameters) => ({
  type,
  to,
  amount,
  ...(more && { more }),
})
export const cp = followUp('CP')
export const rv = followUp('RV')
export const rf = followUp('RF')
export const rb = followUp('RB')
export const increase = (to: number | 'unknown', amount?: string, more?: Parameters): PaymentStep =>
  followUp('PA')(to, amount, { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH', ...more })

const followUpWithRight =
  (right: Right, type: string) =>
  (to: number | 'unknown', amount?: string, more?: Parameters): PaymentStep => ({
    ...followUp(type)(to, amount, more),
    right,
  })
export const cb = followUpWithRight('chargeback', 'CB')
export const cr = followUpWithRight('chargeback', 'CR')
export const rc = followUpWithRight('system', 'RC')

export const delayed = (afterMs: number, step: PaymentStep): PaymentStep => ({ ...step, afterMs })

export const FINAL = { sequence: 'FINAL' }
export const PREAUTHORISED = pa('92.00')
export const PAID = db('92.00')

/** Sends the steps one after another. A step that refers to no other step pays with the test card. */
export async function sendSteps(tollgate: TestGateway, steps: readonly PaymentStep[]): Promise<readonly TestAnswer[]> {
  const { send, clock } = tollgate
  const answers: TestAnswer[] = []
  for (const { type, amount, to, afterMs = 0, more, right } of steps) {
    clock.nowMs += afterMs
    if (to === undefined) {
      answers.push(await send('POST', '/v1/payments', cardPayment({ paymentType: type, amount, ...more })))
      continue
    }
    const id: string = to === 'unknown' ? UNKNOWN_ID : answers[to]?.body.id
    const currency = amount === undefined ? undefined : 'EUR'
    const headers = right && (await headersWithRight(tollgate, right))
    answers.push(await send('POST', `/v1/payments/${id}`, { paymentType: type, amount, currency, ...more }, headers))
  }
  return answers
}

async function headersWithRight({ manage }: TestGateway, right: Right): Promise<Parameters> {
  const { body } = await manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: [right] })
  return { authorization: `Bearer ${body.token}` }
}

export function last(answers: readonly TestAnswer[]): TestAnswer {
  const answer = answers.at(-1)
  if (!answer) throw new Error('the sequence has no step')
  return answer
}
