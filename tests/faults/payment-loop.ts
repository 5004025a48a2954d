import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openSqlite, StorageError, type Unit } from '@tollgate/storage'
import { captureUnit, paymentUnit } from './payments.ts'

// A program that commits payments and captures, 64 at a time, until it is killed. It writes a line for each unit: its
// id after the commit, or `refused <kind>` and the id of the row that a read then returns. Its output should be a file,
// which remains after the process and, unlike a pipe, does not fill up.
// Arguments: the database file, the number of the first payment.

const [file = '', first = '0'] = process.argv.slice(2)
const concurrent = 64
let number = Number(first)

const writeLine = (line: string) => writeSync(1, `${line}\n`)

const storage = await openSqlite({ file })
writeLine('open')
await Promise.all(Array.from({ length: concurrent }, payRepeatedly))

async function payRepeatedly(): Promise<never> {
  for (;;) {
    const current = number
    number += 1
    await commit(paymentUnit(current))
    await commit(captureUnit(current))
  }
}

/** Commits the unit, and repeats that after each refusal. */
async function commit(unit: Unit): Promise<void> {
  for (;;) {
    try {
      const { kind } = await storage.commit(unit)
      if (kind !== 'committed') throw new Error(`${unit.id} is ${kind}`)
      writeLine(unit.id)
      return
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      const stored = await storage.treeOf(`p${first}`)
      writeLine(`refused ${error.kind} ${stored?.id ?? 'none'}`)
      await setTimeout(10)
    }
  }
}
