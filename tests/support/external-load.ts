import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Answer, type Body, bodyOf } from './http.ts'
import { cardPayment, type Form, followUpForm, post } from './payments.ts'
import type { GatewayProcess } from './process.ts'

// Payments with `testMode=EXTERNAL`, each with an amount of its own: holds with captures, reversals and refunds, and
// debits alone or with a reversal or refund; also of cards that a terminal encrypted, and sales that a card approved
// offline. A follow-up is sent only if the request before it was approved.

/** A request of the load; no answer: the connection ended first. */
export interface ExternalRequest {
  readonly merchantTransactionId: string
  readonly type: string
  readonly answer: Answer | undefined
}

/** The code of an approval by the acquirer's test system. */
export const APPROVED = '000.100.112'
/** "The connector or acquirer is down": the payment was not sent, and is sent again after a pause. */
export const NOT_REACHED = '900.100.600'
const TRIES_MAX = 200
const PAUSE_MS = 50
const POLL_MS = 5

/** A follow-up: its type, and the share of the payment's amount in percent. */
interface FollowUp {
  readonly type: string
  readonly percent: number
  readonly more?: Form
}

interface Scenario {
  readonly first: 'PA' | 'DB'
  /** Parameters of a terminal in the first request. @param name of load and payment; unique on the same data */
  readonly terminalForm?: (name: string) => Form
  readonly next: readonly FollowUp[]
}

/** A card that a terminal has encrypted for the acquirer, so that no follow-up and no reversal has its number. */
const encryptedCard = (name: string): Form => ({
  ...terminal(name),
  'card.number': '',
  'card.cvv': '',
  'pos.encryptedSred.data': digitsOf(name),
})

/** A sale that the card has approved without the issuer: its advice is repeated, and never reversed. */
const offlineSale = (name: string): Form => ({
  ...terminal(name),
  'card.cvv': '',
  'pos.iccDataRequest': '9F2701408A025931',
})

const terminal = (name: string): Form => ({
  'pos.entryMode': 'ICC',
  'pos.terminalId': '4711',
  'pos.transactionSequenceNumber': digitsOf(name),
})

/** 32 digits, which no other name has. */
const digitsOf = (name: string): string =>
  String(BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)).slice(0, 32)

const scenarios = [
  {
    first: 'PA',
    next: [
      { type: 'CP', percent: 40 },
      { type: 'CP', percent: 60, more: { sequence: 'FINAL' } },
    ],
  },
  { first: 'DB', next: [] },
  {
    first: 'DB',
    next: [
      { type: 'RF', percent: 30 },
      { type: 'RF', percent: 20 },
    ],
  },
  { first: 'PA', next: [{ type: 'CP', percent: 100 }] },
  { first: 'PA', next: [{ type: 'RV', percent: 100 }] },
  {
    first: 'PA',
    next: [
      { type: 'RV', percent: 20 },
      { type: 'CP', percent: 50 },
    ],
  },
  { first: 'DB', next: [{ type: 'RV', percent: 100 }] },
  { first: 'PA', terminalForm: encryptedCard, next: [{ type: 'CP', percent: 100 }] },
  { first: 'DB', terminalForm: offlineSale, next: [{ type: 'RF', percent: 30 }] },
] as const satisfies readonly Scenario[]

/** A payment that the acquirer's test system processes. */
export const externalPayment = (changes: Form = {}): Form => cardPayment({ testMode: 'EXTERNAL', ...changes })

/** Load on a gateway. */
export interface ExternalLoad {
  /** The requests that have been answered or cut off so far. */
  readonly sent: readonly ExternalRequest[]
  /** The number of payments whose first request has been sent. */
  readonly begun: () => number
  /** The number of requests without an answer so far. */
  readonly inFlight: () => number
  /** Resolves once this number of requests has been answered or cut off, or the load has ended. */
  readonly untilSent: (count: number) => Promise<void>
  /** Resolves once a request is in flight, or the load has ended. While the acquirer is down, all may pause. */
  readonly untilInFlight: () => Promise<void>
  /** Resolves after the last answer, or after the first request that was cut off by the end of its connection. */
  readonly done: Promise<void>
}

