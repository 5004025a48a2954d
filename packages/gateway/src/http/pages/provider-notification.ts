import type { FastifyReply, FastifyRequest } from 'fastify'
import { pollNotified } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'

type NotificationRequest = FastifyRequest<{ Params: { id: string }; Body: Buffer | undefined }>

/**
 * Answers a notification of a provider to the address of its connector. The notification is a hint: the state of the
 * payment is read from the provider before anything changes, so that a repeated one has no effect.
 */
export const receiveProviderNotification =
  (gateway: Gateway) => async (request: NotificationRequest, reply: FastifyReply) => {
    const { params, headers, body } = request
    const connector = gateway.connectors.find(params.id)?.connector
    if (connector?.kind !== 'remote' || !connector.readNotification) return reply.code(404).send()
    const hint = connector.readNotification({
      vector: textOf(headers['x-initialization-vector']),
      tag: textOf(headers['x-authentication-tag']),
      body: body?.toString('latin1') ?? '',
    })
    if (hint.kind === 'wrong') {
      gateway.log.warn({ connector: connector.name, error: `a notification has a wrong part: ${hint.part}` })
      return reply.code(400).send()
    }
    if (hint.kind === 'payment') await pollNotified(gateway, connector.name, hint.transactionId)
    return reply.code(204).send()
  }

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
