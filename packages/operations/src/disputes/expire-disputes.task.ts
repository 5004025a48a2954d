import { addDays, dayAt, stageAfterStep } from '@tollgate/domain'
import type { DisputeRow } from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { movedDispute, stageIn } from '../records/dispute-record.ts'
import { daysUntil, lastEndedDay } from './due-days.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids' | 'log'>

/**
 * Closes the disputes whose last day of an answer has passed, and warns once before it. No money moves: the amount
 * stays with the shopper.
 */
export function expireDisputes(dependencies: Dependencies): BackgroundTask {
  const { storage, clock } = dependencies
  /** The position of the last dispute that was examined in this sweep. */
  let after = { dueOn: '', id: '' }
  return {
    name: 'disputes',
    everyMs: limits.disputesEveryMs,
    pauseMs: limits.retentionPauseMs,
    async step() {
      const toDay = addDays(dayAt(clock.now()), limits.disputeWarningDays)
      const rows = await storage.disputesDueAfter(toDay, after.dueOn, after.id, limits.disputesPerStep)
      for (const row of rows) await examine(dependencies, row)
      const last = rows.at(-1)
      after = { dueOn: last?.due_on ?? '', id: last?.id ?? '' }
      return last ? 'more' : 'done'
    },
  }
}

/** After a conflict nothing is written, and the next sweep examines the dispute again. */
async function examine(dependencies: Dependencies, from: DisputeRow): Promise<void> {
  const { clock, log } = dependencies
  const nowMs = clock.now()
  const dueOn = from.due_on ?? ''
  if (dueOn <= lastEndedDay(nowMs)) return expire(dependencies, from, nowMs)
  if (from.warned_at_ms !== null) return
  const to = { ...from, warned_at_ms: nowMs, version: from.version + 1 }
  if (!(await commitChange(dependencies, { compareAndSets: [{ table: 'dispute', from, to }] }))) return
  log.warn({ worker: 'disputes', dispute: from.id, stage: from.stage, dueOn, dueInDays: daysUntil(dueOn, nowMs) })
}

async function expire(dependencies: Dependencies, from: DisputeRow, nowMs: number): Promise<void> {
  const { storage, log } = dependencies
  const [disputed] = await storage.transactions([from.id])
  const stage = stageAfterStep(stageIn(from), 'expire', 'collaboration')
  if (!disputed || !stage) return
  const to = movedDispute(from, disputed, { event: 'expire', stage, by: 'deadline', atMs: nowMs })
  if (!(await commitChange(dependencies, { compareAndSets: [{ table: 'dispute', from, to }] }))) return
  log.warn({ worker: 'disputes', dispute: from.id, stage: to.stage, dueOn: from.due_on ?? '' })
}
