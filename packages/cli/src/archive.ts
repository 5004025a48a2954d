import { archiveData, readConfig } from '@tollgate/gateway'

/** `tollgate archive`: writes a line for each archived partition to standard output. */
export async function archive(beforeMs = Number.POSITIVE_INFINITY): Promise<void> {
  let partitions = 0
  await archiveData(readConfig(process.env), beforeMs, Date.now(), ({ name, transactions, staying }) => {
    partitions += 1
    const counts = Object.entries(staying).map(([reason, trees]) => `${trees} ${reason}`)
    const kept = counts.length === 0 ? 'none stays' : `of these stay: ${counts.join(', ')}`
    process.stdout.write(`${name}: ${transactions} transactions; ${kept}\n`)
  })
  process.stdout.write(partitions === 0 ? 'No partition is old enough.\n' : `Archived partitions: ${partitions}.\n`)
}
