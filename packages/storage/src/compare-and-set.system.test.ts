import { describe, expect, test } from 'vitest'
import { describeDialects } from './testing/each-dialect.ts'
import {
  account,
  acquirerAttempt,
  connector,
  expectedVersion,
  idempotencyKey,
  terminal,
  transaction,
  uniqueKey,
} from './testing/sample-rows.ts'

const committed = { kind: 'committed' }
const stale = { kind: 'stale' }

describeDialects((dialect) => {
  const { commit } = dialect

  describe('a compare-and-set', () => {
    const [sealed, renewed] = [account('a1'), account('a1', { wrapped_key: Uint8Array.of(9), key_id: 'k2' })]
    const shredded = account('a1', { sealed: null, wrapped_key: null, key_id: null })

    test('replaces an account that has not changed since it was read', async () => {
      await commit({ rows: { account: [sealed, account('a2')] } })
      expect(await commit({ compareAndSets: [{ table: 'account' as const, from: sealed, to: renewed }] })).toEqual(
        committed,
      )
      expect(await dialect.storage.account('a1')).toEqual(renewed)
      expect(await dialect.storage.account('a2')).toEqual(account('a2'))
    })

    test('replaces rows of tables to which units otherwise only add', async () => {
      const [attempt, answered] = [acquirerAttempt('b1'), acquirerAttempt('b1', { outcome: '00' })]
      const [free, leased] = [terminal('t1'), terminal('t1', { held_by: 'p', next_trace: 1_001 })]
      const [enabled, disabled] = [connector('acme'), connector('acme', { state: 'disabled' })]
      await commit({ rows: { acquirer_attempt: [attempt], terminal: [free], connector: [enabled] } })
      const compareAndSets = [
        { table: 'acquirer_attempt' as const, from: attempt, to: answered },
        { table: 'terminal' as const, from: free, to: leased },
        { table: 'connector' as const, from: enabled, to: disabled },
      ]
      expect(await commit({ compareAndSets })).toEqual(committed)
      expect(await dialect.storage.acquirerAttempts(attempt.transaction_id)).toEqual([answered])
      expect(await dialect.storage.terminals()).toEqual([leased])
      expect(await dialect.storage.connectors()).toEqual([disabled])
      expect(await commit({ compareAndSets })).toEqual(stale)
    })

    test.each([
      ['was shredded in the meantime', shredded],
      ['has another text', account('a1', { holder: 'Jane Doe' })],
      ['has another byte', account('a1', { sealed: Uint8Array.of(0, 255, 8) })],
      ['has null in place of a value', account('a1', { fingerprint: null })],
    ])('of an account that %s writes nothing', async (_, stored) => {
      await commit({ rows: { account: [stored, account('a2')] } })
      const unit = {
        expectedVersions: [expectedVersion('p1')],
        claim: idempotencyKey('k1'),
        compareAndSets: [
          { table: 'account' as const, from: account('a2'), to: account('a2', { key_id: 'k2' }) },
          { table: 'account' as const, from: sealed, to: renewed },
        ],
        rows: { payment_transaction: [transaction('p1')] },
      }
      expect(await commit(unit)).toEqual(stale)
      expect(await dialect.storage.account('a1')).toEqual(stored)
      expect(await dialect.storage.account('a2')).toEqual(account('a2'))
      expect(await dialect.storage.treeOf('p1')).toBeUndefined()
      expect(await dialect.storage.idempotencyKey('k1')).toBeUndefined()
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

    test('succeeds for one of two concurrent units, so that an erased number stays erased', async () => {
      await commit({ rows: { account: [sealed] } })
      const race = [shredded, renewed].map((to) =>
        commit({ compareAndSets: [{ table: 'account' as const, from: sealed, to }] }),
      )
      expect(await Promise.all(race)).toEqual([committed, stale])
      expect(await dialect.storage.account('a1')).toEqual(shredded)
    })

    test('decides an undecided transaction once, and changes neither a decided one nor a key', async () => {
      const withStatus = (status: string) => transaction('c1', 'p1', { status })
      const [sent, approved, declined] = [withStatus('SENT'), withStatus('ACK'), withStatus('NOK')]
      await commit({
        expectedVersions: [expectedVersion('p1')],
        rows: { payment_transaction: [transaction('p1'), sent] },
      })
      const race = [approved, declined].map((to) =>
        commit({ compareAndSets: [{ table: 'payment_transaction' as const, from: sent, to }] }),
      )
      expect(await Promise.all(race)).toEqual([committed, stale])
      expect((await dialect.storage.treeOf('c1'))?.transactions).toEqual([transaction('p1'), approved])
      for (const compareAndSet of [
        { from: approved, to: declined },
        { from: sent, to: { ...approved, root_id: 'p2' } },
        { from: sent, to: { ...approved, id: 'c2' } },
      ]) {
        const compareAndSets = [{ table: 'payment_transaction' as const, ...compareAndSet }]
        await expect(commit({ compareAndSets })).rejects.toMatchObject({ kind: 'constraint' })
      }
    })

    test('replaces the answer of a claim and removes a unique key, unless the same unit adds them', async () => {
      const [first, unique] = [idempotencyKey('k1'), uniqueKey('u1')]
      await commit({ claim: first, unique: [unique] })
      const replaced = { ...first, answer: '{}' }
      const compareAndSets = [
        { table: 'idempotency_key' as const, from: first, to: replaced },
        { table: 'unique_key' as const, from: unique, to: null },
      ]
      for (const added of [{ claim: first }, { unique: [unique] }]) {
        await expect(commit({ compareAndSets, ...added })).rejects.toMatchObject({ kind: 'constraint' })
      }
      expect(await dialect.storage.uniqueKey('u1')).toEqual(unique)
      expect([await commit({ compareAndSets }), await commit({ compareAndSets })]).toEqual([committed, stale])
      expect(await dialect.storage.uniqueKey('u1')).toBeUndefined()
      expect(await dialect.storage.idempotencyKey('k1')).toEqual(replaced)
      expect(await commit({ unique: [uniqueKey('u1', { transaction_id: 'p2' })] })).toEqual(committed)
    })

    test('of a row that cannot be stored is refused', async () => {
      const invalid = Object.assign(account('a1'), { kind: null })
      for (const compareAndSet of [
        { table: 'account' as const, from: invalid, to: renewed },
        { table: 'account' as const, from: sealed, to: invalid },
      ]) {
        await expect(commit({ compareAndSets: [compareAndSet] })).rejects.toMatchObject({ kind: 'constraint' })
      }
    })
  })
})
