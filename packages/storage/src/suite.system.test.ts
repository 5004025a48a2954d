import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { memoryDisk } from './memory/disk.ts'
import { openMemory } from './memory/open.ts'
import type { Storage, Unit } from './port.ts'
import type { AccountRow, JobRow } from './schema.ts'
import {
  accessToken,
  account,
  attempt,
  entity,
  event,
  guard,
  idempotencyKey,
  job,
  registration,
  riskRules,
  schedule,
  checkout,
  visit,
  transaction,
  uniqueKey,
  velocity,
  webhook,
  webhookKey,
} from './sample-rows.ts'
import { openPostgres } from './postgres/open.ts'
import { openSqlite } from './sqlite/open.ts'
import { emptyDatabase, newDatabase, removeDatabase } from './testing/postgres-database.ts'

const server = process.env['TOLLGATE_TEST_DATABASE_URL']
/** Without a server its dialect is left out. */
const isHere = ({ name }: { readonly name: string }) => name !== 'postgres' || server !== undefined
let database = ''

beforeAll(async () => {
  if (server) database = await newDatabase(server)
})

afterAll(async () => {
  if (server) await removeDatabase(database)
})

type Place = () => Promise<Storage>

/** Every dialect: a new place to store in, opened any number of times one after the other. */
const dialects: { name: string; place: (folder: string) => Place | Promise<Place> }[] = [
  {
    name: 'memory',
    place: () => {
      const disk = memoryDisk()
      return async () => openMemory(disk)
    },
  },
  { name: 'sqlite', place: (folder) => () => openSqlite({ file: join(folder, 'test.db') }) },
  {
    name: 'postgres',
    place: async () => {
      await emptyDatabase(database)
      return () => openPostgres({ url: database })
    },
  },
]

/** A payment and nothing else. */
const payment = (id: string): Partial<Unit> => ({
  expectedVersions: [guard(id)],
  rows: { payment_transaction: [transaction(id)] },
})

const committed = { kind: 'committed' }
const stale = { kind: 'stale' }

