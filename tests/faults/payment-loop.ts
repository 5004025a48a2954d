import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openSqlite, StorageError, type Unit } from '@tollgate/storage'
import { captureUnit, paymentUnit } from './payments.ts'

// This program commits payments and captures, 64 at a time, until it is killed. It writes lines: `open` when the
// database is open; the id of each committed unit; `refused <kind> <id>` after each refusal of a commit, with the kind
// of the StorageError and the id of the first payment as read after the refusal, or `none`. The output should be a
// file, which remains after the process has ended and, unlike a pipe, does not fill up.
// Arguments: the database file, the number of the first payment.

const [file = '', firstNumber = '0'] = process.argv.slice(2)
const concurrency = 64
let number = Number(firstNumber)

const writeLine = (line: string) => writeSync(1, `${line}\n`)

const storage = await openSqlite({ file })
writeLine('open')
await Promise.all(Array.from({ length: concurrency }, payRepeatedly))

async function payRepeatedly(): Promise<never> {
  for (;;) {
    const current = number
    number += 1
    await commit(paymentUnit(current))
    await commit(captureUnit(current))
  }
}

/** Commits the unit, and retries after each refusal until the storage accepts it. */
async function commit(unit: Unit): Promise<void> {
  for (;;) {
    try {
      const { kind } = await storage.commit(unit)
      if (kind !== 'committed') throw new Error(`${unit.id} is ${kind}`)
      writeLine(unit.id)
      return
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      const stored = await storage.treeOf(`p${firstNumber}`)
      writeLine(`refused ${error.kind} ${stored?.id ?? 'none'}`)
      await setTimeout(10)
    }
  }
}
