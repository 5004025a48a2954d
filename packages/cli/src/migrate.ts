import { moveData, readConfig } from '@tollgate/gateway'
import { limits } from './limits.ts'
import { CommandError } from './manage-client.ts'

/** `tollgate migrate`: progress on standard error, what there is now on standard output. */
export async function migrate(): Promise<void> {
  let toldAt = 0
  const result = await moveData(readConfig(process.env), (step, table, rows, total) => {
    if (rows < total && performance.now() - toldAt < limits.progressMs) return
    toldAt = performance.now()
    if (total > 0) process.stderr.write(`${step} ${table}: ${rows} of ${total} rows\n`)
  })
  if (result.kind === 'different') {
    const tables = Object.entries(result.tables).map(([table, found]) => `${table} (${found.join('; ')})`)
    throw new CommandError(
      `what was moved is not what is there: ${tables.join(', ')}. Empty the database and move again`,
    )
  }
  for (const [table, { rows, amounts, sha256 }] of Object.entries(result.tables)) {
    process.stdout.write(`${table} ${rows} rows sha256 ${sha256}\n`)
    for (const [kind, sum] of Object.entries(amounts)) process.stdout.write(`  ${kind} ${sum} minor units\n`)
  }
  process.stdout.write(
    'The database holds what the file holds. The file was not changed: keep it out of reach of a gateway.\n',
  )
}
