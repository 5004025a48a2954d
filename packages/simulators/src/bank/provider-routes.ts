import { json } from '../http/answers.ts'
import type { SimulatorResponse } from '../http/exchange.ts'
import type { Call, Route } from '../http/routes.ts'
import { amountError, type FieldError, isAmount, isLine, minorOf, readOrder, referenceError } from './order.ts'
import { amountsOf, chargesOf, type OperationKind, refundedOf } from './amounts.ts'
import { amountsAt, type BankPayment, type BankPayments, type BankRefusal, isReversed } from './payments.ts'

const refusals: Readonly<Record<BankRefusal, string>> = {
  wrongState: 'the payment is not in a state in which that can be done',
  tooMuch: 'more than is left of the payment',
  tooMany: 'the payment has as many operations as it may have',
  unknownReference: 'nothing was taken under the reference in `of`, or it was reversed',
  noAgreement: 'there is no such agreement for the brand',
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

const inDecimals = (minor: number): string => (minor / 100).toFixed(2)

/** What a gateway talks to: JSON over HTTP. The address of a page is below `url`. */
export function providerRoutes(url: string, payments: BankPayments): readonly Route[] {
  const view = (payment: BankPayment): object => {
    const { id, order, state, reason, agreementId } = payment
    const amounts = amountsAt(payment)
    return {
      id,
      reference: order.reference,
      amount: order.amount,
      currency: order.currency,
      brand: order.brand,
      intent: order.intent,
      state,
      reason,
      heldAmount: inDecimals(amounts.heldMinor),
      capturedAmount: inDecimals(amounts.capturedMinor),
      refundedAmount: inDecimals(amounts.refundedMinor),
      cancelledAmount: inDecimals(amounts.cancelledMinor),
      agreementId,
      redirectUrl: state === 'open' ? `${url}/bank/${id}` : undefined,
    }
  }

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

  const operate = (kind: OperationKind) => (payment: BankPayment, call: Call) => {
    const { reference, amount, of = payment.order.reference } = bodyOf(call)
    const errors: FieldError[] = []
    if (!isLine(reference)) errors.push(referenceError)
    if (typeof amount !== 'string' || !isAmount(amount)) errors.push(amountError)
    if (!isLine(of)) errors.push({ ...referenceError, name: 'of' })
    if (!isLine(reference) || typeof amount !== 'string' || !isLine(of) || errors.length > 0) return wrong(errors)
    const done = payments.operate(payment, reference, { kind, of, amountMinor: minorOf(amount) })
    return typeof done === 'string' ? refuse(done) : json(201, view(done))
  }

  function cancel(payment: BankPayment): SimulatorResponse {
    const cancelled = payment.state === 'cancelled' ? payment : payments.move(payment, 'withdraw')
    return typeof cancelled === 'string' ? refuse(cancelled) : json(200, view(cancelled))
  }

  /** A hold that was confirmed meanwhile is released, and what was taken is given back. */
  function undo(confirmed: BankPayment): SimulatorResponse {
    let payment: BankPayment | BankRefusal = confirmed
    const { order } = confirmed
    const { heldMinor } = amountsOf(confirmed)
    if (heldMinor > 0) {
      const release = { kind: 'reversal', of: order.reference, amountMinor: heldMinor } as const
      payment = payments.operate(confirmed, `release ${order.reference}`, release)
    }
    for (const [of, chargeMinor] of chargesOf(confirmed)) {
      if (typeof payment === 'string') return refuse(payment)
      const amountMinor = chargeMinor - refundedOf(payment, of)
      if (amountMinor > 0) payment = payments.operate(payment, `refund ${of}`, { kind: 'refund', of, amountMinor })
    }
    return typeof payment === 'string' ? refuse(payment) : json(200, view(payment))
  }

  /** For whoever got no answer to an order, and so no id: nothing comes of it, whether or not it arrived. */
  function cancelOrder(call: Call): SimulatorResponse {
    const { reference } = bodyOf(call)
    if (!isLine(reference)) return wrong([referenceError])
    const found = payments.withdraw(reference)
    if (!found) return json(200, { reference, state: 'cancelled' })
    if (isReversed(found)) return json(200, view(found))
    return found.state === 'paid' || found.state === 'held' ? undo(found) : cancel(found)
  }

  return [
    { method: 'POST', path: '/bank/payments', answer: open },
    { method: 'POST', path: '/bank/payments/cancellations', answer: cancelOrder },
    { method: 'GET', path: '/bank/payments/:id', answer: withPayment((payment) => json(200, view(payment))) },
    { method: 'POST', path: '/bank/payments/:id/captures', answer: withPayment(operate('capture')) },
    { method: 'POST', path: '/bank/payments/:id/increases', answer: withPayment(operate('increase')) },
    { method: 'POST', path: '/bank/payments/:id/reversals', answer: withPayment(operate('reversal')) },
    { method: 'POST', path: '/bank/payments/:id/refunds', answer: withPayment(operate('refund')) },
    { method: 'POST', path: '/bank/payments/:id/cancel', answer: withPayment(cancel) },
  ]
}
