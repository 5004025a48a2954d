import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommitResult, Storage, Unit } from '../port.ts'
import { account, expectedVersion, idempotencyKey, job, transaction, uniqueKey } from '../testing/sample-rows.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { openPostgres } from './open.ts'

let url: string
let storages: Storage[]

beforeAll(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  // Each storage stands for a process: no storage has access to the units in flight of another one.
  storages = await Promise.all([openPostgres({ url }), openPostgres({ url }), openPostgres({ url })])
})

afterAll(async () => {
  await Promise.all(storages.map((each) => each.close()))
  await removeDatabase(url)
})

const ROUNDS = 30

/** Commits the units of all processes concurrently, in rounds. `name` identifies the process. */
async function race(units: (name: string, round: number) => readonly Partial<Unit>[]): Promise<CommitResult[][]> {
  const rounds: CommitResult[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = storages.flatMap((storage, index) =>
      units(`${index}`, round).map((unit) => storage.commit({ id: 'u', expectedVersions: [], rows: {}, ...unit })),
    )
    rounds.push(await Promise.all(results))
  }
  return rounds
}

const kinds = (results: readonly CommitResult[]) => results.map(({ kind }) => kind).toSorted()

test('exactly one of the processes that create the same tree succeeds', async () => {
  const rounds = await race((name, round) => [
    {
      expectedVersions: [expectedVersion(`p${round}`)],
      rows: { payment_transaction: [transaction(`p${round}`), transaction(`c${name}-${round}`, `p${round}`)] },
    },
  ])
  for (const results of rounds) expect(kinds(results)).toEqual(['committed', 'stale', 'stale'])
  const tree = await storages[0]?.treeOf('c0-0').then((stored) => stored ?? storages[0]?.treeOf('c1-0'))
  expect(tree ?? (await storages[0]?.treeOf('c2-0'))).toMatchObject({ version: 1, transactions: { length: 2 } })
})

test('exactly one of the processes that follow up the same tree at version 1 succeeds', async () => {
  const roots = Array.from({ length: ROUNDS }, (_, round) => transaction(`f${round}`))
  const created = roots.map(({ id }) => expectedVersion(id))
  await storages[0]?.commit({ id: 'u', expectedVersions: created, rows: { payment_transaction: roots } })
  const rounds = await race((name, round) => [
    {
      expectedVersions: [expectedVersion(`f${round}`, 1)],
      rows: { payment_transaction: [transaction(`d${name}-${round}`, `f${round}`)] },
    },
  ])
  for (const results of rounds) expect(kinds(results)).toEqual(['committed', 'stale', 'stale'])
  expect(await storages[0]?.treeOf('f0')).toMatchObject({ version: 2, transactions: { length: 2 } })
})

test('a tree whose row has version 1, as earlier programs stored it, is followed up', async () => {
  const [storage] = storages
  const created = { expectedVersions: [expectedVersion('old')], rows: { payment_transaction: [transaction('old')] } }
  await storage?.commit({ id: 'u', ...created })
  await runSql(url, `INSERT INTO tree SELECT id, merchant, 1 FROM payment_transaction WHERE id = 'old'`)
  const followUp = { id: 'u', expectedVersions: [expectedVersion('old', 1)], rows: {} }
  expect(await storage?.commit(followUp)).toEqual({ kind: 'committed' })
  expect(await storage?.commit(followUp)).toEqual({ kind: 'stale' })
  expect(await runSql(url, `SELECT version::int FROM tree WHERE id = 'old'`)).toEqual([{ version: 2 }])
})

test('exactly one of the processes that claim the same key succeeds, and the others receive its answer', async () => {
  const rounds = await race((name, round) => [{ claim: idempotencyKey(`k${round}`, { answer: name }) }])
  for (const [round, results] of rounds.entries()) {
    expect(kinds(results)).toEqual(['claimed', 'claimed', 'committed'])
    const answer = String(results.findIndex(({ kind }) => kind === 'committed'))
    const claimed = { kind: 'claimed', row: idempotencyKey(`k${round}`, { answer }) }
    expect(results.filter(({ kind }) => kind === 'claimed')).toEqual([claimed, claimed])
  }
})

test('exactly one of the processes that replace an expired unique key succeeds each time', async () => {
  const hotKey = (round: number, name: string) =>
    uniqueKey('hot', { transaction_id: name, created_at_ms: round * 10, expires_at_ms: round * 10 + 10 })
  const rounds = await race((name, round) => [{ unique: [hotKey(round, name)] }])
  for (const results of rounds) expect(kinds(results)).toEqual(['committed', 'conflict', 'conflict'])
})

test('exactly one of the processes that change the same job succeeds', async () => {
  await storages[0]?.commit({ id: 'u', expectedVersions: [], rows: { job: [job('j', { attempts: 0 })] } })
  const rounds = await race((_, round) => [
    { compareAndSets: [{ table: 'job', from: job('j', { attempts: round }), to: job('j', { attempts: round + 1 }) }] },
  ])
  for (const results of rounds) expect(kinds(results)).toEqual(['committed', 'stale', 'stale'])
})

test('integers beyond 32 bits, and texts with quotes, accents and emoji, are read as written', async () => {
  const amounts = [0, -1, 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
  const rows = amounts.map((amount_minor, index) =>
    transaction(`n${index}`, 'n0', { amount_minor, echo: `"\\{},'é👩‍💳` }),
  )
  await storages[0]?.commit({ id: 'u', expectedVersions: [expectedVersion('n0')], rows: { payment_transaction: rows } })
  expect((await storages[1]?.treeOf('n0'))?.transactions).toEqual(rows)
})

test('a text with NUL is refused by a commit, and matches no row in a read', async () => {
  const unit = { id: 'u', expectedVersions: [], rows: { account: [account('a1', { holder: 'a\0b' })] } }
  await expect(storages[0]?.commit(unit)).rejects.toMatchObject({ kind: 'constraint' })
  expect(await storages[0]?.account('a\0')).toBeUndefined()
})
