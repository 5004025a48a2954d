import type { JobRow, SessionRow } from '@tollgate/storage'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { Answer } from '../answer.ts'
import { finishStandalone } from '../three-d-secure/finish-standalone.ts'
import { mayResultChange, pollSession } from './poll-session.ts'
import { type SessionResult, finishPayment } from './finish-payment.ts'
import { isAuthentication, type SessionKind } from '../records/session-record.ts'
import type { JobKind } from '../job.ts'
import { jobDone, jobDue } from '../job-transitions.ts'
import { POLL_SESSION } from '../records/timers.ts'

/**
 * Polls the sessions of redirected shoppers, so that their payments complete without a return or a notification. At the
 * end of the session, an authentication is declined and a redirect payment expires. An expired payment is still polled,
 * to find a late approval.
 */
export const pollSessions = (context: Context): JobKind => ({
  name: POLL_SESSION,
  queues: () => [''],
  concurrency: () => limits.sessionPollsConcurrent,
  async run(job) {
    const { storage, clock } = context
    const session = await storage.session(job.subject_id)
    const [row] = session ? await storage.transactions([session.transaction_id]) : []
    if (!session || !row || !mayResultChange(row)) return completeJob(context, job)
    await pollSession(context, session)
    const nowMs = clock.now()
    const current = await storage.session(session.id)
    if (current && nowMs >= current.expires_at_ms) await endSession(context, current)
    const dueAtMs = nextPollAtMs(current ?? session, nowMs)
    return nowMs >= session.forgotten_at_ms ? completeJob(context, job) : rescheduleJob(context, job, dueAtMs)
  },
})

const endSession = (context: Context, session: SessionRow): Promise<Answer> =>
  session.kind === ('standalone' satisfies SessionKind)
    ? finishStandalone(context, session)
    : finishPayment(context, session, resultOfEnd(session))

/** An authentication that was not completed in time is declined, because no later result can follow. */
const resultOfEnd = (session: SessionRow): SessionResult => (isAuthentication(session) ? notAuthenticated : 'expired')

const notAuthenticated: AcquirerResponse = {
  status: 'declined',
  code: '100.380.501',
  amountMinor: 0,
  details: { ExtendedDescription: 'The shopper did not finish the authentication in time.' },
}

/** The time of the next poll: polls are more frequent at first, and one is due at the end of the session. */
function nextPollAtMs({ created_at_ms: createdAtMs, expires_at_ms: expiresAtMs }: SessionRow, nowMs: number): number {
  const delayMs = limits.sessionPollDelaysMs.find((ms) => createdAtMs + ms > nowMs)
  const nextAtMs = delayMs === undefined ? nowMs + limits.sessionPollIntervalMs : createdAtMs + delayMs
  return nowMs < expiresAtMs ? Math.min(nextAtMs, expiresAtMs) : nextAtMs
}

async function completeJob(context: Context, job: JobRow): Promise<string> {
  await commitChange(context, { compareAndSets: [jobDone(job)] })
  return 'completed'
}

async function rescheduleJob(context: Context, job: JobRow, dueAtMs: number): Promise<string> {
  const due = jobDue(job, dueAtMs, { attempts: job.attempts + 1, lastError: null })
  await commitChange(context, { compareAndSets: [due] })
  return 'polled: the next poll is scheduled'
}
