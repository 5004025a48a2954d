import { examineData, readConfig } from '@tollgate/gateway'
import { limits } from './limits.ts'
import { CommandError } from './manage-client.ts'

/** `tollgate doctor`: what is wrong on standard output, a line each; progress on standard error. */
export async function doctor(): Promise<void> {
  let toldAt = performance.now()
  const { rows, findings } = await examineData(
    readConfig(process.env),
    (finding) => process.stdout.write(`${finding}\n`),
    (table, walked) => {
      if (performance.now() - toldAt < limits.progressMs) return
      toldAt = performance.now()
      process.stderr.write(`${table}: ${walked} rows\n`)
    },
  )
  process.stdout.write(`${rows} rows, ${findings} ${findings === 1 ? 'finding' : 'findings'}\n`)
  if (findings > 0) throw new CommandError('the data are not sound: see the findings')
}
