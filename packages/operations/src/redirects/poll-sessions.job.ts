import type { JobRow, VisitRow } from '@tollgate/storage'
import type { Said } from '../acquirer/acquirer-response.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { Answer } from '../answer.ts'
import { finishAlone } from '../three-d-secure/finish-standalone.ts'
import { isOpen, lookAfter } from './poll-session.ts'
import { type Finding, finishPayment } from './finish-payment.ts'
import { isAuthentication, type VisitKind } from '../records/session-record.ts'
import type { JobKind } from '../job.ts'
import { FOLLOW_VISIT } from '../records/timers.ts'

/**
 * Follows shoppers who were sent elsewhere: asks what became of the payment, so that it comes to its end though nobody
 * returns and nobody tells; when its time is over it expires; and an approval is still asked for for a while after.
 */
export const followVisits = (gateway: Context): JobKind => ({
  name: FOLLOW_VISIT,
  queues: () => [''],
  together: () => limits.visitsTogether,
  async run(job) {
    const { storage, clock } = gateway
    const visit = await storage.visit(job.subject_id)
    const [row] = visit ? await storage.transactions([visit.transaction_id]) : []
    if (!visit || !row || !isOpen(row)) return over(gateway, job)
    await lookAfter(gateway, visit)
    const nowMs = clock.now()
    const after = await storage.visit(visit.id)
    if (after && nowMs >= after.expires_at_ms) await end(gateway, after)
    const dueAtMs = nextOf(after ?? visit, nowMs)
    return nowMs >= visit.forgotten_at_ms ? over(gateway, job) : later(gateway, job, dueAtMs)
  },
})

const end = (gateway: Context, visit: VisitRow): Promise<Answer> =>
  visit.kind === ('standalone' satisfies VisitKind)
    ? finishAlone(gateway, visit)
    : finishPayment(gateway, visit, endOf(visit))

/** Of an authentication that nobody finished it is known that nothing comes of it later. */
const endOf = (visit: VisitRow): Finding => (isAuthentication(visit) ? unfinished : 'expired')

const unfinished: Said = {
  status: 'declined',
  code: '100.380.501',
  amountMinor: 0,
  details: { ExtendedDescription: 'The shopper did not finish the authentication in time.' },
}

/** When to ask next: sooner at first, and never later than when its time is over. */
function nextOf({ created_at_ms: createdAtMs, expires_at_ms: expiresAtMs }: VisitRow, nowMs: number): number {
  const after = limits.visitAskedAfterMs.find((ms) => createdAtMs + ms > nowMs)
  const next = after === undefined ? nowMs + limits.visitAskedEveryMs : createdAtMs + after
  return nowMs < expiresAtMs ? Math.min(next, expiresAtMs) : next
}

async function over({ storage, ids }: Context, from: JobRow): Promise<string> {
  await storage.commit({ id: ids.ordered(), guards: [], swaps: [{ table: 'job', from, to: null }], rows: {} })
  return 'has come to its end'
}

async function later({ storage, ids }: Context, from: JobRow, dueAtMs: number): Promise<string> {
  const to = { ...from, due_at_ms: dueAtMs, attempts: from.attempts + 1, held_until_ms: null }
  await storage.commit({ id: ids.ordered(), guards: [], swaps: [{ table: 'job', from, to }], rows: {} })
  return 'is asked for again'
}
