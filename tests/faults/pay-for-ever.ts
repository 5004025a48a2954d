import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openSqlite, StorageError, type Unit } from '@tollgate/storage'
import { captureUnit, paymentUnit } from './payments.ts'

// A program that commits payments and captures until it is killed, 64 at a time, and writes a line for each unit: its
// id once it is committed, or `refused <kind>` followed by the row that a read then returns. Its output should be a
// file, which outlives the process and, unlike a pipe, is never full.
// Arguments: the database file, the number of the first payment.

const [file = '', first = '0'] = process.argv.slice(2)
const concurrent = 64
let number = Number(first)

const say = (line: string) => writeSync(1, `${line}\n`)

const storage = await openSqlite({ file })
say('open')
await Promise.all(Array.from({ length: concurrent }, payForEver))

async function payForEver(): Promise<never> {
  for (;;) {
    const mine = number
    number += 1
    await commit(paymentUnit(mine))
    await commit(captureUnit(mine))
  }
}

/** Commits the unit, and again after each refusal. */
async function commit(unit: Unit): Promise<void> {
  for (;;) {
    try {
      const { kind } = await storage.commit(unit)
      if (kind !== 'committed') throw new Error(`${unit.id} is ${kind}`)
      say(unit.id)
      return
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      const stored = await storage.treeOf(`p${first}`)
      say(`refused ${error.kind} ${stored?.id ?? 'nothing'}`)
      await setTimeout(10)
    }
  }
}
