import type { DeliveryContext } from './delivery-context.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { limits } from '../limits.ts'
import { resultAddress } from '../records/result-address.ts'
import { keepAttempts } from './attempts.ts'
import { callAddress } from './call-address.ts'
import { noticeIn, NOTIFICATION, notificationQueues } from './new-notification.ts'

/**
 * Calls a notificationUrl with the id of the transaction and the path of its status, like shopperResultUrl. It contains
 * nothing else, because no key could encrypt or sign it.
 */
export function notifications(context: DeliveryContext): JobKind {
  const { storage } = context
  const attempts = keepAttempts(context)

  return {
    name: NOTIFICATION,
    queues: () => notificationQueues,
    together: () => limits.notificationsTogether,
    async run({ id }, signal) {
      const job = await storage.job(id)
      if (!job || !attempts.isDue(job)) return CHANGED
      const event = await storage.event(job.subject_id)
      if (!event) return attempts.park(job, 'the event has been erased')
      const { url: base, id: about, resourcePath } = noticeIn(event)
      const url = resultAddress(base, about, resourcePath)
      return callAddress(context, attempts, job, { url, signal, called: 'delivered' })
    },
  }
}
