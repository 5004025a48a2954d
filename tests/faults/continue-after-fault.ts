import { writeFileSync } from 'node:fs'
import { openSqlite, type StorageErrorKind } from '@tollgate/storage'
import { paymentUnit } from './payments.ts'

// This program makes its own disk fail, continues, and writes the results of its commits as JSON.
// Arguments: the database file, the control file of the disk.

const [file = '', control = ''] = process.argv.slice(2)
const fatal: StorageErrorKind[] = []
const storage = await openSqlite({ file, onFatal: ({ kind }) => fatal.push(kind) })
await storage.commit(paymentUnit(0))

writeFileSync(control, 'fsync')
const commits = Array.from({ length: 600 }, (_, index) => commitPayment(index + 1))
// More than one batch: the first unit is in progress when the disk fails, and the last is still in the queue.
const results = await Promise.all(commits)
const later = await commitPayment(601)
const read = (await storage.treeOf('p0'))?.id
const depth = storage.depth()
await storage.close()
process.stdout.write(JSON.stringify({ fatal, first: results.at(0), last: results.at(-1), later, read, depth }))

/** Commits payment `number` and returns the result. */
async function commitPayment(number: number): Promise<string> {
  return storage.commit(paymentUnit(number)).then(
    ({ kind }) => kind,
    (error: { kind: string }) => error.kind,
  )
}
