import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { pollSession, readStoredParameters, readSession, sessionResource, resultAddress } from '@tollgate/operations'
import { HTML, notFound, plainPage } from './plain-page.ts'

type SessionRequest = FastifyRequest<{ Params: { id: string } }>

/**
 * Answers a shopper who returns from a bank or wallet. The parameters of the browser are not trusted: the gateway polls
 * the bank for the status of the payment, and then redirects the shopper to the shop, for every status ("the shopper
 * comes back to shopperResultUrl"). If the merchant sent no URL, the answer is a page that tells the shopper to return.
 */
export const returnPage = (gateway: Gateway) => async (request: SessionRequest, reply: FastifyReply) => {
  const session = await readSession(gateway, request.params.id)
  if (!session) return notFound(reply)
  await pollSession(gateway, session)
  const shopUrl = shopUrlOf(session)
  if (shopUrl === '') return reply.type(HTML).send(plainPage('en', 'Thank you', 'You can return to the shop.'))
  return reply.redirect(shopUrl, 303)
}

/** Answers a notification of the bank: polls the session, and ignores the content of the notification. */
export const receiveNotification = (gateway: Gateway) => async (request: SessionRequest, reply: FastifyReply) => {
  const session = await readSession(gateway, request.params.id)
  if (!session) return reply.code(404).send()
  await pollSession(gateway, session)
  return reply.code(204).send()
}

/** The shop's URL for the shopper's return, with `id` and `resourcePath`; '' if the merchant sent no URL. */
export function shopUrlOf(session: SessionRow): string {
  const { id, resourcePath } = sessionResource(session)
  const address = readStoredParameters(session.parameters)['shopperResultUrl']
  return address === undefined ? '' : resultAddress(address, id, resourcePath)
}
