import type { DeliveryContext } from './delivery-context.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { limits } from '../limits.ts'
import { resultAddress } from '../records/result-address.ts'
import { createAttempts } from './attempts.ts'
import { callAddress } from './call-address.ts'
import { notificationIn, NOTIFICATION, notificationQueues } from './new-notification.ts'

/**
 * Calls a notificationUrl with the id and the resourcePath of the payment, registration, authentication or checkout, in
 * the same form as a redirect to the shopperResultUrl. The call contains no other data, because there is no key to
 * encrypt or sign them.
 */
export function notifications(context: DeliveryContext): JobKind {
  const { storage } = context
  const attempts = createAttempts(context)

  return {
    name: NOTIFICATION,
    queues: () => notificationQueues,
    concurrency: () => limits.notificationsConcurrent,
    async run({ id }, signal) {
      const job = await storage.job(id)
      if (!job || !attempts.isDue(job)) return CHANGED
      const event = await storage.event(job.subject_id)
      if (!event) return attempts.deadLetter(job, 'the event has been erased')
      const { url: base, id: resourceId, resourcePath } = notificationIn(event)
      const url = resultAddress(base, resourceId, resourcePath)
      return callAddress(context, attempts, job, { url, signal, successOutcome: 'delivered' })
    },
  }
}