interface LoadOptions {
  /** The prefix of every merchantTransactionId; unique among the loads on the same data. */
  readonly label: string
  readonly payments: number
  /** The maximum number of payments in flight. */
  readonly concurrent?: number
}

/** Amounts in minor units are a multiple of this one, so that all shares are whole numbers. */
const STEP_MINOR = 100
const FIRST_AMOUNT_MINOR = 10_000

const decimal = (minor: number): string => (minor / 100).toFixed(2)

/** Sends payments to gateways in turn, until all are sent or a connection ends. */
export function startExternalLoad(
  gateways: readonly GatewayProcess[],
  { label, payments, concurrent = 16 }: LoadOptions,
): ExternalLoad {
  const sent: ExternalRequest[] = []
  let next = 0
  let isCutOff = false
  let isOver = false
  let inFlight = 0

  async function send(gateway: GatewayProcess, path: string, form: Form, name: string): Promise<Body | undefined> {
    const merchantTransactionId = `${label}-${name}`
    inFlight += 1
    const answer = await gateway.client.send(post(path, { ...form, merchantTransactionId })).catch(() => undefined)
    inFlight -= 1
    sent.push({ merchantTransactionId, type: form['paymentType'] ?? '', answer })
    isCutOff ||= answer === undefined
    return answer && bodyOf(answer)
  }

  /** Sends the first request of a payment, until it reaches the acquirer. */
  async function begin(gateway: GatewayProcess, form: Form, name: string): Promise<Body | undefined> {
    for (let tries = 0; ; tries += 1) {
      const body = await send(gateway, '/v1/payments', form, `${name}-${tries}`)
      if (body?.result.code !== NOT_REACHED || tries === TRIES_MAX || isCutOff) return body
      await setTimeout(PAUSE_MS)
    }
  }

  async function pay(number: number): Promise<void> {
    const {
      first,
      terminalForm: terminalFormOf,
      next: followUps,
    }: Scenario = scenarios[number % scenarios.length] ?? scenarios[0]
    const amountMinor = FIRST_AMOUNT_MINOR + number * STEP_MINOR
    const gateway = gateways[number % gateways.length]
    if (!gateway) throw new Error('the list of gateways is empty')
    const terminalForm = terminalFormOf?.(`${label}-${number}`)
    const form = externalPayment({ paymentType: first, amount: decimal(amountMinor), ...terminalForm })
    let body = await begin(gateway, form, `${number}`)
    const id = body?.id
    for (const [index, { type, percent, more }] of followUps.entries()) {
      if (body?.result.code !== APPROVED || isCutOff) return
      const amount = decimal((amountMinor * percent) / 100)
      body = await send(
        gateway,
        `/v1/payments/${id}`,
        followUpForm(type, { amount, ...more }),
        `${number}-next-${index}`,
      )
    }
  }

  async function work(): Promise<void> {
    for (; next < payments && !isCutOff; ) {
      const number = next
      next += 1
      await pay(number)
    }
  }

  return {
    sent,
    begun: () => next,
    inFlight: () => inFlight,
    done: Promise.all(Array.from({ length: concurrent }, work)).then(() => void (isOver = true)),
    untilSent: async (count) => {
      while (sent.length < count && !isOver) await setTimeout(POLL_MS)
    },
    untilInFlight: async () => {
      while (inFlight === 0 && !isOver) await setTimeout(POLL_MS)
    },
  }
}

/** The number of answers with each result code; `none` for requests without an answer. */
export function codesOf(sent: readonly ExternalRequest[]): Readonly<Record<string, number | undefined>> {
  const counts: Record<string, number> = {}
  for (const { answer } of sent) {
    const code = answer ? bodyOf(answer).result.code : 'none'
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}
