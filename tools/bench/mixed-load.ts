import { createLatencies, type LatencyFigures } from './latencies.ts'
import { getText, type OpenLoop, type OpenLoopRequest, postText, runOpenLoop } from './open-loop.ts'
import { textAt } from './merchants.ts'
import { bodyOf, numberText, type PreparedRequest, referenceOf } from './workload.ts'

/** Mixed traffic in an open loop. */
export interface MixedLoad extends OpenLoop {
  readonly requests: readonly PreparedRequest[]
  /** The number of the first payment. */
  readonly firstNumber: number
  /** Duration of each interval with figures of its own. */
  readonly intervalSeconds: number
}

/** The answers of one interval, by the time at which they were received. */
export interface MixedFigures {
  /** Answers 200, by the time since their requests were due. */
  readonly latencies: LatencyFigures
  /** Answers 200 to new payments, captures and refunds, each of which is stored and delivered. */
  readonly stored: number
  /** Answers with another status. */
  readonly failures: number
}

type Kind = 'debit' | 'preauthorisation' | 'capture' | 'refund' | 'read' | 'query'

/**
 * The kinds of twenty requests in their order: 60 % new payments, a quarter of which are captured, 15 % captures, 5 %
 * refunds, 15 % reads and 5 % queries.
 */
const mixOfKinds: readonly Kind[] = [
  ...newPayments('capture', 'read', 'query'),
  ...newPayments('capture', 'read', 'refund'),
  ...newPayments('capture', 'read'),
]

function newPayments(...others: readonly Kind[]): readonly Kind[] {
  return ['preauthorisation', 'debit', 'debit', 'debit', ...others]
}

/** Payments that wait for a capture, a refund or a read; older ones are dropped. */
const REMEMBERED = 10_000

/** A payment to which later requests refer. */
interface Payment {
  readonly id: string
  readonly authorization: string
  readonly entityId: string
  readonly amount: string
  readonly reference: string
}

/**
 * Sends mixed traffic.
 * @param onInterval called at the end of each interval
 * @returns the numbers of requests that were not sent, because all connections were busy, and not answered
 */
export async function sendMixed(
  { requests, firstNumber, intervalSeconds, ...loop }: MixedLoad,
  onInterval: (figures: MixedFigures) => void,
): Promise<{ readonly notSent: number; readonly unanswered: number }> {
  const authorised: Payment[] = []
  const debited: Payment[] = []
  const recent: Payment[] = []
  let latencies = createLatencies()
  let stored = 0
  let failures = 0

  const count =
    (isStored: boolean, whenAccepted?: (body: Buffer) => void): OpenLoopRequest['onAnswer'] =>
    ({ status, body, tookMs }) => {
      if (status !== 200) return void (failures += 1)
      latencies.add(tookMs)
      if (isStored) stored += 1
      whenAccepted?.(body)
    }

  function newPayment(index: number, kind: 'debit' | 'preauthorisation'): OpenLoopRequest {
    const prepared = requests[index % requests.length]
    if (!prepared) throw new Error('a mixed load has no requests')
    const { authorization } = prepared
    const number = firstNumber + index
    const debit = bodyOf(prepared, number)
    const form = kind === 'debit' ? debit : debit.replace('paymentType=DB', 'paymentType=PA')
    return {
      text: postText('/v1/payments', authorization, form),
      onAnswer: count(true, (body) => {
        const payment: Payment = {
          id: textAt(JSON.parse(body.toString()), 'id'),
          authorization,
          entityId: parameterOf(form, 'entityId'),
          amount: parameterOf(form, 'amount'),
          reference: referenceOf(numberText(number)),
        }
        remember(kind === 'debit' ? debited : authorised, payment)
        remember(recent, payment)
      }),
    }
  }

  const followUp = ({ id, authorization, entityId, amount }: Payment, type: 'CP' | 'RF'): OpenLoopRequest => ({
    text: postText(
      `/v1/payments/${id}`,
      authorization,
      `entityId=${entityId}&amount=${amount}&currency=EUR&paymentType=${type}`,
    ),
    onAnswer: count(true),
  })
  const get = (path: string, { authorization, entityId }: Payment, parameters = ''): OpenLoopRequest => ({
    text: getText(`${path}?entityId=${entityId}${parameters}`, authorization),
    onAnswer: count(false),
  })

  function requestOf(index: number): OpenLoopRequest {
    const kind = mixOfKinds[index % mixOfKinds.length] ?? 'debit'
    if (kind === 'debit' || kind === 'preauthorisation') return newPayment(index, kind)
    const payment =
      kind === 'capture' ? authorised.shift() : kind === 'refund' ? debited.shift() : recent[index % recent.length]
    if (!payment) return newPayment(index, 'debit')
    if (kind === 'capture') return followUp(payment, 'CP')
    if (kind === 'refund') return followUp(payment, 'RF')
    if (kind === 'read') return get(`/v1/payments/${payment.id}`, payment)
    return get('/v1/query', payment, `&merchantTransactionId=${payment.reference}`)
  }

  const ending = setInterval(() => {
    onInterval({ latencies: latencies.figures(), stored, failures })
    latencies = createLatencies()
    stored = 0
    failures = 0
  }, intervalSeconds * 1000)
  const { notSent, unanswered } = await runOpenLoop(loop, requestOf)
  clearInterval(ending)
  onInterval({ latencies: latencies.figures(), stored, failures })
  return { notSent, unanswered }
}

function remember(payments: Payment[], payment: Payment): void {
  payments.push(payment)
  if (payments.length > 2 * REMEMBERED) payments.splice(0, REMEMBERED)
}

const parameterOf = (form: string, name: string): string => new RegExp(`(?:^|&)${name}=([^&]*)`).exec(form)?.[1] ?? ''
