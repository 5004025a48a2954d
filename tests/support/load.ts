import { setTimeout } from 'node:timers/promises'
import { type Answer, bodyOf } from './http.ts'
import { cardPayment, type Form, post, referral } from './payments.ts'
import type { GatewayProcess } from './process.ts'

// Merchants that send requests without a pause: preauthorisations with their captures, debits with their refunds,
// declines, some of them under an Idempotency-Key. Every request has a merchantTransactionId of its own.

/** One request of the load and its answer. */
export interface Sent {
  readonly merchantTransactionId: string
  readonly path: string
  readonly form: Form
  /** Its Idempotency-Key, if it has one. */
  readonly key: string | undefined
  /** undefined if the connection ended first; then only the data show the outcome. */
  readonly answer: Answer | undefined
}

/** Load on a gateway. */
export interface Load {
  /** Requests that have been answered or cut off so far. */
  readonly sent: readonly Sent[]
  /** Resolves once so many requests have been answered or cut off. */
  readonly reaches: (count: number) => Promise<void>
  /** Resolves after the last answers, or the end of the connections. */
  readonly stop: () => Promise<void>
}

const pollMs = 5

/**
 * Pays over 64 connections until it is stopped or the gateway goes away.
 * @param label begins every merchantTransactionId; no two loads on the same data may share one
 */
export function startLoad(gateway: GatewayProcess, label: string, connections = 64): Load {
  const sent: Sent[] = []
  let stopping = false

  /** The answer, or undefined if there is none. */
  async function send(path: string, form: Form, name: string, keyed: boolean): Promise<Answer | undefined> {
    const merchantTransactionId = `${label}-${name}`
    const whole = { ...form, merchantTransactionId }
    const key = keyed ? `key-${merchantTransactionId}` : undefined
    const answer = await gateway.client
      .send(post(path, whole, key === undefined ? {} : { 'idempotency-key': key }))
      .catch(() => undefined)
    sent.push({ merchantTransactionId, path, form: whole, key, answer })
    return answer
  }

  async function payForEver(worker: number): Promise<void> {
    for (let turn = worker; !stopping; turn += 1) {
      const { first, next } = scenarios[turn % scenarios.length] ?? scenarios[0]
      const name = `${worker}-${turn}`
      const answer = await send('/v1/payments', first, `${name}-first`, turn % 3 === 0)
      if (!answer) return
      if (!next || answer.status !== 200) continue
      const path = `/v1/payments/${bodyOf(answer).id}`
      if (!(await send(path, next, `${name}-next`, turn % 5 === 0))) return
    }
  }

  const done = Promise.all(Array.from({ length: connections }, (_, worker) => payForEver(worker)))
  return {
    sent,
    reaches: async (count) => {
      while (sent.length < count) await setTimeout(pollMs)
    },
    stop: async () => {
      stopping = true
      await done
    },
  }
}

const scenarios = [
  { first: cardPayment({ paymentType: 'PA' }), next: referral('CP', { amount: '42.00' }) },
  { first: cardPayment(), next: undefined },
  { first: cardPayment(), next: referral('RF', { amount: '9.20' }) },
  { first: cardPayment(), next: referral('RB', { amount: '9.20' }) },
  { first: cardPayment({ 'customParameters[forceResultCode]': '800.100.151' }), next: undefined },
] as const satisfies readonly { readonly first: Form; readonly next: Form | undefined }[]
