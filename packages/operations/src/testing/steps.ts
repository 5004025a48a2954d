import { cardPayment, type Parameters, type TestAnswer, type TestGateway } from '@tollgate/gateway/testing'
import { sandboxIds } from '../directory/sandbox.ts'

/** An id without a transaction. */
export const UNKNOWN_ID = '0'.repeat(32)

/** A right of an access token, for operations that merchants may not execute. */
type Right = 'chargeback' | 'system'

/** One request of a sequence: a new payment, or one that refers to the answer of an earlier step. */
export interface PaymentStep {
  readonly type: string
  readonly amount?: string | undefined
  /** The number of the step that it refers to; 'unknown' for an id without a transaction. */
  readonly to?: number | 'unknown'
  readonly after?: number
  readonly more?: Parameters
  readonly by?: Right
}

export const pa = (amount: string, more?: Parameters): PaymentStep => ({ type: 'PA', amount, ...(more && { more }) })
export const db = (amount: string, more?: Parameters): PaymentStep => ({ type: 'DB', amount, ...(more && { more }) })
export const cd = (amount: string): PaymentStep => ({ type: 'CD', amount })

export const refers = (type: string) => (to: number | 'unknown', amount?: string, more?: Parameters) => ({
  type,
  to,
  amount,
  ...(more && { more }),
})
export const cp = refers('CP')
export const rv = refers('RV')
export const rf = refers('RF')
export const rb = refers('RB')
export const increase = (to: number | 'unknown', amount?: string, more?: Parameters): PaymentStep =>
  refers('PA')(to, amount, { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH', ...more })

const by =
  (right: Right, type: string) =>
  (to: number | 'unknown', amount?: string, more?: Parameters): PaymentStep => ({
    ...refers(type)(to, amount, more),
    by: right,
  })
export const cb = by('chargeback', 'CB')
export const cr = by('chargeback', 'CR')
export const rc = by('system', 'RC')

export const later = (after: number, step: PaymentStep): PaymentStep => ({ ...step, after })

export const FINAL = { sequence: 'FINAL' }
export const PREAUTHORISED = pa('92.00')
export const PAID = db('92.00')

/** Sends the steps one after another. A step without a reference pays with the test card. */
export async function sendSteps(tollgate: TestGateway, steps: readonly PaymentStep[]): Promise<readonly TestAnswer[]> {
  const { send, clock } = tollgate
  const answers: TestAnswer[] = []
  for (const { type, amount, to, after = 0, more, by: right } of steps) {
    clock.nowMs += after
    if (to === undefined) {
      answers.push(await send('POST', '/v1/payments', cardPayment({ paymentType: type, amount, ...more })))
      continue
    }
    const id: string = to === 'unknown' ? UNKNOWN_ID : answers[to]?.body.id
    const currency = amount === undefined ? undefined : 'EUR'
    const headers = right && (await bearer(tollgate, right))
    answers.push(await send('POST', `/v1/payments/${id}`, { paymentType: type, amount, currency, ...more }, headers))
  }
  return answers
}

async function bearer({ manage }: TestGateway, right: Right): Promise<Parameters> {
  const { body } = await manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: [right] })
  return { authorization: `Bearer ${body.token}` }
}

export function last(answers: readonly TestAnswer[]): TestAnswer {
  const answer = answers.at(-1)
  if (!answer) throw new Error('the sequence has no step')
  return answer
}
