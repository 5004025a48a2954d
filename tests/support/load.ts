import { setTimeout } from 'node:timers/promises'
import { type Answer, bodyOf } from './http.ts'
import { cardPayment, type Form, post, followUpForm } from './payments.ts'
import type { GatewayProcess } from './process.ts'

// Requests of the sandbox merchant, sent without a pause: preauthorisations with their captures, debits alone or with
// their refunds or rebills, and declines, some with an Idempotency-Key. Every request has its own
// merchantTransactionId.

/** A request of the load and its answer. */
export interface SentRequest {
  readonly merchantTransactionId: string
  readonly path: string
  readonly form: Form
  /** The Idempotency-Key; undefined if the request has none. */
  readonly key: string | undefined
  /** undefined if the connection ended first; then only the stored data show the outcome. */
  readonly answer: Answer | undefined
}

/** Load on a gateway. */
export interface Load {
  /** The requests that have been answered or cut off so far. */
  readonly sent: readonly SentRequest[]
  /** Resolves once this number of requests has been answered or cut off. */
  readonly untilSent: (count: number) => Promise<void>
  /** Resolves after the last answers, or the end of the connections. */
  readonly stop: () => Promise<void>
}

const pollMs = 5

/**
 * Sends payments until `stop` is called or the gateway ends.
 * @param label prefix of every merchantTransactionId; unique among the loads on the same data
 * @param connections the maximum number of requests in flight
 */
export function startLoad(gateway: GatewayProcess, label: string, connections = 64): Load {
  const sent: SentRequest[] = []
  let isStopping = false

  /** Sends and records one request; undefined if it got no answer. */
  async function send(path: string, form: Form, name: string, hasKey: boolean): Promise<Answer | undefined> {
    const merchantTransactionId = `${label}-${name}`
    const fullForm = { ...form, merchantTransactionId }
    const key = hasKey ? `key-${merchantTransactionId}` : undefined
    const answer = await gateway.client
      .send(post(path, fullForm, key === undefined ? {} : { 'idempotency-key': key }))
      .catch(() => undefined)
    sent.push({ merchantTransactionId, path, form: fullForm, key, answer })
    return answer
  }

  async function payRepeatedly(worker: number): Promise<void> {
    for (let round = worker; !isStopping; round += 1) {
      const { first, next } = scenarios[round % scenarios.length] ?? scenarios[0]
      const name = `${worker}-${round}`
      const answer = await send('/v1/payments', first, `${name}-first`, round % 3 === 0)
      if (!answer) return
      if (!next || answer.status !== 200) continue
      const path = `/v1/payments/${bodyOf(answer).id}`
      if (!(await send(path, next, `${name}-next`, round % 5 === 0))) return
    }
  }

  const done = Promise.all(Array.from({ length: connections }, (_, worker) => payRepeatedly(worker)))
  return {
    sent,
    untilSent: async (count) => {
      while (sent.length < count) await setTimeout(pollMs)
    },
    stop: async () => {
      isStopping = true
      await done
    },
  }
}

const scenarios = [
  { first: cardPayment({ paymentType: 'PA' }), next: followUpForm('CP', { amount: '42.00' }) },
  { first: cardPayment(), next: undefined },
  { first: cardPayment(), next: followUpForm('RF', { amount: '9.20' }) },
  { first: cardPayment(), next: followUpForm('RB', { amount: '9.20' }) },
  { first: cardPayment({ 'customParameters[forceResultCode]': '800.100.151' }), next: undefined },
] as const satisfies readonly { readonly first: Form; readonly next: Form | undefined }[]
