import type { CheckoutRow, JobRow, RegistrationRow, ScheduleRow, TransactionRow, SessionRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import { newJob } from './new-job.ts'
import { factsOf } from './payment-record.ts'
import type { Context } from '../context.ts'

/** Polls a redirect or 3-D Secure session, which is the job's subject. */
export const POLL_SESSION = 'follow-visit'

/** The timer of a redirect or 3-D Secure session. It ends when the result is final, or with the session's retention. */
export const sessionTimer = ({ id, merchant, created_at_ms: createdAtMs }: SessionRow): JobRow =>
  newJob({
    id,
    merchant,
    kind: POLL_SESSION,
    subject_id: id,
    due_at_ms: createdAtMs + limits.sessionPollDelaysMs[0],
    created_at_ms: createdAtMs,
  })

/** Warns of the end of an authorisation, then reverses the remaining hold. Its subject is the root of the tree. */
export const END_AUTHORISATION = 'end-authorisation'

/**
 * The timer of an authorisation, due first for the warning; undefined for any other transaction. An increment that
 * extends the authorisation resets the timer.
 */
export function authorisationTimer(row: TransactionRow): JobRow | undefined {
  const endsAtMs = row.type === 'PA' && row.status === 'ACK' ? factsOf(row).expiresAtMs : undefined
  if (endsAtMs === undefined) return undefined
  return newJob({
    id: row.root_id,
    merchant: row.merchant,
    kind: END_AUTHORISATION,
    subject_id: row.root_id,
    due_at_ms: endsAtMs - limits.authorisationWarningMs,
    created_at_ms: row.created_at_ms,
  })
}

/** Ends a registration that has expired. */
export const END_REGISTRATION = 'end-registration'

/** The timer of a registration. It is reset to the expiry each time that the registration is written. */
export const registrationTimer = ({ id, merchant, expires_at_ms, created_at_ms }: RegistrationRow): JobRow =>
  newJob({ id, merchant, kind: END_REGISTRATION, subject_id: id, due_at_ms: expires_at_ms, created_at_ms })

/** Makes the charges of a plan. */
export const RUN_SCHEDULE = 'run-schedule'

/** The timer of a plan: due at the next run, at the retry of a run, or at the end. */
export const scheduleTimer = ({ id, merchant, created_at_ms }: ScheduleRow, dueAtMs: number): JobRow =>
  newJob({ id, merchant, kind: RUN_SCHEDULE, subject_id: id, due_at_ms: dueAtMs, created_at_ms })

/** A text above all ids, which are hexadecimal digits: the position from which the newest jobs are read. */
export const AFTER_ALL_IDS = 'g'

/** Reverses an authorisation request that timed out. Its subject is the transaction. */
export const REVERSAL_JOB = 'end-attempt'

/**
 * The timer of an authorisation request. Until it is due, the process that sent the request stores the outcome. For a
 * late approval that is reversed, the timer is due at once.
 */
export const timeoutReversalTimer = ({ ids }: Pick<Context, 'ids'>, row: TransactionRow, atMs: number): JobRow =>
  newJob({
    id: ids.sequenced(),
    merchant: row.merchant,
    kind: REVERSAL_JOB,
    subject_id: row.id,
    due_at_ms: row.created_at_ms + limits.timeoutReversalAfterMs,
    created_at_ms: atMs,
  })

/** Calls the shopperResultUrl of a checkout whose status was never fetched. */
export const SAFETY_CALL = 'safety-call'

/** The timer of a submitted checkout. It is due at once if the payment ended after the checkout had expired. */
export const safetyTimer = (
  { ids }: Pick<Context, 'ids'>,
  { id, merchant, created_at_ms: createdAtMs }: CheckoutRow,
  dueAtMs = createdAtMs + limits.safetyCallMs,
): JobRow =>
  newJob({
    id: ids.sequenced(),
    merchant,
    kind: SAFETY_CALL,
    subject_id: id,
    due_at_ms: dueAtMs,
    created_at_ms: dueAtMs,
  })
