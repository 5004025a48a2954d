import { openMemory, type Storage } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { createIds } from '../ids.ts'
import { newJob } from '../records/new-job.ts'
import { createCounts, limits, nodeEventLoop } from '@tollgate/gateway/testing'
import { attemptOutcome } from './attempt-outcome.ts'
import { createAttempts } from './attempts.ts'

function dependenciesWith(storage: Storage) {
  const clock = { nowMs: 1_000, now: () => clock.nowMs, ahead: () => 0, moveTo: () => undefined, machineNow: () => 0 }
  return { storage, clock, ids: createIds(clock, 'seed'), counts: createCounts(), wait: nodeEventLoop.wait }
}

test('concurrent first attempts of two processes are both stored, and a success completes the delivery', async () => {
  const storage = openMemory()
  const dependencies = dependenciesWith(storage)
  const times = { due_at_ms: 1_000, created_at_ms: 1_000 }
  const job = newJob({ id: 'j', merchant: 'm', kind: 'delivery', subject_id: 'e', ...times }, 'w')
  await storage.commit({ id: 'u', expectedVersions: [], rows: { job: [job] } })

  const failed = attemptOutcome({ kind: 'failed', reason: 'no answer', sent: true, durationMs: 30_000 })
  const delivered = attemptOutcome({ kind: 'answered', status: 200, body: '', retryAfterMs: undefined, durationMs: 5 })
  for (const attempt of [failed, delivered]) {
    const { jobAfter, record } = createAttempts(dependencies)
    await record(job, jobAfter(job, attempt), attempt, 1_000)
  }

  expect(await storage.attemptsOf('j')).toMatchObject([
    { number: 1, http_status: null },
    { number: 2, http_status: 200 },
  ])
  expect(await storage.job('j')).toMatchObject({ attempts: 1, done_at_ms: 1_000, parked_at_ms: null })
})

test('an attempt that conflicts with a concurrent change at every try is reported as an error', async () => {
  const memory = openMemory()
  const stale: Storage = { ...memory, commit: () => Promise.resolve({ kind: 'stale' }) }
  const { jobAfter, record } = createAttempts(dependenciesWith(stale))
  const times = { due_at_ms: 1_000, created_at_ms: 1_000 }
  const job = newJob({ id: 'j', merchant: 'm', kind: 'delivery', subject_id: 'e', ...times }, 'w')
  const delivered = attemptOutcome({ kind: 'answered', status: 200, body: '', retryAfterMs: undefined, durationMs: 5 })
  await expect(record(job, jobAfter(job, delivered), delivered, 1_000)).rejects.toThrow('concurrent change')
})

test('an attempt under a later lease of a job is numbered after the attempt under the earlier lease', async () => {
  const storage = openMemory()
  const dependencies = dependenciesWith(storage)
  const times = { due_at_ms: 1_000, created_at_ms: 1_000 }
  const added = newJob({ id: 'j', merchant: 'm', kind: 'delivery', subject_id: 'e', ...times }, 'w')
  const leased = { ...added, held_until_ms: 1_000 + limits.jobLeaseMs }
  const leasedAgain = { ...added, held_until_ms: 1_000 + 2 * limits.jobLeaseMs }
  await storage.commit({ id: 'u', expectedVersions: [], rows: { job: [leasedAgain] } })

  const failed = attemptOutcome({ kind: 'failed', reason: 'no answer', sent: true, durationMs: 30_000 })
  const delivered = attemptOutcome({ kind: 'answered', status: 200, body: '', retryAfterMs: undefined, durationMs: 5 })
  const { jobAfter, record } = createAttempts(dependencies)
  await record(leased, jobAfter(leased, failed), failed, 1_000)
  await record(leasedAgain, jobAfter(leasedAgain, delivered), delivered, 92_000)

  expect(await storage.attemptsOf('j')).toMatchObject([{ number: 1 }, { number: 2 }])
  expect(await storage.job('j')).toMatchObject({ done_at_ms: 1_000 })
})
