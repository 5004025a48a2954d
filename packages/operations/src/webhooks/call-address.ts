import type { JobRow } from '@tollgate/storage'
import type { DeliveryContext } from './delivery-context.ts'
import { attemptOutcome } from './attempt-outcome.ts'
import { type Attempts, INTERRUPTED } from './attempts.ts'

/**
 * Calls an address that a merchant sent, for a job, and stores the attempt unless the process stops before the
 * response. A failed call is retried like a delivery. A refused address would be refused at every retry, so its job is
 * dead-lettered at once.
 *
 * @param call the URL, the signal that ends the call, and the outcome of a successful call
 * @returns the outcome of the call
 */
export async function callAddress(
  { outgoing, clock }: DeliveryContext,
  { jobAfter, record }: Attempts,
  job: JobRow,
  {
    url,
    signal,
    successOutcome,
  }: { readonly url: string; readonly signal: AbortSignal; readonly successOutcome: string },
): Promise<string> {
  const startedAtMs = clock.now()
  const reply = await outgoing.send({ method: 'GET', url, signal })
  if (reply.kind !== 'answered' && signal.aborted) return INTERRUPTED
  const attempt = attemptOutcome(reply)
  const to = jobAfter(job, attempt)
  await record(job, reply.kind === 'refused' ? { ...to, parked_at_ms: clock.now() } : to, attempt, startedAtMs)
  return attempt.error === null ? successOutcome : `failed: ${attempt.error}`
}
