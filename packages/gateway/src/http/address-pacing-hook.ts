import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'

/** A hook that delays a request according to the request rate of its client address, or refuses the request. */
export type AddressPacingHook = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void

/**
 * Creates the hook of documents, pages, unknown paths and requests without credentials. Health checks do not have the
 * hook, because load balancers depend on their answers.
 *
 * @param refuse answers a request that would wait for too long, with 429
 * @param bytes the length of the answer. A long answer counts as several requests
 */
export const createAddressPacingHook = (
  {
    addressPacing,
    clientInfo,
    counts,
    refusalPacing,
  }: Pick<Gateway, 'addressPacing' | 'clientInfo' | 'counts' | 'refusalPacing'>,
  refuse: (reply: FastifyReply, waitMs: number) => FastifyReply,
  bytes = 0,
): AddressPacingHook => {
  const weight = Math.max(1, Math.ceil(bytes / limits.addressRequestBytes))
  return (request, reply, next) => {
    const waitMs = addressPacing(clientInfo.addressOf(request.raw), weight)
    if (waitMs === 0) return next()
    if (waitMs <= limits.addressWaitMsMax) return void setTimeout(next, waitMs)
    counts.rejected.add('address')
    void Promise.resolve(refusalPacing()).then(() => refuse(reply, waitMs))
  }
}
