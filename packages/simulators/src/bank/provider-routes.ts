import { json } from '../http/answers.ts'
import type { SimulatorResponse } from '../http/exchange.ts'
import type { Call, Route } from '../http/routes.ts'
import { amountError, type FieldError, isAmount, isLine, minorOf, readOrder, referenceError } from './order.ts'
import { type BankPayment, type BankPayments, type BankRefusal, refundedMinor } from './payments.ts'

const refusals: Readonly<Record<BankRefusal, string>> = {
  wrongState: 'the payment is not in a state in which that can be done',
  tooMuch: 'more than is left of the payment',
  tooMany: 'the payment has as many refunds as it may have',
  otherOrder: 'this reference was used with other values',
  withdrawn: 'this reference was cancelled before it was used',
}

const refuse = (code: BankRefusal): SimulatorResponse => json(409, { code, message: refusals[code] })

const wrong = (fields: readonly FieldError[]): SimulatorResponse =>
  json(400, { code: 'invalidFields', message: `wrong: ${fields.map(({ name }) => name).join(', ')}`, fields })

const unknown = (): SimulatorResponse => json(404, { code: 'unknown', message: 'there is no such payment' })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function bodyOf({ body }: Call): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** What a gateway talks to: JSON over HTTP. The address of a page is below `url`. */
export function providerRoutes(url: string, payments: BankPayments): readonly Route[] {
  const view = (payment: BankPayment): object => ({
    id: payment.id,
    reference: payment.order.reference,
    amount: payment.order.amount,
    currency: payment.order.currency,
    brand: payment.order.brand,
    state: payment.state,
    reason: payment.reason,
    refundedAmount: (refundedMinor(payment) / 100).toFixed(2),
    redirectUrl: payment.state === 'open' ? `${url}/bank/${payment.id}` : undefined,
  })

  const withPayment = (answer: (payment: BankPayment, call: Call) => SimulatorResponse) => (call: Call) => {
    const payment = payments.find(call.id)
    return payment ? answer(payment, call) : unknown()
  }

  function open(call: Call): SimulatorResponse {
    const read = readOrder(bodyOf(call))
    if ('errors' in read) return wrong(read.errors)
    const payment = payments.open(read.order)
    if (typeof payment === 'string') return refuse(payment)
    return json(201, view(payment))
  }

  function refund(payment: BankPayment, call: Call): SimulatorResponse {
    const { reference, amount } = bodyOf(call)
    const hasReference = isLine(reference)
    const hasAmount = typeof amount === 'string' && isAmount(amount)
    if (!hasReference || !hasAmount) {
      return wrong([...(hasReference ? [] : [referenceError]), ...(hasAmount ? [] : [amountError])])
    }
    const refunded = payments.refund(payment, reference, minorOf(amount))
    return typeof refunded === 'string' ? refuse(refunded) : json(201, view(refunded))
  }

  function cancel(payment: BankPayment): SimulatorResponse {
    const cancelled = payment.state === 'cancelled' ? payment : payments.move(payment, 'withdraw')
    return typeof cancelled === 'string' ? refuse(cancelled) : json(200, view(cancelled))
  }

  /** What was paid meanwhile is given back. */
  function giveBack(payment: BankPayment, reference: string): SimulatorResponse {
    const refunded = payments.refund(payment, reference, minorOf(payment.order.amount) - refundedMinor(payment))
    return typeof refunded === 'string' ? refuse(refunded) : json(200, view(refunded))
  }

  /** For whoever got no answer to an order, and so no id: nothing comes of it, whether or not it arrived. */
  function cancelOrder(call: Call): SimulatorResponse {
    const { reference } = bodyOf(call)
    if (!isLine(reference)) return wrong([referenceError])
    const found = payments.withdraw(reference)
    if (!found) return json(200, { reference, state: 'cancelled' })
    if (found.state === 'refunded' || found.state === 'failed') return json(200, view(found))
    return found.state === 'paid' ? giveBack(found, reference) : cancel(found)
  }

  return [
    { method: 'POST', path: '/bank/payments', answer: open },
    { method: 'POST', path: '/bank/payments/cancellations', answer: cancelOrder },
    { method: 'GET', path: '/bank/payments/:id', answer: withPayment((payment) => json(200, view(payment))) },
    { method: 'POST', path: '/bank/payments/:id/refunds', answer: withPayment(refund) },
    { method: 'POST', path: '/bank/payments/:id/cancel', answer: withPayment(cancel) },
  ]
}
