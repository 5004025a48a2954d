import { expect, test } from 'vitest'
import { jobDeadLettered, jobDone, jobDue, jobPostponed, jobReleased } from './job-transitions.ts'
import { newJob } from './records/new-job.ts'

const job = {
  ...newJob({ id: 'j', merchant: 'm', kind: 'k', subject_id: 's', due_at_ms: 1, created_at_ms: 0 }),
  attempts: 3,
  parked_at_ms: 2,
  last_error: 'HTTP 500',
  held_until_ms: 60,
}
const now = 9

test.each([
  ['released', jobReleased(job), { due: 1, attempts: 3, parked: 2, error: 'HTTP 500' }],
  ['due', jobDue(job, now), { due: now, attempts: 0, parked: null, error: null }],
  [
    'due for a retry',
    jobDue(job, now, { attempts: 4, lastError: 'HTTP 404' }),
    { due: now, attempts: 4, parked: null, error: 'HTTP 404' },
  ],
  ['postponed', jobPostponed(job, now), { due: now, attempts: 3, parked: null, error: 'HTTP 500' }],
  ['retried by an operator', jobPostponed(job, now, 0), { due: now, attempts: 0, parked: null, error: 'HTTP 500' }],
  ['dead-lettered', jobDeadLettered(job, now, 'gone'), { due: 1, attempts: 3, parked: now, error: 'gone' }],
  [
    'dead-lettered after a retry',
    jobDeadLettered(job, now, 'gone', 4),
    { due: 1, attempts: 4, parked: now, error: 'gone' },
  ],
])(
  'a job that is %s has the expected due time, attempts, dead-letter time and last error, and no lease',
  (_, { from, to }, { due, attempts, parked, error }) => {
    expect(from).toBe(job)
    expect(to).toEqual({
      ...job,
      due_at_ms: due,
      attempts,
      parked_at_ms: parked,
      last_error: error,
      held_until_ms: null,
    })
  },
)

test('a job that is done has no row', () => {
  expect(jobDone(job)).toEqual({ table: 'job', from: job, to: null })
})
