import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { newDatabase, removeDatabase, runSql } from '@tollgate/storage/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'

const program = join(import.meta.dirname, '../../../dist/tollgate.js')
const killCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 50 : 1

let url = ''
beforeEach(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})
afterEach(async () => {
  await cleanUp()
  await removeDatabase(url)
})

function tollgate(command: string, data: string) {
  const env = { PATH: process.env['PATH'], TOLLGATE_DATA: data, TOLLGATE_DATABASE_URL: url }
  return spawn(process.execPath, [program, command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function exitOf(child: ReturnType<typeof tollgate>) {
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { code: child.exitCode, stdout, stderr }
}

/** The rows that the move has copied; undefined before it begins and after its end. */
async function progress(): Promise<string | undefined> {
  const [isMoving] = await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'unfinished_move'`)
  if (!isMoving) return undefined
  const [row] = await runSql<{ count: string }>(url, 'SELECT sum(rows) AS count FROM unfinished_move').catch(() => [])
  return row?.count
}

test(`a gateway continues on data moved to PostgreSQL, despite ${killCount} kills of the move`, async () => {
  const data = temporaryFolder()
  const before = await startGateway({ data })
  const paid = await Promise.all(Array.from({ length: 50 }, () => before.pay(cardPayment())))
  expect(await before.stop()).toEqual({ code: 0, signal: null })

  for (let kill = 0; kill < killCount; kill += 1) {
    const moving = tollgate('migrate', data)
    const copied = await progress()
    while (moving.exitCode === null && (await progress()) === copied) await setTimeout(5)
    moving.kill('SIGKILL')
    await exitOf(moving)
  }
  const isOpen = await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'payment_transaction'`)
  const isUnfinished = await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'unfinished_move'`)
  // A fast run may have completed before the kill.
  if (isOpen.length === 0 || isUnfinished.length > 0) {
    const { code, stdout, stderr } = await exitOf(tollgate('migrate', data))
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^compared /)])
    expect(stdout).toMatch(/\npayment_transaction 50 rows sha256 [0-9a-f]{64}\n {2}EUR DB ACK 460000 minor units\n/)
  }
  const again = await exitOf(tollgate('migrate', data))
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^tollgate: .* the database is not empty \(.*\n$/),
  ])
  const doctor = await exitOf(tollgate('doctor', data))
  expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/^\d+ rows, 0 findings\n$/)])

  const after = await startGateway({ data, env: { TOLLGATE_DATABASE_URL: url } })
  const read = await Promise.all(paid.map((answer) => after.get(bodyOf(answer).id)))
  expect(read.map((answer) => [answer.status, bodyOf(answer).id])).toEqual(
    paid.map((answer) => [200, bodyOf(answer).id]),
  )
  expect(await after.stop()).toEqual({ code: 0, signal: null })
})
