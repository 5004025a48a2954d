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

/** Starts `tollgate` with a command. */
function startCommand(command: string, data: string) {
  const env = { PATH: process.env['PATH'], TOLLGATE_DATA: data, TOLLGATE_DATABASE_URL: url }
  return spawn(process.execPath, [program, command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function exitOf(child: ReturnType<typeof startCommand>) {
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { code: child.exitCode, stdout, stderr }
}

/** The number of rows that the move has copied; undefined before the move begins and after it ends. */
async function copiedRows(): Promise<string | undefined> {
  const [moveTable] = await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'unfinished_move'`)
  if (!moveTable) return undefined
  const [row] = await runSql<{ count: string }>(url, 'SELECT sum(rows) AS count FROM unfinished_move').catch(() => [])
  return row?.count
}

test(`a gateway continues on data moved to PostgreSQL, despite ${killCount} kills of the move`, async () => {
  const data = temporaryFolder()
  const gatewayOnFile = await startGateway({ data })
  const payments = await Promise.all(Array.from({ length: 50 }, () => gatewayOnFile.pay(cardPayment())))
  expect(await gatewayOnFile.stop()).toEqual({ code: 0, signal: null })

  for (let kill = 0; kill < killCount; kill += 1) {
    const command = startCommand('migrate', data)
    const countAtStart = await copiedRows()
    while (command.exitCode === null && (await copiedRows()) === countAtStart) await setTimeout(5)
    command.kill('SIGKILL')
    await exitOf(command)
  }
  const paymentTables = await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'payment_transaction'`)
  const moveTables = await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'unfinished_move'`)
  // A fast move may have completed before the kill.
  if (paymentTables.length === 0 || moveTables.length > 0) {
    const { code, stdout, stderr } = await exitOf(startCommand('migrate', data))
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^compared /)])
    expect(stdout).toMatch(/\npayment_transaction 50 rows sha256 [0-9a-f]{64}\n {2}EUR DB ACK 460000 minor units\n/)
  }
  const repeated = await exitOf(startCommand('migrate', data))
  expect([repeated.code, repeated.stderr]).toEqual([
    1,
    expect.stringMatching(/^tollgate: .* the database is not empty \(.*\n$/),
  ])
  const doctor = await exitOf(startCommand('doctor', data))
  expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/^\d+ rows, 0 findings\n$/)])

  const gatewayOnPostgres = await startGateway({ data, env: { TOLLGATE_DATABASE_URL: url } })
  const reads = await Promise.all(payments.map((answer) => gatewayOnPostgres.get(bodyOf(answer).id)))
  expect(reads.map((answer) => [answer.status, bodyOf(answer).id])).toEqual(
    payments.map((answer) => [200, bodyOf(answer).id]),
  )
  expect(await gatewayOnPostgres.stop()).toEqual({ code: 0, signal: null })
})
