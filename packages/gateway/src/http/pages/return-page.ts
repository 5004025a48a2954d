import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { pollSession, readTexts, readSession, sessionResource, resultAddress } from '@tollgate/operations'
import { plainPage } from './plain-page.ts'

type Visited = FastifyRequest<{ Params: { id: string } }>

/**
 * A shopper returns from a bank or wallet. The parameters of the browser are not trusted: the status of the bank is
 * requested, and then the shopper is redirected to the shop with any outcome ("the shopper comes back to
 * shopperResultUrl").
 */
export const returnPage = (gateway: Gateway) => async (request: Visited, reply: FastifyReply) => {
  const session = await readSession(gateway, request.params.id)
  if (!session)
    return reply
      .code(404)
      .type(HTML)
      .send(plainPage('en', 'Not found', 'This page leads nowhere any more.'))
  await pollSession(gateway, session)
  const { id, resourcePath } = sessionResource(session)
  const shop = readTexts(session.parameters)['shopperResultUrl']
  if (shop === undefined) return reply.type(HTML).send(plainPage('en', 'Thank you', 'You can return to the shop.'))
  return reply.redirect(resultAddress(shop, id, resourcePath), 303)
}

/** A notification of the bank: the session is polled. */
export const notifyPage = (gateway: Gateway) => async (request: Visited, reply: FastifyReply) => {
  const session = await readSession(gateway, request.params.id)
  if (!session) return reply.code(404).send()
  await pollSession(gateway, session)
  return reply.code(204).send()
}

const HTML = 'text/html; charset=utf-8'
