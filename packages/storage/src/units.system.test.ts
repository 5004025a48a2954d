import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import type { Unit } from './port.ts'
import { describeDialects } from './testing/each-dialect.ts'
import {
  accessToken,
  account,
  entity,
  expectedVersion,
  idempotencyKey,
  registration,
  connector,
  riskRules,
  routeList,
  transaction,
  uniqueKey,
  velocity,
} from './testing/sample-rows.ts'

/** A unit of one payment. */
const payment = (id: string): Partial<Unit> => ({
  expectedVersions: [expectedVersion(id)],
  rows: { payment_transaction: [transaction(id)] },
})

const committed = { kind: 'committed' }
const stale = { kind: 'stale' }

describeDialects((dialect) => {
  const { commit } = dialect

  describe('a unit', () => {
    test('stores all of its rows, in every column', async () => {
      const rows = {
        payment_transaction: [transaction('p1', 'p1', { test_mode: 'INTERNAL', merchant_transaction_id: 'order 1' })],
        account: [account('a1')],
        registration: [registration('r1')],
        velocity: [velocity('p1')],
        entity: [entity('e1')],
        risk_rules: [riskRules('e1')],
        route_list: [routeList('e1')],
        connector: [connector('acme', { sealed: Uint8Array.of(0, 255), wrapped_key: Uint8Array.of(7) })],
        access_token: [accessToken('t1', { expires_at_ms: Number.MAX_SAFE_INTEGER })],
        installation: [{ name: 'first.start', value: '2026-01-01' }],
      }
      expect(await commit({ expectedVersions: [expectedVersion('p1')], claim: idempotencyKey('k1'), rows })).toEqual(
        committed,
      )

      expect(await dialect.storage.treeOf('p1')).toEqual({
        ...expectedVersion('p1', 1),
        transactions: rows.payment_transaction,
      })
      expect(await dialect.storage.account('a1')).toEqual(rows.account[0])
      expect(await dialect.storage.registration('r1')).toEqual(rows.registration[0])
      expect(await dialect.storage.idempotencyKey('k1')).toEqual(idempotencyKey('k1'))
      const { counter, merchant } = velocity('p1')
      expect(await dialect.storage.velocity(counter, merchant, 0)).toEqual(rows.velocity)
      expect(await dialect.storage.entities()).toEqual(rows.entity)
      expect(await dialect.storage.riskRules()).toEqual(rows.risk_rules)
      expect(await dialect.storage.routeLists()).toEqual(rows.route_list)
      expect(await dialect.storage.connectors()).toEqual(rows.connector)
      expect(await dialect.storage.accessTokens()).toEqual(rows.access_token)
      expect(await dialect.storage.installation('first.start')).toBe('2026-01-01')
    })

    test('stores text of any script and bytes of any value', async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index)
      const holder = 'Łukasz 李 👩‍💳'
      await commit({ rows: { account: [account('a1', { holder, sealed: bytes }), account('a2')] } })
      expect(await dialect.storage.account('a1')).toEqual(account('a1', { holder, sealed: bytes }))
      expect(await dialect.storage.account('a2')).toEqual(account('a2'))
    })

    test('at a stale version writes nothing', async () => {
      await commit(payment('p1'))
      const unit = {
        expectedVersions: [expectedVersion('p2'), expectedVersion('p1')],
        claim: idempotencyKey('k1'),
        rows: { payment_transaction: [transaction('p2'), transaction('p1')], account: [account('a1')] },
      }
      expect(await commit(unit)).toEqual(stale)
      expect(await dialect.storage.treeOf('p2')).toBeUndefined()
      expect(await dialect.storage.account('a1')).toBeUndefined()
      expect(await dialect.storage.idempotencyKey('k1')).toBeUndefined()
    })

    test('that breaks a constraint writes nothing', async () => {
      await commit(payment('p1'))
      const rows = { account: [account('a1')], payment_transaction: [transaction('p2'), transaction('p1')] }
      await expect(
        commit({ expectedVersions: [expectedVersion('p2')], claim: idempotencyKey('k1'), rows }),
      ).rejects.toMatchObject({
        name: 'StorageError',
        kind: 'constraint',
      })
      expect(await dialect.storage.treeOf('p2')).toBeUndefined()
      expect(await dialect.storage.account('a1')).toBeUndefined()
      expect(await dialect.storage.idempotencyKey('k1')).toBeUndefined()
    })

    test.each([
      [
        'a fraction of a minor unit',
        { amount_minor: 92.5 },
        'payment_transaction.amount_minor must be integer or null',
      ],
      ['NaN as an amount', { amount_minor: Number.NaN }, 'payment_transaction.amount_minor must be integer or null'],
      ['a missing type', { type: undefined }, 'payment_transaction.type must be text'],
      ['a number for a text', { currency: 978 }, 'payment_transaction.currency must be text or null'],
    ])('with %s is refused', async (_, changes, message) => {
      const row = Object.assign(transaction('p1'), changes)
      await expect(commit({ rows: { payment_transaction: [row] } })).rejects.toMatchObject({
        kind: 'constraint',
        message,
      })
    })

    test('of too many rows, or that expects a version of a tree twice, is refused', async () => {
      const rows = Array.from({ length: limits.unitRows + 1 }, () => ({ name: 'n', value: 'v' }))
      await expect(commit({ rows: { installation: rows } })).rejects.toMatchObject({ kind: 'constraint' })
      await expect(commit({ expectedVersions: [expectedVersion('p1'), expectedVersion('p1')] })).rejects.toMatchObject({
        kind: 'constraint',
      })
    })

    test('is stored with the values at the time of the call', async () => {
      const sealed = Uint8Array.of(1, 2, 3)
      const row = account('a1', { sealed })
      const result = commit({ rows: { account: [row] } })
      sealed.fill(0)
      await result
      expect((await dialect.storage.account('a1'))?.sealed).toEqual(Uint8Array.of(1, 2, 3))
    })
  })

  describe('an expected version', () => {
    test('creates a tree once', async () => {
      expect(await commit(payment('p1'))).toEqual(committed)
      expect(await commit(payment('p1'))).toEqual(stale)
      expect(await dialect.storage.treeOf('p1')).toMatchObject({ version: 1 })
    })

    test('increments only the version that was read', async () => {
      await commit(payment('p1'))
      const capture = (id: string, version: number) =>
        commit({
          expectedVersions: [expectedVersion('p1', version)],
          rows: { payment_transaction: [transaction(id, 'p1')] },
        })
      expect(await capture('c1', 1)).toEqual(committed)
      expect(await capture('c2', 1)).toEqual(stale)
      expect(await capture('c2', 3)).toEqual(stale)
      expect(await capture('c2', 2)).toEqual(committed)
      const tree = await dialect.storage.treeOf('p1')
      expect(tree?.version).toBe(3)
      expect(tree?.transactions.map(({ id }) => id)).toEqual(['p1', 'c1', 'c2'])
    })

    test('of a tree that does not exist is stale', async () => {
      expect(await commit({ expectedVersions: [expectedVersion('p1', 1)] })).toEqual(stale)
    })

    test('of a tree of another merchant is stale', async () => {
      await commit(payment('p1'))
      expect(await commit({ expectedVersions: [{ ...expectedVersion('p1', 1), merchant: 'another' }] })).toEqual(stale)
      const created = {
        expectedVersions: [{ ...expectedVersion('p1'), merchant: 'another' }],
        rows: { payment_transaction: [transaction('p1', 'p1', { merchant: 'another' })] },
      }
      expect(await commit(created)).toEqual(stale)
    })

    test('0 is refused without the root of the new tree', async () => {
      const ofAnother = transaction('p1', 'p1', { merchant: 'another' })
      const rows = { payment_transaction: [transaction('p2'), transaction('p1', 'p2'), ofAnother] }
      await expect(commit({ expectedVersions: [expectedVersion('p1')], rows })).rejects.toMatchObject({
        kind: 'constraint',
        message: 'the unit creates a tree without its root',
      })
    })

    test('accepts one of two concurrent units', async () => {
      await commit(payment('p1'))
      const race = ['c1', 'c2'].map((id) =>
        commit({
          expectedVersions: [expectedVersion('p1', 1)],
          rows: { payment_transaction: [transaction(id, 'p1')] },
        }),
      )
      expect(await Promise.all(race)).toEqual([committed, stale])
      expect((await dialect.storage.treeOf('p1'))?.transactions).toHaveLength(2)
    })
  })

  describe('an idempotency claim', () => {
    test('of a claimed key returns the stored row, and writes nothing', async () => {
      expect(await commit({ ...payment('p1'), claim: idempotencyKey('k1') })).toEqual(committed)
      const second = { ...payment('p2'), claim: idempotencyKey('k1', { answer: 'second', fingerprint: 'f2' }) }
      expect(await commit(second)).toEqual({ kind: 'claimed', row: idempotencyKey('k1') })
      expect(await dialect.storage.treeOf('p2')).toBeUndefined()
    })

    test('is checked before the expected versions', async () => {
      const unit = { ...payment('p1'), claim: idempotencyKey('k1') }
      await commit(unit)
      expect(await commit(unit)).toEqual({ kind: 'claimed', row: idempotencyKey('k1') })
    })

    test('succeeds for one of two concurrent units', async () => {
      const race = ['p1', 'p2'].map((id) => commit({ ...payment(id), claim: idempotencyKey('k1') }))
      expect(await Promise.all(race)).toEqual([committed, { kind: 'claimed', row: idempotencyKey('k1') }])
      expect(await dialect.storage.treeOf('p2')).toBeUndefined()
    })

    test('succeeds again after the key has expired', async () => {
      const [first, late, next] = [1, 8, 9].map((ms) =>
        idempotencyKey('k1', { created_at_ms: ms, expires_at_ms: ms + 8 }),
      )
      await commit({ claim: first })
      expect(await commit({ claim: late })).toEqual({ kind: 'claimed', row: first })
      expect(await commit({ claim: next })).toEqual(committed)
      expect(await dialect.storage.idempotencyKey('k1')).toEqual(next)
    })

    test('that has expired is removed by a later claim, which removes a few at a time', async () => {
      for (const id of ['k1', 'k2', 'k3'])
        await commit({ claim: idempotencyKey(id, { created_at_ms: 0, expires_at_ms: 5 }) })
      await commit({ claim: idempotencyKey('k4', { created_at_ms: 5, expires_at_ms: 9 }) })
      const remaining = await Promise.all(['k1', 'k2', 'k3'].map((id) => dialect.storage.idempotencyKey(id)))
      expect(remaining.filter((row) => row !== undefined).length).toBe(3 - limits.expiredRemoved)
    })

    test('is not stored by a stale unit', async () => {
      await commit(payment('p1'))
      const race = ['p1', 'p2'].map((id) => commit({ ...payment(id), claim: idempotencyKey('k1') }))
      expect(await Promise.all(race)).toEqual([stale, committed])
    })
  })

  describe('a unique key', () => {
    const first = uniqueKey('k1')
    const second = uniqueKey('k1', { transaction_id: 'p2' })
    const conflictWithFirst = { kind: 'conflict', row: first }

    test('is stored once, and a second unit with it writes nothing', async () => {
      expect(await commit({ ...payment('p1'), unique: [first] })).toEqual(committed)
      const again = { ...payment('p2'), claim: idempotencyKey('i1'), unique: [uniqueKey('k2'), second] }
      expect(await commit(again)).toEqual(conflictWithFirst)
      expect(await dialect.storage.treeOf('p2')).toBeUndefined()
      expect(await dialect.storage.idempotencyKey('i1')).toBeUndefined()
      expect(await commit({ ...payment('p3'), unique: [uniqueKey('k2', { transaction_id: 'p3' })] })).toEqual(committed)
    })

    test('is checked after the claim and the expected versions', async () => {
      await commit({ ...payment('p1'), claim: idempotencyKey('i1'), unique: [first] })
      expect(await commit({ claim: idempotencyKey('i1'), unique: [first] })).toMatchObject({ kind: 'claimed' })
      expect(await commit({ ...payment('p1'), unique: [first] })).toEqual(stale)
    })

    test('is stored by one of two concurrent units, and not by a stale unit', async () => {
      await commit(payment('p1'))
      const race = ['p1', 'p2', 'p3'].map((id) =>
        commit({ ...payment(id), unique: [uniqueKey('k1', { transaction_id: id })] }),
      )
      const conflict = { kind: 'conflict', row: uniqueKey('k1', { transaction_id: 'p2' }) }
      expect(await Promise.all(race)).toEqual([stale, committed, conflict])
    })

    test('that has expired can be stored by another unit', async () => {
      const keyAt = (id: string, atMs: number, endMs: number | null) =>
        uniqueKey('k1', { transaction_id: id, created_at_ms: atMs, expires_at_ms: endMs })
      expect(await commit({ unique: [keyAt('p1', 1000, 2000)] })).toEqual(committed)
      expect(await commit({ unique: [keyAt('p2', 1999, 2999)] })).toEqual({
        kind: 'conflict',
        row: keyAt('p1', 1000, 2000),
      })
      expect(await commit({ unique: [keyAt('p3', 2000, 3000)] })).toEqual(committed)
      expect(await commit({ unique: [keyAt('p4', 2500, null)] })).toEqual({
        kind: 'conflict',
        row: keyAt('p3', 2000, 3000),
      })
      expect(await commit({ unique: [keyAt('p5', 3000, null)] })).toEqual(committed)
      expect(await commit({ unique: [keyAt('p6', 9000, null)] })).toEqual({
        kind: 'conflict',
        row: keyAt('p5', 3000, null),
      })
    })

    test('remains when the storage is opened again', async () => {
      await commit({ unique: [first] })
      await dialect.storage.close()
      dialect.storage = await dialect.open()
      expect(await commit({ unique: [second] })).toEqual(conflictWithFirst)
    })
  })

  describe('concurrent units', () => {
    test('are all committed, and counted with their batches', async () => {
      const ids = Array.from({ length: 64 }, (_, index) => `p${index}`)
      const before = dialect.storage.totals()
      expect(await Promise.all(ids.map((id) => commit(payment(id))))).toEqual(ids.map(() => committed))
      for (const id of ids) expect(await dialect.storage.treeOf(id)).toMatchObject({ id, version: 1 })
      expect(dialect.storage.depth()).toBe(0)
      const after = dialect.storage.totals()
      expect(after.units - before.units).toBe(64)
      expect(after.batches - before.batches).toBeGreaterThan(0)
      expect(after.batches - before.batches).toBeLessThanOrEqual(64)
    })

    test('are committed in the order of their arrival, even in several batches', async () => {
      const values = Array.from({ length: 3 * limits.batchUnits + 1 }, (_, index) => String(index))
      await Promise.all(values.map((value) => commit({ rows: { installation: [{ name: 'last', value }] } })))
      expect(await dialect.storage.installation('last')).toBe(values.at(-1))
    })

    test('are committed even if other units break a constraint', async () => {
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
      expect(await dialect.storage.treeOf('p1')).toMatchObject({ version: 1 })
      expect(await dialect.storage.treeOf('p2')).toMatchObject({ version: 1 })
    })
  })

  describe('close', () => {
    test('keeps all rows', async () => {
      await commit({ ...payment('p1'), claim: idempotencyKey('k1') })
      await dialect.storage.close()
      dialect.storage = await dialect.open()
      expect(await dialect.storage.treeOf('p1')).toEqual({
        ...expectedVersion('p1', 1),
        transactions: [transaction('p1')],
      })
      expect(await commit({ ...payment('p1'), claim: idempotencyKey('k1') })).toMatchObject({ kind: 'claimed' })
    })

    test('completes earlier units, and refuses later ones', async () => {
      const earlier = Array.from({ length: 2 * limits.batchUnits }, (_, index) => commit(payment(`p${index}`)))
      const closed = dialect.storage.close()
      await expect(commit(payment('late'))).rejects.toMatchObject({ kind: 'unavailable' })
      expect(new Set((await Promise.all(earlier)).map(({ kind }) => kind))).toEqual(new Set(['committed']))
      await closed
      await expect(dialect.storage.treeOf('p1')).rejects.toMatchObject({ kind: 'unavailable' })
      dialect.storage = await dialect.open()
      expect(await dialect.storage.treeOf(`p${2 * limits.batchUnits - 1}`)).toBeDefined()
      expect(await dialect.storage.treeOf('late')).toBeUndefined()
    })

    test('may be called again', async () => {
      await Promise.all([dialect.storage.close(), dialect.storage.close()])
      await dialect.storage.close()
    })
  })
})
