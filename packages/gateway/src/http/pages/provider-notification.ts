import { createSecretKey, randomBytes } from 'node:crypto'
import { readNotification } from '@tollgate/connectors'
import { pollNotified } from '@tollgate/operations'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'

type NotificationRequest = FastifyRequest<{ Params: { id: string }; Body: Buffer | undefined }>

/**
 * Answers a notification of a provider to the address of its connector. The notification is a hint: the state of the
 * payment is read from the provider before anything changes, so that a repeated one has no effect.
 *
 * A notification that does not fit the connector's key, and one to a connector that accepts none or does not exist, get
 * the same answer after the same work: the names of connectors cannot be probed.
 */
export function receiveProviderNotification(gateway: Gateway) {
  const noKey = createSecretKey(randomBytes(32))
  const warn = createWarnings(gateway)
  return async ({ params, headers, body }: NotificationRequest, reply: FastifyReply) => {
    const received = {
      vector: textOf(headers['x-initialization-vector']),
      tag: textOf(headers['x-authentication-tag']),
      body: body?.toString('latin1') ?? '',
    }
    const connector = gateway.connectors.find(params.id)?.connector
    const accepting = connector?.kind === 'remote' && connector.readNotification ? connector : undefined
    const hint = accepting?.readNotification?.(received) ?? readNotification(noKey, received)
    if (!accepting || hint.kind === 'wrong') {
      if (accepting && hint.kind === 'wrong') warn(accepting.name, hint.part)
      return reply.code(404).send()
    }
    if (hint.kind === 'payment') await pollNotified(gateway, accepting.name, hint.transactionId)
    return reply.code(204).send()
  }
}

/** Warns of wrong notifications: once a minute for each connector, because anybody can send them. */
function createWarnings({ log, clock }: Gateway): (connector: string, part: string) => void {
  const warnedAtMs = new Map<string, number>()
  return (connector, part) => {
    const nowMs = clock.now()
    if (nowMs - (warnedAtMs.get(connector) ?? -Infinity) < limits.notificationWarningMs) return
    warnedAtMs.set(connector, nowMs)
    log.warn({ connector, error: `a notification has a wrong part: ${part}` })
  }
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
