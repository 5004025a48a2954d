import { limits } from '../limits.ts'
import { columnList } from '../columns.ts'

/** The clock of the server, which all processes share; epoch milliseconds. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * Leases the due jobs of a queue that have no valid lease. Jobs that another process is leasing are skipped, so that no
 * process waits. A lease is invalid if it ends more than `limits.leaseExcessMsMax` after the end of a new lease: it was
 * made before the server's clock was set back.
 * Values: kind, queue, latest due time, maximum number of jobs, duration of the lease in milliseconds.
 */
export const leaseJobs = `WITH due AS MATERIALIZED (
    SELECT id, merchant FROM job
    WHERE kind = $1 AND lane = $2 AND parked_at_ms IS NULL AND done_at_ms IS NULL AND due_at_ms <= $3
      AND (held_until_ms IS NULL OR held_until_ms <= ${now}
        OR held_until_ms > ${now} + $5 + ${limits.leaseExcessMsMax})
    ORDER BY due_at_ms, id LIMIT $4 FOR UPDATE SKIP LOCKED),
  leased AS (
    UPDATE job SET held_until_ms = ${now} + $5 FROM due
    WHERE job.id = due.id AND job.merchant = due.merchant RETURNING ${columnList('job', 'job.')})
  SELECT ${columnList('job')} FROM leased ORDER BY due_at_ms, id`
