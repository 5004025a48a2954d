import { examineData, readConfig } from '@tollgate/gateway'
import { limits } from './limits.ts'
import { CommandError } from './manage-client.ts'

/** `tollgate doctor`: writes findings to standard output, one per line, and progress to standard error. */
export async function doctor(): Promise<void> {
  let reportedAt = performance.now()
  const { rows, findings } = await examineData(
    readConfig(process.env),
    (finding) => process.stdout.write(`${finding}\n`),
    (table, scanned) => {
      if (performance.now() - reportedAt < limits.progressIntervalMs) return
      reportedAt = performance.now()
      process.stderr.write(`${table}: ${scanned} rows\n`)
    },
  )
  process.stdout.write(`${rows} rows, ${findings} ${findings === 1 ? 'finding' : 'findings'}\n`)
  if (findings > 0) throw new CommandError('the data are inconsistent: see the findings')
}
