import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { cancelPayment, widgetView } from '@tollgate/operations'
import { languageOf } from './language.ts'
import { queryParameter } from './query-parameter.ts'

type CheckoutRequest = FastifyRequest<{ Params: { id: string } }>

/** Answers with the state of a checkout, for the widget. */
export const widgetCheckout = (gateway: Gateway) => (request: CheckoutRequest, reply: FastifyReply) =>
  sendView(gateway, request, reply)

/** Cancels the pending payment of a checkout, for a shopper who chose another method. Answers like `widgetCheckout`. */
export const cancelCheckout = (gateway: Gateway) => async (request: CheckoutRequest, reply: FastifyReply) => {
  await cancelPayment(gateway, request.params.id)
  return sendView(gateway, request, reply)
}

async function sendView(gateway: Gateway, { params, url }: CheckoutRequest, reply: FastifyReply) {
  const view = await widgetView(gateway, params.id, languageOf(queryParameter(url, 'locale')))
  return reply.header('access-control-allow-origin', '*').type('application/json').send(JSON.stringify(view))
}
