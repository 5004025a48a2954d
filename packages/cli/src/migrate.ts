import { moveData, readConfig } from '@tollgate/gateway'
import { limits } from './limits.ts'
import { CommandError } from './manage-client.ts'

/** `tollgate migrate`: writes progress to standard error, and rows, sums and digests by table to standard output. */
export async function migrate(): Promise<void> {
  let reportedAt = 0
  const result = await moveData(readConfig(process.env), (step, table, rows, total) => {
    if (rows < total && performance.now() - reportedAt < limits.progressIntervalMs) return
    reportedAt = performance.now()
    if (total > 0) process.stderr.write(`${step} ${table}: ${rows} of ${total} rows\n`)
  })
  if (result.kind === 'different') {
    const tables = Object.entries(result.tables).map(([table, differences]) => `${table} (${differences.join('; ')})`)
    throw new CommandError(
      `the database differs from the file: ${tables.join(', ')}. Empty the database and migrate again`,
    )
  }
  for (const [table, { rows, amounts, sha256 }] of Object.entries(result.tables)) {
    process.stdout.write(`${table} ${rows} rows sha256 ${sha256}\n`)
    for (const [kind, sum] of Object.entries(amounts)) process.stdout.write(`  ${kind} ${sum} minor units\n`)
  }
  process.stdout.write('The database holds all data of the file. The file was not changed: start no gateway on it.\n')
}
