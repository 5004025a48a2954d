import { InvariantError } from '@tollgate/contract'
import { breakerAfterFailure, breakerAfterSuccess, concurrentDeliveries } from '@tollgate/domain'
import type { JobRow } from '@tollgate/storage'
import { CHANGED, type JobKind } from '../job.ts'
import { limits } from '../limits.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { attemptOutcome } from './attempt-outcome.ts'
import { INTERRUPTED, createAttempts } from './attempts.ts'
import { DELIVERY } from './new-delivery.ts'
import { encryptedBytesOf } from './encrypt.ts'
import { renderEnvelope } from './envelope.ts'
import { keysIn } from './webhook-keys.ts'
import { signedRequest } from './signed-request.ts'
import { createDeliveryOrder } from './delivery-order.ts'
import type { Webhook } from './webhook.ts'

/**
 * Sends events to webhooks, at least once. Each webhook has a queue of its own, with a bound on its deliveries in
 * flight. The queue is paused after consecutive failures, or as a Retry-After of the endpoint demands.
 */
export function deliveries(context: DeliveryContext): JobKind {
  const { storage, webhooks, outgoing, clock } = context
  const order = createDeliveryOrder(context)
  const { isDue, deadLetter, jobAfter, record } = createAttempts(context)

  /** Sends an event and stores the attempt. Returns undefined if the process stopped before the response. */
  async function send(job: JobRow, webhook: Webhook, { id, text }: EventText, signal: AbortSignal) {
    const atMs = clock.now()
    const [key] = keysIn('current', webhooks.keysOf(webhook.id), atMs)
    if (!key) throw new InvariantError('active webhook has no key', webhook.id)
    const reply = await outgoing.send({ ...signedRequest(context, webhook, { id, envelope: text, key }), signal })
    if (reply.kind !== 'answered' && signal.aborted) return undefined
    const attempt = attemptOutcome(reply)
    const to = jobAfter(job, attempt)
    const breaker =
      attempt.verdict === 'failed'
        ? breakerAfterFailure(webhooks.breakerOf(webhook.id), clock.now(), attempt.retryAfterMs)
        : breakerAfterSuccess(webhooks.breakerOf(webhook.id))
    webhooks.setBreaker(webhook.id, breaker)
    await record(job, to, attempt, atMs)
    if (attempt.verdict === 'gone') await disable(webhook)
    return { attempt, to }
  }

  /** "410 disables the endpoint", unless its address was changed in the meantime. */
  const disable = ({ id, url }: Webhook) =>
    webhooks.change(id, (webhook) =>
      webhook?.state === 'active' && webhook.url === url
        ? { webhook: { ...webhook, state: 'disabled', changed_at_ms: clock.now() } }
        : {},
    )

  async function deliver(job: JobRow, signal: AbortSignal): Promise<string> {
    const webhook = webhooks.get(job.lane)
    if (webhook?.state !== 'active') return deadLetter(job, 'the webhook is not active')
    const event = await storage.event(job.subject_id)
    if (!event) return deadLetter(job, 'the event has been erased')
    const { fieldFilter, wrapper } = webhook.settings
    const text = renderEnvelope(event, fieldFilter)
    // A retry of a body that is too long cannot succeed, and the endpoint has not failed.
    if (encryptedBytesOf(text, wrapper) > limits.deliveryBodyBytesMax) return deadLetter(job, TOO_LONG)
    const sent = await send(job, webhook, { id: event.id, text }, signal)
    if (!sent) return INTERRUPTED
    const { attempt, to } = sent
    if (to.parked_at_ms !== null) return `dead-lettered: ${attempt.error}`
    return attempt.error === null ? 'delivered' : `failed: ${attempt.error}`
  }

  return {
    name: DELIVERY,
    queues: () => webhooks.queues(),
    concurrency: (queue) => concurrentDeliveries(webhooks.breakerOf(queue), clock.now()),
    async run({ id, held_until_ms }, signal) {
      const job = await storage.job(id)
      if (!job || job.held_until_ms !== held_until_ms || !isDue(job)) return CHANGED
      const blocker = await order.blockerOf(job)
      if (blocker)
        return (await order.postponeBehind(job, blocker)) ? 'waits for an earlier event of its payment' : CHANGED
      try {
        return await deliver(job, signal)
      } finally {
        await order.releaseNext(job)
      }
    },
  }
}

const TOO_LONG = `the body would be longer than ${limits.deliveryBodyBytesMax} bytes: query the payment instead`

/** The id of an event, and its envelope before the encryption. */
interface EventText {
  readonly id: string
  readonly text: string
}
