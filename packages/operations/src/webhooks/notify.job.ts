import type { Context } from '../context.ts'
import type { JobKind } from '../job.ts'
import { limits } from '../limits.ts'
import { resultAddress } from '../records/result-address.ts'
import { attempted } from './attempt.ts'
import { keepAttempts } from './attempts.ts'
import { noticeIn, NOTIFICATION, notificationQueues } from './new-notification.ts'

/**
 * Calls a notificationUrl with the id of what happened and where to ask for it, as shopperResultUrl is called. It says
 * nothing more, for there is no key that could make it secret, or prove who says it.
 */
export function notifications(context: Context): JobKind {
  const { storage, outgoing, clock } = context
  const { isDue, park, after, record } = keepAttempts(context)

  return {
    name: NOTIFICATION,
    queues: () => notificationQueues,
    together: () => limits.notificationsTogether,
    async run({ id }, signal) {
      const job = await storage.job(id)
      if (!job || !isDue(job)) return 'was changed meanwhile'
      const event = await storage.event(job.subject_id)
      if (!event) return park(job, 'the event has been erased')
      const startedAtMs = clock.now()
      const { url: base, id: about, resourcePath } = noticeIn(event)
      const url = resultAddress(base, about, resourcePath)
      const reply = await outgoing.send({ method: 'GET', url, signal })
      if (reply.kind !== 'answered' && signal.aborted) return 'was interrupted'
      const attempt = attempted(reply)
      const to = after(job, attempt)
      // It is refused whenever it is tried, unlike a webhook nobody can mend it.
      const isRefused = reply.kind === 'refused'
      await record(job, isRefused ? { ...to, parked_at_ms: clock.now() } : to, attempt, startedAtMs)
      return attempt.error === null ? 'delivered' : `failed: ${attempt.error}`
    },
  }
}
