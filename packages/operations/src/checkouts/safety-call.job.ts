import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { DeliveryContext } from '../webhooks/delivery-context.ts'
import { limits } from '../limits.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'
import { type Resource, resourceOf } from '../records/resource.ts'
import { resultAddress } from '../records/result-address.ts'
import { createAttempts } from '../webhooks/attempts.ts'
import { callAddress } from '../webhooks/call-address.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDone } from '../job-transitions.ts'
import { SAFETY_CALL } from '../records/timers.ts'

/**
 * "If a checkout payment was posted but its status was never fetched, the service sends an HTTP GET to shopperResultUrl
 * with a resourcePath parameter after 29 minutes." A failed call is retried like a delivery, then dead-lettered.
 */
export function safetyCalls(context: DeliveryContext): JobKind {
  const { storage, clock } = context
  const attempts = createAttempts(context)

  async function complete(job: JobRow, outcome: string): Promise<string> {
    await commitChange(context, { compareAndSets: [jobDone(job)] })
    return outcome
  }

  return {
    name: SAFETY_CALL,
    queues: () => [''],
    concurrency: () => limits.notificationsConcurrent,
    async run({ id }, signal) {
      const job = await storage.job(id)
      if (!job || !attempts.isDue(job)) return CHANGED
      const checkout = await readCheckout(context, job.subject_id)
      if (!checkout) return attempts.deadLetter(job, 'the checkout does not exist, or the sandbox is off')
      if (checkout.row.read_at_ms !== null) return complete(job, 'its status was read')
      const address = checkout.prepared.shopperResultUrl
      if (address === undefined) return complete(job, 'there is no shopperResultUrl')
      const { resourcePath } = resourceOfCheckout(checkout, clock.now())
      const url = resultAddress(address, checkout.row.id, resourcePath)
      return callAddress(context, attempts, job, { url, signal, successOutcome: 'called' })
    },
  }
}

/** The path of the status; for an expired checkout, the path of its payment or registration. */
function resourceOfCheckout({ row, isRegistration }: StoredCheckout, atMs: number): Resource {
  const id = row.transaction_id ?? ''
  return resourceOf(isRegistration ? 'registration' : 'payment', id, atMs < row.expires_at_ms ? row.id : undefined)
}
