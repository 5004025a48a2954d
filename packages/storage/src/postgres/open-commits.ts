import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Reader } from '../port.ts'
import type { Prepare } from '../statement.ts'

/**
 * The statements that write transactions, of all processes: each locks the table before it takes its snapshot, so a
 * statement that is not listed will see all changes that are committed now.
 */
const writersSql = `SELECT DISTINCT virtualtransaction AS id FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'payment_transaction'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND mode = 'RowExclusiveLock'`

export function openCommitsOn(prepare: Prepare): NonNullable<Reader['openCommits']> {
  const writers = prepare<{ readonly id: string }>('openCommits', writersSql)

  return async () => {
    let open = new Set((await writers.all()).map(({ id }) => id))
    for (let waitedMs = 0; open.size > 0 && waitedMs < limits.openCommitsMs; waitedMs += limits.openCommitsPauseMs) {
      await wait(limits.openCommitsPauseMs)
      const current = await writers.all()
      open = new Set(current.flatMap(({ id }) => (open.has(id) ? [id] : [])))
    }
    return open.size === 0
  }
}