for (const { name, place } of dialects.filter(isHere)) {
  describe(name, () => {
    let folder: string
    let open: Place
    let storage: Storage

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-storage-'))
      open = await place(folder)
      storage = await open()
    })

    afterEach(async () => {
      await storage.close()
      rmSync(folder, { recursive: true })
    })

    /** Commits a unit of these parts. */
    const commit = (unit: Partial<Unit>) => storage.commit({ id: 'u', expectedVersions: [], rows: {}, ...unit })

    describe('a unit', () => {
      test('stores all of its rows, in every column', async () => {
        const rows = {
          payment_transaction: [transaction('p1', 'p1', { test_mode: 'INTERNAL', merchant_transaction_id: 'order 1' })],
          account: [account('a1')],
          registration: [registration('r1')],
          velocity: [velocity('p1')],
          entity: [entity('e1')],
          risk_rules: [riskRules('e1')],
          access_token: [accessToken('t1', { expires_at_ms: Number.MAX_SAFE_INTEGER })],
          installation: [{ name: 'schema.birthday', value: '2026-01-01' }],
        }
        expect(await commit({ expectedVersions: [guard('p1')], claim: idempotencyKey('k1'), rows })).toEqual(committed)

        expect(await storage.treeOf('p1')).toEqual({ ...guard('p1', 1), transactions: rows.payment_transaction })
        expect(await storage.account('a1')).toEqual(rows.account[0])
        expect(await storage.registration('r1')).toEqual(rows.registration[0])
        expect(await storage.idempotencyKey('k1')).toEqual(idempotencyKey('k1'))
        const { counter, merchant } = velocity('p1')
        expect(await storage.velocity(counter, merchant, 0)).toEqual(rows.velocity)
        expect(await storage.entities()).toEqual(rows.entity)
        expect(await storage.riskRules()).toEqual(rows.risk_rules)
        expect(await storage.accessTokens()).toEqual(rows.access_token)
        expect(await storage.installation('schema.birthday')).toBe('2026-01-01')
      })

      test('stores text of any script and bytes of any value', async () => {
        const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index)
        const holder = 'Łukasz 李 👩‍💳'
        await commit({ rows: { account: [account('a1', { holder, sealed: bytes }), account('a2')] } })
        expect(await storage.account('a1')).toEqual(account('a1', { holder, sealed: bytes }))
        expect(await storage.account('a2')).toEqual(account('a2'))
      })

      test('that fails a guard writes nothing', async () => {
        await commit(payment('p1'))
        const unit = {
          expectedVersions: [guard('p2'), guard('p1')],
          claim: idempotencyKey('k1'),
          rows: { payment_transaction: [transaction('p2')], account: [account('a1')] },
        }
        expect(await commit(unit)).toEqual(stale)
        expect(await storage.treeOf('p2')).toBeUndefined()
        expect(await storage.account('a1')).toBeUndefined()
        expect(await storage.idempotencyKey('k1')).toBeUndefined()
      })

      test('that breaks a constraint writes nothing', async () => {
        await commit(payment('p1'))
        const rows = { account: [account('a1')], payment_transaction: [transaction('p2'), transaction('p1')] }
        await expect(
          commit({ expectedVersions: [guard('p2')], claim: idempotencyKey('k1'), rows }),
        ).rejects.toMatchObject({
          name: 'StorageError',
          kind: 'constraint',
        })
        expect(await storage.treeOf('p2')).toBeUndefined()
        expect(await storage.account('a1')).toBeUndefined()
        expect(await storage.idempotencyKey('k1')).toBeUndefined()
      })

      test.each([
        ['a fraction of a minor unit', { amount_minor: 92.5 }, 'payment_transaction.amount_minor must be integer?'],
        ['not a number', { amount_minor: Number.NaN }, 'payment_transaction.amount_minor must be integer?'],
        ['no type', { type: undefined }, 'payment_transaction.type must be text'],
        ['a number for a text', { currency: 978 }, 'payment_transaction.currency must be text?'],
      ])('with %s is refused', async (_, changes, message) => {
        const row = Object.assign(transaction('p1'), changes)
        await expect(commit({ rows: { payment_transaction: [row] } })).rejects.toMatchObject({
          kind: 'constraint',
          message,
        })
      })

      test('of too many rows, or that guards a tree twice, is refused', async () => {
        const rows = Array.from({ length: limits.unitRows + 1 }, () => ({ name: 'n', value: 'v' }))
        await expect(commit({ rows: { installation: rows } })).rejects.toMatchObject({ kind: 'constraint' })
        await expect(commit({ expectedVersions: [guard('p1'), guard('p1')] })).rejects.toMatchObject({
          kind: 'constraint',
        })
      })

      test('is stored as it was when it was handed over', async () => {
        const sealed = Uint8Array.of(1, 2, 3)
        const row = account('a1', { sealed })
        const result = commit({ rows: { account: [row] } })
        sealed.fill(0)
        await result
        expect((await storage.account('a1'))?.sealed).toEqual(Uint8Array.of(1, 2, 3))
      })
    })

    describe('a guard', () => {
      test('creates a tree once', async () => {
        expect(await commit(payment('p1'))).toEqual(committed)
        expect(await commit(payment('p1'))).toEqual(stale)
        expect(await storage.treeOf('p1')).toMatchObject({ version: 1 })
      })

      test('moves a tree on from the version that was read, and from no other', async () => {
        await commit(payment('p1'))
        const capture = (id: string, version: number) =>
          commit({ expectedVersions: [guard('p1', version)], rows: { payment_transaction: [transaction(id, 'p1')] } })
        expect(await capture('c1', 1)).toEqual(committed)
        expect(await capture('c2', 1)).toEqual(stale)
        expect(await capture('c2', 3)).toEqual(stale)
        expect(await capture('c2', 2)).toEqual(committed)
        const tree = await storage.treeOf('p1')
        expect(tree?.version).toBe(3)
        expect(tree?.transactions.map(({ id }) => id)).toEqual(['p1', 'c1', 'c2'])
      })

      test('of a tree that does not exist is stale', async () => {
        expect(await commit({ expectedVersions: [guard('p1', 1)] })).toEqual(stale)
      })

      test('of a tree of another merchant is stale', async () => {
        await commit(payment('p1'))
        expect(await commit({ expectedVersions: [{ ...guard('p1', 1), merchant: 'another' }] })).toEqual(stale)
        expect(await commit({ expectedVersions: [{ ...guard('p1'), merchant: 'another' }] })).toEqual(stale)
      })

      test('lets one of two racing units through', async () => {
        await commit(payment('p1'))
        const race = ['c1', 'c2'].map((id) =>
          commit({ expectedVersions: [guard('p1', 1)], rows: { payment_transaction: [transaction(id, 'p1')] } }),
        )
        expect(await Promise.all(race)).toEqual([committed, stale])
        expect((await storage.treeOf('p1'))?.transactions).toHaveLength(2)
      })
    })

    describe('a claim', () => {
      test('is answered with the first row', async () => {
        expect(await commit({ ...payment('p1'), claim: idempotencyKey('k1') })).toEqual(committed)
        const second = { ...payment('p2'), claim: idempotencyKey('k1', { answer: 'second', fingerprint: 'f2' }) }
        expect(await commit(second)).toEqual({ kind: 'claimed', row: idempotencyKey('k1') })
        expect(await storage.treeOf('p2')).toBeUndefined()
      })

      test('comes before the guards', async () => {
        const unit = { ...payment('p1'), claim: idempotencyKey('k1') }
        await commit(unit)
        expect(await commit(unit)).toEqual({ kind: 'claimed', row: idempotencyKey('k1') })
      })

      test('is won by one of two racing units', async () => {
        const race = ['p1', 'p2'].map((id) => commit({ ...payment(id), claim: idempotencyKey('k1') }))
        expect(await Promise.all(race)).toEqual([committed, { kind: 'claimed', row: idempotencyKey('k1') }])
        expect(await storage.treeOf('p2')).toBeUndefined()
      })

      test('is free again once the key has expired', async () => {
        const [first, late, next] = [1, 8, 9].map((ms) =>
          idempotencyKey('k1', { created_at_ms: ms, expires_at_ms: ms + 8 }),
        )
        await commit({ claim: first })
        expect(await commit({ claim: late })).toEqual({ kind: 'claimed', row: first })
        expect(await commit({ claim: next })).toEqual(committed)
        expect(await storage.idempotencyKey('k1')).toEqual(next)
      })

      test('that has expired is removed as others come', async () => {
        for (const id of ['k1', 'k2', 'k3'])
          await commit({ claim: idempotencyKey(id, { created_at_ms: 0, expires_at_ms: 5 }) })
        await commit({ claim: idempotencyKey('k4', { created_at_ms: 5, expires_at_ms: 9 }) })
        const left = await Promise.all(['k1', 'k2', 'k3'].map((id) => storage.idempotencyKey(id)))
        expect(left.filter((row) => row !== undefined).length).toBe(3 - limits.expiredRemoved)
      })

      test('is not taken by a unit that fails', async () => {
        await commit(payment('p1'))
        const race = ['p1', 'p2'].map((id) => commit({ ...payment(id), claim: idempotencyKey('k1') }))
        expect(await Promise.all(race)).toEqual([stale, committed])
      })
    })

    describe('a unique key', () => {
      const first = uniqueKey('k1')
      const second = uniqueKey('k1', { transaction_id: 'p2' })
      const taken = { kind: 'taken', row: first }

      test('is there once, and a unit that brings it again writes nothing', async () => {
        expect(await commit({ ...payment('p1'), unique: [first] })).toEqual(committed)
        const again = { ...payment('p2'), claim: idempotencyKey('i1'), unique: [uniqueKey('k2'), second] }
        expect(await commit(again)).toEqual(taken)
        expect(await storage.treeOf('p2')).toBeUndefined()
        expect(await storage.idempotencyKey('i1')).toBeUndefined()
        expect(await commit({ ...payment('p3'), unique: [uniqueKey('k2', { transaction_id: 'p3' })] })).toEqual(
          committed,
        )
      })

      test('comes after the claim and the guards', async () => {
        await commit({ ...payment('p1'), claim: idempotencyKey('i1'), unique: [first] })
        expect(await commit({ claim: idempotencyKey('i1'), unique: [first] })).toMatchObject({ kind: 'claimed' })
        expect(await commit({ ...payment('p1'), unique: [first] })).toEqual(stale)
      })

      test('is won by one of two racing units, and by none that fails', async () => {
        await commit(payment('p1'))
        const race = ['p1', 'p2', 'p3'].map((id) =>
          commit({ ...payment(id), unique: [uniqueKey('k1', { transaction_id: id })] }),
        )
        const winner = { kind: 'taken', row: uniqueKey('k1', { transaction_id: 'p2' }) }
        expect(await Promise.all(race)).toEqual([stale, committed, winner])
      })

      test('that has expired may be had by another', async () => {
        const at = (id: string, atMs: number, endMs: number | null) =>
          uniqueKey('k1', { transaction_id: id, created_at_ms: atMs, expires_at_ms: endMs })
        expect(await commit({ unique: [at('p1', 1000, 2000)] })).toEqual(committed)
        expect(await commit({ unique: [at('p2', 1999, 2999)] })).toEqual({ kind: 'taken', row: at('p1', 1000, 2000) })
        expect(await commit({ unique: [at('p3', 2000, 3000)] })).toEqual(committed)
        expect(await commit({ unique: [at('p4', 2500, null)] })).toEqual({ kind: 'taken', row: at('p3', 2000, 3000) })
        expect(await commit({ unique: [at('p5', 3000, null)] })).toEqual(committed)
        expect(await commit({ unique: [at('p6', 9000, null)] })).toEqual({ kind: 'taken', row: at('p5', 3000, null) })
      })

      test('is the same after the next opening', async () => {
        await commit({ unique: [first] })
        await storage.close()
        storage = await open()
        expect(await commit({ unique: [second] })).toEqual(taken)
      })
    })

    describe('a swap', () => {
      const [sealed, renewed] = [account('a1'), account('a1', { wrapped_key: Uint8Array.of(9), key_id: 'k2' })]
      const shredded = account('a1', { sealed: null, wrapped_key: null, key_id: null })

      test('replaces an account that is as it was read', async () => {
        await commit({ rows: { account: [sealed, account('a2')] } })
        expect(await commit({ compareAndSets: [{ table: 'account' as const, from: sealed, to: renewed }] })).toEqual(
          committed,
        )
        expect(await storage.account('a1')).toEqual(renewed)
        expect(await storage.account('a2')).toEqual(account('a2'))
      })

      test.each([
        ['was shredded meanwhile', shredded],
        ['differs in one text', account('a1', { holder: 'Jane Doe' })],
        ['differs in one byte', account('a1', { sealed: Uint8Array.of(0, 255, 8) })],
        ['differs by what is null', account('a1', { fingerprint: null })],
      ])('of an account that %s writes nothing', async (_, stored) => {
        await commit({ rows: { account: [stored, account('a2')] } })
        const unit = {
          expectedVersions: [guard('p1')],
          claim: idempotencyKey('k1'),
          compareAndSets: [
            { table: 'account' as const, from: account('a2'), to: account('a2', { key_id: 'k2' }) },
            { table: 'account' as const, from: sealed, to: renewed },
          ],
          rows: { payment_transaction: [transaction('p1')] },
        }
        expect(await commit(unit)).toEqual(stale)
        expect(await storage.account('a1')).toEqual(stored)
        expect(await storage.account('a2')).toEqual(account('a2'))
        expect(await storage.treeOf('p1')).toBeUndefined()
        expect(await storage.idempotencyKey('k1')).toBeUndefined()
      })

      test('of an account that does not exist, or is of another merchant, is stale', async () => {
        expect(await commit({ compareAndSets: [{ table: 'account' as const, from: sealed, to: renewed }] })).toEqual(
          stale,
        )
        await commit({ rows: { account: [account('a1', { merchant: 'another' })] } })
        expect(await commit({ compareAndSets: [{ table: 'account' as const, from: sealed, to: renewed }] })).toEqual(
          stale,
        )
      })

      test('is won by one of two racing units: what was shredded does not come back', async () => {
        await commit({ rows: { account: [sealed] } })
        const race = [shredded, renewed].map((to) =>
          commit({ compareAndSets: [{ table: 'account' as const, from: sealed, to }] }),
        )
        expect(await Promise.all(race)).toEqual([committed, stale])
        expect(await storage.account('a1')).toEqual(shredded)
      })

      test('makes of a transaction that is not decided yet what was decided, once', async () => {
        const of = (status: string) => transaction('c1', 'p1', { status })
        const [sent, made, lost] = [of('SENT'), of('ACK'), of('NOK')]
        await commit({ expectedVersions: [guard('p1')], rows: { payment_transaction: [transaction('p1'), sent] } })
        const race = [made, lost].map((to) =>
          commit({ compareAndSets: [{ table: 'payment_transaction' as const, from: sent, to }] }),
        )
        expect(await Promise.all(race)).toEqual([committed, stale])
        expect((await storage.treeOf('c1'))?.transactions).toEqual([transaction('p1'), made])
        for (const compareAndSet of [
          { from: made, to: lost },
          { from: sent, to: { ...made, root_id: 'p2' } },
          { from: sent, to: { ...made, id: 'c2' } },
        ]) {
          const compareAndSets = [{ table: 'payment_transaction' as const, ...compareAndSet }]
          await expect(commit({ compareAndSets })).rejects.toMatchObject({ kind: 'constraint' })
        }
      })

      test('gives a claimed key another answer, and frees a unique one', async () => {
        const [first, unique] = [idempotencyKey('k1'), uniqueKey('u1')]
        await commit({ claim: first, unique: [unique] })
        const then = { ...first, answer: '{}' }
        const compareAndSets = [
          { table: 'idempotency_key' as const, from: first, to: then },
          { table: 'unique_key' as const, from: unique, to: null },
        ]
        for (const brought of [{ claim: first }, { unique: [unique] }]) {
          await expect(commit({ compareAndSets, ...brought })).rejects.toMatchObject({ kind: 'constraint' })
        }
        expect([await commit({ compareAndSets }), await commit({ compareAndSets })]).toEqual([committed, stale])
        expect(await storage.idempotencyKey('k1')).toEqual(then)
        expect(await commit({ unique: [uniqueKey('u1', { transaction_id: 'p2' })] })).toEqual(committed)
      })

      test('of a row that cannot be stored is refused', async () => {
        const wrong = Object.assign(account('a1'), { kind: null })
        for (const compareAndSet of [
          { table: 'account' as const, from: wrong, to: renewed },
          { table: 'account' as const, from: sealed, to: wrong },
        ]) {
          await expect(commit({ compareAndSets: [compareAndSet] })).rejects.toMatchObject({ kind: 'constraint' })
        }
      })
    })

    describe('jobs', () => {
      const at = (id: string, dueAtMs: number, changes: Partial<JobRow> = {}) =>
        job(id, { due_at_ms: dueAtMs, ...changes })
      const due = async (atMs: number, max = 10) =>
        (await storage.dueJobs('delivery', 'w1', atMs, max)).map(({ id }) => id)

      test('of a lane come by their time, then their id; others wait beside them', async () => {
        await commit({ rows: { job: [at('j3', 5), at('j2', 5), at('j1', 6), at('j4', 4, { lane: 'w2' })] } })
        expect([await due(4), await due(5), await due(6), await due(6, 2)]).toEqual([
          [],
          ['j2', 'j3'],
          ['j2', 'j3', 'j1'],
          ['j2', 'j3'],
        ])
        const ask = ['delivery', 'w1'] as const
        expect([await storage.nextDue(...ask), await storage.nextDue('other', 'w1')]).toEqual([5, undefined])
        const lanes = [
          ['delivery', 'w1'],
          ['other', 'w1'],
          ['delivery', 'nobody’s'],
          ['delivery', 'w2'],
        ] as const
        expect(await storage.dueLanes(lanes, 3)).toEqual([])
        expect(await storage.dueLanes(lanes, 4)).toEqual([['delivery', 'w2']])
        expect(new Set(await storage.dueLanes(lanes, 5))).toEqual(new Set([lanes[0], lanes[3]]))
        expect(await storage.dueLanes([], 5)).toEqual([])
        expect([await storage.countDue(...ask, 6, 10), await storage.countDue(...ask, 6, 2)]).toEqual([3, 2])
      })

      test('the oldest of a lane is looked for among those that are due first', async () => {
        expect(await storage.oldestWaiting('delivery', 'w1', 10)).toBeUndefined()
        const done = at('j0', 1, { done_at_ms: 8 })
        await commit({ rows: { job: [at('j1', 9), at('j2', 3), at('j3', 2), at('j4', 1, { lane: 'w2' }), done] } })
        const oldest = (max: number) => storage.oldestWaiting('delivery', 'w1', max)
        expect([await oldest(10), await oldest(2), await oldest(1)]).toEqual(['j1', 'j2', 'j3'])
      })

      test('that are parked are counted by their kind, up to a bound', async () => {
        expect(await storage.countParked(10)).toEqual([])
        const parked = (id: string, kind: string) => at(id, 1, { kind, parked_at_ms: 7 })
        const rows = [parked('j1', 'delivery'), parked('j2', 'other'), parked('j3', 'delivery'), at('j4', 1)]
        await commit({ rows: { job: rows } })
        const counted = (await storage.countParked(10)).toSorted((a, b) => b.jobs - a.jobs)
        expect(counted).toEqual([
          { kind: 'delivery', jobs: 2 },
          { kind: 'other', jobs: 1 },
        ])
        expect((await storage.countParked(2)).reduce((sum, { jobs }) => sum + jobs, 0)).toBe(2)
      })

      test('that are parked or done are not due, and can be looked up', async () => {
        const parked = at('j2', 1, { parked_at_ms: 7, last_error: 'answered 410' })
        const done = at('j3', 1, { done_at_ms: 8 })
        await commit({ rows: { job: [at('j1', 1), parked, done] } })
        expect(await due(9)).toEqual(['j1'])
        expect(await storage.parkedBefore('~', 10)).toEqual([parked])
        expect(await storage.doneJobsBelow('j9', 10)).toEqual([done])
        expect(await storage.oldestWaiting('delivery', 'w1', 10)).toBe('j1')
        expect(await storage.jobsBefore('delivery', 'w1', 'j3', 10)).toEqual([parked, at('j1', 1)])
      })

      test('stand in line by their places, then ids, while they wait and were not tried too often', async () => {
        const inLine = (id: string, line_place: number, changes = {}) =>
          at(id, 1, { line: 'p1', line_place, ...changes })
        const first = async () => (await storage.firstOfLine('delivery', 'w1', 'p1', 3))?.id
        expect(await first()).toBeUndefined()
        const jobs = [inLine('j1', 5), inLine('j4', 2), inLine('j3', 3), inLine('j2', 3), inLine('j5', 1)]
        const others = [at('j6', 1), inLine('j7', 0, { lane: 'w2' }), inLine('j8', 0, { line: 'p2' })]
        await commit({ rows: { job: [...jobs, ...others] } })
        expect(await storage.firstOfLine('delivery', 'w1', 'p1', 3)).toEqual(inLine('j5', 1))
        await commit({ rows: { job: [inLine('j5', 1, { done_at_ms: 8 }), inLine('j4', 2, { parked_at_ms: 8 })] } })
        expect(await first()).toBe('j2')
        await commit({ rows: { job: [inLine('j2', 3, { attempts: 3 })] } })
        expect(await first()).toBe('j2')
        await commit({ rows: { job: [inLine('j2', 3, { attempts: 4 })] } })
        expect(await first()).toBe('j3')
      })

      test('are taken on by a swap that only one of two wins', async () => {
        const before = at('j1', 1)
        await commit({ rows: { job: [before] } })
        const race = [at('j1', 60, { attempts: 1 }), null].map((to) =>
          commit({ compareAndSets: [{ table: 'job' as const, from: before, to }] }),
        )
        expect(await Promise.all(race)).toEqual([committed, stale])
        expect(await storage.job('j1')).toEqual(at('j1', 60, { attempts: 1 }))
        await commit({ compareAndSets: [{ table: 'job', from: at('j1', 60, { attempts: 1 }), to: null }] })
        expect(await storage.job('j1')).toBeUndefined()
      })
    })

    describe('events', () => {
      test('are found by id, by merchant and range, and from the oldest on', async () => {
        const events = [event('e1'), event('e2', { merchant: 'another' }), event('e3'), event('e4')]
        await commit({ rows: { event: events } })
        expect(await storage.event('e2')).toEqual(events[1])
        expect(await storage.eventsBetween(event('').merchant, 'e1', 'e3', 9)).toEqual([events[0], events[2]])
        expect(await storage.eventsBelow('e3', 9)).toEqual(events.slice(0, 2))
      })

      test('and attempts are added once, and removed as they were', async () => {
        await commit({ rows: { event: [event('e1')], delivery_attempt: [attempt(2), attempt(1)] } })
        await expect(commit({ rows: { event: [event('e1')] } })).rejects.toMatchObject({ kind: 'constraint' })
        await expect(commit({ rows: { delivery_attempt: [attempt(1)] } })).rejects.toMatchObject({
          kind: 'constraint',
        })
        expect(await storage.attemptsOf('j1')).toEqual([attempt(1), attempt(2)])
        await commit({
          compareAndSets: [
            { table: 'event', from: event('e1'), to: null },
            { table: 'delivery_attempt', from: attempt(1), to: null },
          ],
        })
        expect([await storage.event('e1'), await storage.attemptsOf('j1')]).toEqual([undefined, [attempt(2)]])
      })
    })

    test('webhooks are listed, the deleted ones too, with the keys of all', async () => {
      const keys = [webhookKey('k1'), webhookKey('k2', { webhook_id: 'w2' })]
      await commit({ rows: { webhook: [webhook('w2'), webhook('w1')], webhook_key: keys } })
      expect(await storage.webhooks()).toEqual([webhook('w1'), webhook('w2')])
      await commit({ rows: { webhook: [webhook('w1', { deleted_at_ms: 1 })] } })
      const listed = [webhook('w1', { deleted_at_ms: 1 }), webhook('w2')]
      expect([await storage.webhooks(), await storage.webhookKeys()]).toEqual([listed, keys])
      const removal = { table: 'webhook_key' as const, from: webhookKey('k1'), to: null }
      expect(await commit({ compareAndSets: [removal] })).toEqual(committed)
      expect(await storage.webhookKeys()).toEqual(keys.slice(1))
      expect(await commit({ compareAndSets: [removal] })).toEqual({ kind: 'stale' })
    })

    test('schedules are found by id, chain and registration', async () => {
      const [first, next] = [schedule('s1', { active: 0 }), schedule('s2', { chain_id: 's1' })]
      const other = schedule('s3', { registration_id: 'r2' })
      await commit({ rows: { schedule: [first, next, other] } })
      expect(await storage.schedule('s2')).toEqual(next)
      expect(await storage.scheduleChain('s1', 9)).toEqual([first, next])
      expect(await storage.schedulesOf('r2', 9)).toEqual([other])
      const ended = schedule('s2', { chain_id: 's1', active: 0 })
      expect(await commit({ compareAndSets: [{ table: 'schedule', from: next, to: ended }] })).toEqual(committed)
      expect(await storage.schedule('s2')).toEqual(ended)
    })

    test('checkouts and visits are found by id, change, and go when they are old', async () => {
      const [fresh, old] = [checkout('c1'), checkout('c2', { expires_at_ms: 5 })]
      const [there, gone] = [visit('v1'), visit('v2', { forgotten_at_ms: 5 })]
      await commit({ rows: { checkout: [fresh, old], visit: [there, gone] } })
      expect([await storage.checkout('c1'), await storage.visit('v1')]).toEqual([fresh, there])
      expect([await storage.checkoutsBefore(6, 9), await storage.visitsBefore(6, 9)]).toEqual([[old], [gone]])
      expect([await storage.checkoutsBefore(5, 9), await storage.visitsBefore(5, 9)]).toEqual([[], []])
      const paid = checkout('c1', { transaction_id: 'p1' })
      expect(await commit({ compareAndSets: [{ table: 'checkout', from: fresh, to: paid }] })).toEqual(committed)
      expect(await commit({ compareAndSets: [{ table: 'checkout', from: fresh, to: paid }] })).toEqual({
        kind: 'stale',
      })
      expect(await storage.checkout('c1')).toEqual(paid)
      const removal = { table: 'visit' as const, from: gone, to: null }
      expect(await commit({ compareAndSets: [removal] })).toEqual(committed)
      expect(await storage.visit('v2')).toBeUndefined()
    })

    describe('a walk over the accounts', () => {
      const ids = ['a1', 'a2', 'a3', 'a4', 'a5']
      const under: Readonly<Record<string, Partial<AccountRow>>> = {
        a2: { key_id: 'k2' },
        a4: { fingerprint_key_id: 'f2' },
        a5: { key_id: null, fingerprint_key_id: null },
      }
      const rows = ids.map((id) => account(id, under[id]))

      test('goes page by page in the order of the ids, whenever they were committed', async () => {
        for (const row of rows.toReversed()) await commit({ rows: { account: [row] } })
        expect(await storage.accountsAfter('', 2)).toEqual(rows.slice(0, 2))
        expect(await storage.accountsAfter('a2', 2)).toEqual(rows.slice(2, 4))
        expect(await storage.accountsAfter('a4', 2)).toEqual(rows.slice(4))
        expect(await storage.accountsAfter('a5', 2)).toEqual([])
      })

      test('counts a page by its keys', async () => {
        await commit({ rows: { account: rows } })
        const keysAfter = async (id: string, count: number) =>
          (await storage.accountKeysAfter(id, count)).toSorted((a, b) => (a.last_id < b.last_id ? -1 : 1))
        const keys = (last_id: string, accounts: number, key_id: string | null, fingerprint_key_id: string | null) => ({
          key_id,
          fingerprint_key_id,
          accounts,
          last_id,
        })
        expect(await keysAfter('', 9)).toEqual([
          keys('a2', 1, 'k2', 'f1'),
          keys('a3', 2, 'k1', 'f1'),
          keys('a4', 1, 'k1', 'f2'),
          keys('a5', 1, null, null),
        ])
        expect(await keysAfter('a2', 1)).toEqual([keys('a3', 1, 'k1', 'f1')])
        expect(await keysAfter('a5', 9)).toEqual([])
      })
    })

    describe('units together', () => {
      test('commit 64 at a time', async () => {
        const ids = Array.from({ length: 64 }, (_, index) => `p${index}`)
        expect(await Promise.all(ids.map((id) => commit(payment(id))))).toEqual(ids.map(() => committed))
        for (const id of ids) expect(await storage.treeOf(id)).toMatchObject({ id, version: 1 })
        expect(storage.depth()).toBe(0)
        expect(storage.totals().units).toBe(64)
        expect(storage.totals().batches).toBeGreaterThan(0)
        expect(storage.totals().batches).toBeLessThanOrEqual(64)
      })

      test('commit in the order of their arrival, over many batches', async () => {
        const values = Array.from({ length: 3 * limits.batchUnits + 1 }, (_, index) => String(index))
        await Promise.all(values.map((value) => commit({ rows: { installation: [{ name: 'last', value }] } })))
        expect(await storage.installation('last')).toBe(values.at(-1))
      })

      test('that break a constraint lose no other', async () => {
        await commit(payment('p0'))
        const bad = { rows: { payment_transaction: [transaction('p0')] } }
        const results = await Promise.allSettled([payment('p1'), bad, payment('p1'), payment('p2'), bad].map(commit))
        expect(results).toMatchObject([
          { value: committed },
          { reason: { kind: 'constraint' } },
          { value: stale },
          { value: committed },
          { reason: { kind: 'constraint' } },
        ])
        expect(await storage.treeOf('p1')).toMatchObject({ version: 1 })
        expect(await storage.treeOf('p2')).toMatchObject({ version: 1 })
      })
    })

    describe('reads', () => {
      test('find a tree by its root and by any child', async () => {
        await commit(payment('p1'))
        await commit({ expectedVersions: [guard('p1', 1)], rows: { payment_transaction: [transaction('c1', 'p1')] } })
        const tree = await storage.treeOf('p1')
        expect(tree?.transactions).toEqual([transaction('p1'), transaction('c1', 'p1')])
        expect(await storage.treeOf('c1')).toEqual(tree)
        expect(await storage.treeOf('c2')).toBeUndefined()
      })

      test('give the root first and then the ids in order, whenever they were committed', async () => {
        const rows = ['c9', 'a1', 'p1', 'c1'].map((id) => transaction(id, 'p1'))
        await commit({ expectedVersions: [guard('p1')], rows: { payment_transaction: rows } })
        expect((await storage.treeOf('c9'))?.transactions.map(({ id }) => id)).toEqual(['p1', 'a1', 'c1', 'c9'])
      })

      test('refuse one child of two trees', async () => {
        await Promise.all(['p1', 'p2'].map((id) => commit(payment(id))))
        await commit({ rows: { payment_transaction: [transaction('c1', 'p1')] } })
        const second = commit({ rows: { payment_transaction: [transaction('c1', 'p2')] } })
        await expect(second).rejects.toMatchObject({ kind: 'constraint' })
      })

      test('give what a counter holds since a time, the newest first', async () => {
        const at = (id: string, created_at_ms: number) => velocity(id, { created_at_ms })
        const others = [velocity('o1', { counter: 'another' }), velocity('o2', { merchant: 'another' })]
        await commit({ rows: { velocity: [at('p2', 5), at('p1', 5), at('p0', 4), at('p3', 6), ...others] } })
        const { counter, merchant } = velocity('')
        expect(await storage.velocity(counter, merchant, 5)).toEqual([at('p3', 6), at('p2', 5), at('p1', 5)])
        expect(await storage.velocity(counter, 'nobody', 0)).toEqual([])
      })

      test('give no more of a counter than its bound', async () => {
        const rows = Array.from({ length: limits.velocityRows + 1 }, (_, at) => velocity('p', { created_at_ms: at }))
        await commit({ rows: { velocity: rows } })
        const { counter, merchant } = velocity('')
        expect(await storage.velocity(counter, merchant, 0)).toEqual(rows.slice(1).toReversed())
      })

      test('count a transaction once', async () => {
        await commit({ rows: { velocity: [velocity('p1')] } })
        await expect(commit({ rows: { velocity: [velocity('p1')] } })).rejects.toMatchObject({ kind: 'constraint' })
        const twice = commit({ rows: { velocity: [velocity('p2'), velocity('p2')] } })
        await expect(twice).rejects.toMatchObject({ kind: 'constraint' })
      })

      test('are found from before a time, the oldest first, and removed', async () => {
        const rows = [3, 1, 2].map((at) => velocity('p', { counter: `c${at}`, created_at_ms: at }))
        await commit({ rows: { velocity: rows } })
        const old = await storage.velocityBefore(3, 9)
        expect(old).toEqual([rows[1], rows[2]])
        expect(await storage.velocityBefore(3, 1)).toEqual([rows[1]])
        const compareAndSets = old.map((from) => ({ table: 'velocity' as const, from, to: null }))
        expect([await commit({ compareAndSets }), await commit({ compareAndSets })]).toEqual([committed, stale])
        expect(await storage.velocityBefore(9, 9)).toEqual([rows[0]])
      })

      test('give the newest account, registration, entity, risk rules, token and installation value', async () => {
        await commit({
          rows: {
            account: [account('a1')],
            registration: [registration('r1')],
            entity: [entity('e2'), entity('e1')],
            risk_rules: [riskRules('e2'), riskRules('e1')],
            access_token: [accessToken('t2'), accessToken('t1')],
            installation: [{ name: 'n', value: '1' }],
          },
        })
        const shredded = account('a1', { sealed: null, wrapped_key: null, key_id: null, holder: null })
        const deleted = registration('r1', { deleted_at_ms: 1_767_225_600_001 })
        await commit({
          rows: {
            account: [shredded],
            registration: [deleted],
            entity: [entity('e2', { name: 'Renamed' })],
            risk_rules: [riskRules('e2', { rules: null })],
            access_token: [accessToken('t2', { revoked_at_ms: 5 })],
            installation: [{ name: 'n', value: '2' }],
          },
        })
        expect(await storage.account('a1')).toEqual(shredded)
        expect(await storage.registration('r1')).toEqual(deleted)
        expect(await storage.entities()).toEqual([entity('e1'), entity('e2', { name: 'Renamed' })])
        expect(await storage.riskRules()).toEqual([riskRules('e1'), riskRules('e2', { rules: null })])
        expect(await storage.accessTokens()).toEqual([accessToken('t1'), accessToken('t2', { revoked_at_ms: 5 })])
        expect(await storage.installation('n')).toBe('2')
      })

      test('tell when a registration was used last, by itself or by a payment', async () => {
        const made = transaction('r1', 'r1', { type: 'RG', registration_id: 'r1', created_at_ms: 10 })
        const paid = transaction('p1', 'p1', { registration_id: 'r1', created_at_ms: 30 })
        const refunded = transaction('c1', 'p1', { registration_id: 'r1', created_at_ms: 40 })
        const other = transaction('p2', 'p2', { registration_id: 'r2', created_at_ms: 50 })
        await commit({ rows: { payment_transaction: [made] } })
        expect(await storage.lastUse('r1')).toBe(10)
        const rejected = transaction('p3', 'p3', { registration_id: 'r1', created_at_ms: 60, status: 'NOK' })
        await commit({ rows: { payment_transaction: [paid, refunded, other, rejected] } })
        expect(await storage.lastUse('r1')).toBe(30)
        expect(await storage.lastUse('r3')).toBeUndefined()
      })

      test('list the registrations whose time has run out, longest ago first, a page at a time', async () => {
        const due = [5, 3, 4].map((at) => registration(`r${at}`, { expires_at_ms: at }))
        const others = [
          registration('r6', { expires_at_ms: 6 }),
          registration('r1', { expires_at_ms: 1, deleted_at_ms: 2 }),
        ]
        await commit({ rows: { registration: [...due, ...others] } })
        const ids = async (atMs: number, max: number) =>
          (await storage.expiredRegistrations(atMs, max)).map(({ id }) => id)
        expect(await ids(5, 10)).toEqual(['r3', 'r4', 'r5'])
        expect(await ids(5, 2)).toEqual(['r3', 'r4'])
        expect(await ids(2, 10)).toEqual([])
        expect(await storage.expiredRegistrations(3, 1)).toEqual([registration('r3', { expires_at_ms: 3 })])
      })

      test('find a payment by the id that the network gave it', async () => {
        const named = (id: string, at: number, changes = {}) =>
          transaction(id, id, { network_transaction_id: 'n1', created_at_ms: at, ...changes })
        const elsewhere = { ...guard('p4'), merchant: 'another' }
        const rows = [
          named('p1', 20),
          named('p2', 10),
          named('p3', 1, { network_transaction_id: 'n2' }),
          named('p4', 1, { merchant: 'another' }),
          transaction('c1', 'p2', { network_transaction_id: 'n4' }),
        ]
        await commit({
          expectedVersions: [guard('p1'), guard('p2'), guard('p3'), elsewhere],
          rows: { payment_transaction: rows },
        })
        await commit({ expectedVersions: [guard('p2', 1)] })
        const { merchant } = guard('p1')
        expect(await storage.byNetworkId('n1', merchant)).toEqual({ row: named('p2', 10), version: 2 })
        expect(await storage.byNetworkId('n3', merchant)).toBeUndefined()
        expect(await storage.byNetworkId('n4', merchant)).toEqual({ row: rows[4], version: 2 })
      })

      test('find the newest payments under an initial transaction id', async () => {
        const under = (id: string, at: number, changes = {}) =>
          transaction(id, id, { initial_transaction_id: 'n1', created_at_ms: at, ...changes })
        const rows = [
          under('p3', 30),
          under('p1', 10),
          under('p2', 20),
          under('p4', 40, { initial_transaction_id: 'n2' }),
          under('p5', 40, { merchant: 'another' }),
          transaction('c1', 'p1', { initial_transaction_id: 'n1', created_at_ms: 25 }),
        ]
        await commit({ rows: { payment_transaction: rows } })
        const ids = async (max: number) =>
          (await storage.newestUnder('n1', guard('p1').merchant, max)).map(({ id }) => id)
        expect([await ids(10), await ids(2), await ids(0)]).toEqual([['p3', 'c1', 'p2', 'p1'], ['p3', 'c1'], []])
        expect(await storage.newestUnder('n2', guard('p1').merchant, 1)).toEqual([rows[3]])
      })

      test('find nothing in an empty database', async () => {
        expect(await storage.treeOf('p1')).toBeUndefined()
        expect(await storage.account('a1')).toBeUndefined()
        expect(await storage.registration('r1')).toBeUndefined()
        expect(await storage.lastUse('r1')).toBeUndefined()
        expect(await storage.expiredRegistrations(Number.MAX_SAFE_INTEGER, 10)).toEqual([])
        expect(await storage.byNetworkId('n1', 'm')).toBeUndefined()
        expect(await storage.newestUnder('n1', 'm', 10)).toEqual([])
        expect(await storage.idempotencyKey('k1')).toBeUndefined()
        expect(await storage.installation('n')).toBeUndefined()
        expect(await storage.velocity('c', 'm', 0)).toEqual([])
        expect(await storage.entities()).toEqual([])
        expect(await storage.riskRules()).toEqual([])
        expect(await storage.accessTokens()).toEqual([])
      })

      test('lend nothing that is stored', async () => {
        await commit({ rows: { account: [account('a1')] } })
        ;(await storage.account('a1'))?.sealed?.fill(0)
        expect(await storage.account('a1')).toEqual(account('a1'))
      })
    })

    describe('close', () => {
      test('keeps everything for the next opening', async () => {
        await commit({ ...payment('p1'), claim: idempotencyKey('k1') })
        await storage.close()
        storage = await open()
        expect(await storage.treeOf('p1')).toEqual({ ...guard('p1', 1), transactions: [transaction('p1')] })
        expect(await commit({ ...payment('p1'), claim: idempotencyKey('k1') })).toMatchObject({ kind: 'claimed' })
      })

      test('finishes what was handed over before it, and refuses what comes after', async () => {
        const before = Array.from({ length: 2 * limits.batchUnits }, (_, index) => commit(payment(`p${index}`)))
        const closed = storage.close()
        await expect(commit(payment('late'))).rejects.toMatchObject({ kind: 'unavailable' })
        expect(new Set((await Promise.all(before)).map(({ kind }) => kind))).toEqual(new Set(['committed']))
        await closed
        await expect(storage.treeOf('p1')).rejects.toMatchObject({ kind: 'unavailable' })
        storage = await open()
        expect(await storage.treeOf(`p${2 * limits.batchUnits - 1}`)).toBeDefined()
        expect(await storage.treeOf('late')).toBeUndefined()
      })

      test('may be called again', async () => {
        await Promise.all([storage.close(), storage.close()])
        await storage.close()
      })
    })
  })
}
