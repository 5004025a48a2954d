import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ByIdRequest, TextRequest } from '../http/server.ts'
import type { SimulatorEnvironment } from '../simulator.ts'
import { amountsOf, chargesOf, type OperationKind, refundedOf } from './amounts.ts'
import { amountError, type FieldError, isAmount, isLine, minorOf, readOrder, referenceError } from './order.ts'
import { amountsOfPayment, type BankPayment, type BankPayments, type BankRefusal, hasNoAmountLeft } from './payments.ts'

const refusals: Readonly<Record<BankRefusal, string>> = {
  wrongState: 'the payment is not in a state that allows this',
  tooMuch: 'the amount is more than is left of the payment',
  tooMany: 'the payment has the largest number of operations already',
  unknownReference: 'there is no charge under the reference in `of`, or it was reversed',
  noAgreement: 'there is no such agreement for the brand',
  otherOrder: 'this reference was used with other values',
  withdrawn: 'this reference was cancelled before it was used',
}

const refuse = (reply: FastifyReply, code: BankRefusal): FastifyReply =>
  reply.code(409).send({ code, message: refusals[code] })

const refuseFields = (reply: FastifyReply, fields: readonly FieldError[]): FastifyReply =>
  reply
    .code(400)
    .send({ code: 'invalidFields', message: `invalid fields: ${fields.map(({ name }) => name).join(', ')}`, fields })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf({ body }: TextRequest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const formatDecimal = (minor: number): string => (minor / 100).toFixed(2)

/** Adds the routes of the API for gateways, JSON over HTTP. */
export function providerRoutes(
  server: FastifyInstance,
  environment: SimulatorEnvironment,
  payments: BankPayments,
): void {
  function bodyOf(payment: BankPayment): object {
    const { id, order, state, reason, agreementId } = payment
    const amounts = amountsOfPayment(payment)
    return {
      id,
      reference: order.reference,
      amount: order.amount,
      currency: order.currency,
      brand: order.brand,
      intent: order.intent,
      state,
      reason,
      heldAmount: formatDecimal(amounts.heldMinor),
      capturedAmount: formatDecimal(amounts.capturedMinor),
      refundedAmount: formatDecimal(amounts.refundedMinor),
      cancelledAmount: formatDecimal(amounts.cancelledMinor),
      agreementId,
      redirectUrl: state === 'open' ? `${environment.url}/bank/${id}` : undefined,
    }
  }

  const send = (reply: FastifyReply, status: number, payment: BankPayment | BankRefusal): FastifyReply =>
    typeof payment === 'string' ? refuse(reply, payment) : reply.code(status).send(bodyOf(payment))

  const withPayment =
    (answer: (payment: BankPayment, reply: FastifyReply, request: ByIdRequest) => FastifyReply) =>
    async (request: ByIdRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const payment = payments.find(request.params.id)
      if (payment) return answer(payment, reply, request)
      return reply.code(404).send({ code: 'unknown', message: 'there is no such payment' })
    }

  const operate = (kind: OperationKind) =>
    withPayment((payment, reply, request) => {
      const { reference, amount, of = payment.order.reference } = fieldsOf(request)
      const errors: FieldError[] = []
      if (!isLine(reference)) errors.push(referenceError)
      if (typeof amount !== 'string' || !isAmount(amount)) errors.push(amountError)
      if (!isLine(of)) errors.push({ ...referenceError, name: 'of' })
      if (!isLine(reference) || typeof amount !== 'string' || !isLine(of) || errors.length > 0)
        return refuseFields(reply, errors)
      return send(reply, 201, payments.operate(payment, reference, { kind, of, amountMinor: minorOf(amount) }))
    })

  const cancel = (payment: BankPayment, reply: FastifyReply): FastifyReply =>
    send(reply, 200, payment.state === 'cancelled' ? payment : payments.transition(payment, 'withdraw'))

  /** Releases the held amount of a confirmed payment, and refunds its charges. */
  function reverse(confirmed: BankPayment): BankPayment | BankRefusal {
    let payment: BankPayment | BankRefusal = confirmed
    const { order } = confirmed
    const { heldMinor } = amountsOf(confirmed)
    if (heldMinor > 0) {
      const release = { kind: 'reversal', of: order.reference, amountMinor: heldMinor } as const
      payment = payments.operate(confirmed, `release ${order.reference}`, release)
    }
    for (const [of, chargeMinor] of chargesOf(confirmed)) {
      if (typeof payment === 'string') return payment
      const amountMinor = chargeMinor - refundedOf(payment, of)
      if (amountMinor > 0) payment = payments.operate(payment, `refund ${of}`, { kind: 'refund', of, amountMinor })
    }
    return payment
  }

  server.post('/bank/payments', async (request: TextRequest, reply) => {
    const result = readOrder(fieldsOf(request))
    return 'errors' in result ? refuseFields(reply, result.errors) : send(reply, 201, payments.open(result.order))
  })
  // Cancels by reference, for a gateway that does not know the id of the payment because its order timed out. After a
  // success the shopper pays nothing, and an order that arrives later with this reference opens no payment.
  server.post('/bank/payments/cancellations', async (request: TextRequest, reply) => {
    const { reference } = fieldsOf(request)
    if (!isLine(reference)) return refuseFields(reply, [referenceError])
    const payment = payments.withdraw(reference)
    if (!payment) return reply.send({ reference, state: 'cancelled' })
    if (hasNoAmountLeft(payment)) return reply.send(bodyOf(payment))
    const isConfirmed = payment.state === 'paid' || payment.state === 'held'
    return isConfirmed ? send(reply, 200, reverse(payment)) : cancel(payment, reply)
  })
  server.get(
    '/bank/payments/:id',
    withPayment((payment, reply) => reply.send(bodyOf(payment))),
  )
  server.post('/bank/payments/:id/captures', operate('capture'))
  server.post('/bank/payments/:id/increases', operate('increase'))
  server.post('/bank/payments/:id/reversals', operate('reversal'))
  server.post('/bank/payments/:id/refunds', operate('refund'))
  server.post('/bank/payments/:id/cancel', withPayment(cancel))
}
