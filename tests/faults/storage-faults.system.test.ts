import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { openSqlite } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compileDiskShim, type FaultyDisk, faultyDisk, tear } from './disk-shim.ts'
import { paymentRows, paymentUnit } from './payments.ts'

const shim = compileDiskShim() ?? ''
const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 200 : 2
/**
 * The number of acknowledged units after which an fsync fails, and the upper bound of the random number after which the
 * program is killed. It is small because each check reads the units of all rounds on the database.
 */
const unitsMax = isLong ? 1000 : 200
/** The number of successive rounds on one database, after which a round begins with an empty database. */
const roundsPerDatabase = 5
const databaseName = 'test.db'

describe.skipIf(shim === '')('a storage on a faulty disk', () => {
  let home: string
  let running: Program | undefined

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tollgate-faults-'))
  })

  afterEach(async () => {
    await running?.kill()
    rmSync(home, { recursive: true })
  })

  const start = (disk: FaultyDisk, firstNumber: number) => (running = startPayments(disk, firstNumber))

  test(`keeps acknowledged units, each once, in ${roundCount} kills, power cuts and torn writes`, async () => {
    let image: string | undefined
    let acknowledged = new Set<string>()
    let nextNumber = 0
    for (let round = 0; round < roundCount; round += 1) {
      if (round % roundsPerDatabase === 0) [image, acknowledged, nextNumber] = [undefined, new Set(), 0]
      const roundFolder = join(home, `round-${round}`)
      mkdirSync(roundFolder)
      const disk = faultyDisk(shim, roundFolder, image)
      const program = start(disk, nextNumber)
      await program.untilAcknowledged(Math.floor(Math.random() * unitsMax))
      await setTimeout(Math.random() * 5)
      await program.kill()

      for (const id of program.ids()) acknowledged.add(id)
      nextNumber += program.attempted()
      const images = crashImages(disk, roundFolder)
      for (const folder of images) await expectIntact(folder, acknowledged, nextNumber)
      // The next round continues with the files after one of the crashes.
      image = images[round % images.length]
      nextNumber += 1
      if (image !== undefined && round % roundsPerDatabase !== 0)
        rmSync(join(home, `round-${round - 1}`), { recursive: true })
    }
  })

  test.each(isLong ? ['-wal', databaseName] : ['-wal'])(
    'ends its process after a failing fsync of %s, and keeps every acknowledged unit',
    async (suffix) => {
      const disk = faultyDisk(shim, home)
      const program = start(disk, 0)
      await program.untilAcknowledged(unitsMax)
      disk.fail('fsync', suffix)
      expect(await program.exitCode()).toBe(70)
      expect(program.errors()).toMatch(/^storage failed, the process exits: .*test\.db: disk I\/O error\n$/)
      for (const folder of crashImages(disk, home))
        await expectIntact(folder, new Set(program.ids()), program.attempted())
    },
  )

  test('rejects every unit but answers reads after a failing fsync, if the process continues', async () => {
    const disk = faultyDisk(shim, home)
    const path = fileURLToPath(new URL('continue-after-fault.js', import.meta.url))
    const program = spawn(process.execPath, [path, join(disk.folder, databaseName), join(home, 'control')], {
      env: { ...process.env, ...disk.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    program.stdout.on('data', (text) => (output += String(text)))
    expect(await once(program, 'close')).toEqual([0, null])
    expect(JSON.parse(output)).toEqual({
      fatal: ['unknown'],
      first: 'unknown',
      last: 'unavailable',
      later: 'unavailable',
      read: 'p0',
      depth: 0,
    })
  })

  // The short run tests a full disk only with the whole gateway (tests/e2e/disk-faults.system.test.ts).
  test.runIf(isLong)('refuses units while the disk is full, answers reads, and recovers', async () => {
    const disk = faultyDisk(shim, home)
    const program = start(disk, 0)
    for (const suffix of ['', databaseName, '-wal']) {
      await program.untilAcknowledged(program.ids().length + 500)
      disk.fail('full', suffix)
      // While only the database file cannot be written, units are still committed: the write-ahead log grows.
      if (suffix === databaseName) await program.untilAcknowledged(program.ids().length + 1500)
      else await program.untilRefused(program.refusals().length + 200)
      disk.fail('none')
    }
    await program.untilAcknowledged(program.ids().length + 500)
    await program.kill()
    expect(new Set(program.refusals())).toEqual(new Set(['refused full p0']))
    for (const folder of crashImages(disk, home))
      await expectIntact(folder, new Set(program.ids()), program.attempted())
  })
})

interface Program {
  /** The ids of the units acknowledged so far. */
  readonly ids: () => string[]
  readonly refusals: () => string[]
  readonly errors: () => string
  /** An upper bound of the number of payments that were begun. */
  readonly attempted: () => number
  readonly untilAcknowledged: (count: number) => Promise<void>
  readonly untilRefused: (count: number) => Promise<void>
  /** Waits for the end of the program. */
  readonly exitCode: () => Promise<number | null>
  readonly kill: () => Promise<void>
}

/** Starts payment-loop.ts on the disk. @param firstNumber the number of its first payment */
function startPayments(disk: FaultyDisk, firstNumber: number): Program {
  const path = fileURLToPath(new URL('payment-loop.js', import.meta.url))
  const [output, errors] = [`${disk.folder}.output`, `${disk.folder}.errors`]
  const [outputFd, errorsFd] = [openSync(output, 'w'), openSync(errors, 'w')]
  const child = spawn(process.execPath, [path, join(disk.folder, databaseName), String(firstNumber)], {
    env: { ...process.env, ...disk.env },
    stdio: ['ignore', outputFd, errorsFd],
  })
  closeSync(outputFd)
  closeSync(errorsFd)
  const closed = once(child, 'close')

  // The text after the last line break is incomplete.
  const lines = () => readFileSync(output, 'utf8').split('\n').slice(0, -1)
  const ids = () => lines().filter((line) => /^[pc]\d+$/.test(line))
  const refusals = () => lines().filter((line) => line.startsWith('refused'))
  const until = async (isMet: () => boolean) => {
    while (!isMet()) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (hasEnded) throw new Error(`the program ended too early: ${readFileSync(errors, 'utf8')}`)
      await setTimeout(2)
    }
  }
  return {
    ids,
    refusals,
    errors: () => readFileSync(errors, 'utf8'),
    attempted: () => ids().filter((id) => id.startsWith('p')).length + 64,
    untilAcknowledged: (count) => until(() => lines().includes('open') && ids().length >= count),
    untilRefused: (count) => until(() => refusals().length >= count),
    exitCode: async () => {
      await closed
      return child.exitCode
    },
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** Copies of the disk as after a kill, a power cut and a power cut during a write, each in a folder in `target`. */
function crashImages(disk: FaultyDisk, target: string): string[] {
  const [killed, cut, torn] = [join(target, 'killed'), join(target, 'cut'), join(target, 'torn')]
  cpSync(disk.folder, killed, { recursive: true })
  cpSync(disk.shadow, cut, { recursive: true })
  tear(disk, databaseName, torn, Math.random)
  return [killed, cut, torn]
}

/**
 * Opens the files after a crash and expects every payment with a number below `count` to be stored completely or not at
 * all, stored if acknowledged, and stored once. Then commits a further payment with the number `count`.
 */
async function expectIntact(folder: string, acknowledged: ReadonlySet<string>, count: number): Promise<void> {
  const storage = await openSqlite({ file: join(folder, databaseName) })
  const counts = { payments: 0, captures: 0 }
  for (let number = 0; number < count; number += 1) {
    const { id, payment, capture, account, key } = paymentRows(number)
    const tree = await storage.treeOf(id)
    const stored = [tree, await storage.account(account.id), await storage.idempotencyKey(key.id)]
    const transactions = [payment, capture].slice(0, tree?.version ?? 0)
    const complete = { id, merchant: payment.merchant, version: transactions.length, transactions }
    expect(stored).toEqual(tree ? [complete, account, key] : [undefined, undefined, undefined])
    for (const [index, transaction] of [payment, capture].entries()) {
      if (acknowledged.has(transaction.id))
        expect(transactions[index], `${folder} lacks ${transaction.id}`).toBeDefined()
    }
    counts.payments += Number(transactions.length > 0)
    counts.captures += Number(transactions.length > 1)
  }
  expect(await storage.commit(paymentUnit(count))).toEqual({ kind: 'committed' })
  await storage.close()

  const database = new DatabaseSync(join(folder, databaseName), { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  const rows = database.prepare(`SELECT
    (SELECT count(*) FROM payment_transaction) AS transactions, (SELECT count(*) FROM tree) AS trees,
    (SELECT count(*) FROM account) AS accounts, (SELECT count(*) FROM idempotency_key) AS keys`)
  const payments = counts.payments + 1
  expect(rows.get()).toEqual({
    transactions: payments + counts.captures,
    trees: counts.captures,
    accounts: payments,
    keys: payments,
  })
  database.close()
}
