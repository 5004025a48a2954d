import type { JobRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'
import { resultAddress } from '../records/result-address.ts'
import { attempted } from '../webhooks/attempt.ts'
import { keepAttempts } from '../webhooks/attempts.ts'
import type { JobKind } from '../job.ts'
import { SAFETY_CALL } from '../records/timers.ts'

/**
 * "If a checkout payment was posted but its status was never fetched, the service sends an HTTP GET to shopperResultUrl
 * with a resourcePath parameter after 29 minutes." It is tried again like a webhook, and lies in sight once given up.
 */
export function safetyCalls(context: Context): JobKind {
  const { storage, outgoing, clock } = context
  const { isDue, park, after, record } = keepAttempts(context)

  async function settle(from: JobRow, outcome: string): Promise<string> {
    await storage.commit({
      id: context.ids.ordered(),
      expectedVersions: [],
      compareAndSets: [{ table: 'job', from, to: null }],
      rows: {},
    })
    return outcome
  }

  return {
    name: SAFETY_CALL,
    queues: () => [''],
    together: () => limits.notificationsTogether,
    async run({ id }, signal) {
      const job = await storage.job(id)
      if (!job || !isDue(job)) return 'was changed meanwhile'
      const checkout = await readCheckout(context, job.subject_id)
      if (!checkout) return park(job, 'the checkout has been forgotten')
      if (checkout.row.read_at_ms !== null) return settle(job, 'its status was read')
      const address = checkout.parameters['shopperResultUrl']
      if (address === undefined) return settle(job, 'there is no shopperResultUrl')
      const startedAtMs = clock.now()
      const url = resultAddress(address, checkout.row.id, resourceOf(checkout, startedAtMs))
      const reply = await outgoing.send({ method: 'GET', url, signal })
      if (reply.kind !== 'answered' && signal.aborted) return 'was interrupted'
      const attempt = attempted(reply)
      const to = after(job, attempt)
      // It is refused whenever it is tried.
      const isRefused = reply.kind === 'refused'
      await record(job, isRefused ? { ...to, parked_at_ms: clock.now() } : to, attempt, startedAtMs)
      return attempt.error === null ? 'called' : `failed: ${attempt.error}`
    },
  }
}

/** Where the status is read: of a checkout that has expired, which can no longer be, at what was made of it. */
function resourceOf({ row, registers }: StoredCheckout, atMs: number): string {
  const what = registers ? 'registration' : 'payment'
  return atMs < row.expires_at_ms ? `/v1/checkouts/${row.id}/${what}` : `/v1/${what}s/${row.transaction_id ?? ''}`
}
