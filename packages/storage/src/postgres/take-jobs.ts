import { limits } from '../limits.ts'
import { columnNames } from '../tables.ts'

const columns = columnNames('job')

/** The clock of the server, epoch milliseconds: the one that all processes have in common. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * Takes jobs of a lane that are due and that nobody holds, or not any more. What another process is just taking is
 * passed over, so that nobody waits. A lease that ends much later than a new one would was taken before the server's
 * clock was put back, and counts for nothing. Values: kind, lane, due at, at most, held for.
 */
export const takeJobs = `WITH due AS MATERIALIZED (
    SELECT id, merchant FROM job
    WHERE kind = $1 AND lane = $2 AND parked_at_ms IS NULL AND done_at_ms IS NULL AND due_at_ms <= $3
      AND (held_until_ms IS NULL OR held_until_ms <= ${now}
        OR held_until_ms > ${now} + $5 + ${limits.leaseExcessMsMax})
    ORDER BY due_at_ms, id LIMIT $4 FOR UPDATE SKIP LOCKED),
  taken AS (
    UPDATE job SET held_until_ms = ${now} + $5 FROM due
    WHERE job.id = due.id AND job.merchant = due.merchant RETURNING ${columns.map((name) => `job.${name}`).join()})
  SELECT ${columns.join()} FROM taken ORDER BY due_at_ms, id`
