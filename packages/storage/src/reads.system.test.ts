import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import type { Unit } from './port.ts'
import type { AccountRow } from './schema.ts'
import { describeDialects } from './testing/each-dialect.ts'
import {
  accessToken,
  account,
  cardDeclines,
  entity,
  expectedVersion,
  registration,
  riskRules,
  routeList,
  transaction,
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

  describe('a scan of the accounts', () => {
    const ids = ['a1', 'a2', 'a3', 'a4', 'a5']
    const keyIds: Readonly<Record<string, Partial<AccountRow>>> = {
      a2: { key_id: 'k2' },
      a4: { fingerprint_key_id: 'f2' },
      a5: { key_id: null, fingerprint_key_id: null },
    }
    const rows = ids.map((id) => account(id, keyIds[id]))

    test('reads page by page in the order of the ids, not of the commits', async () => {
      for (const row of rows.toReversed()) await commit({ rows: { account: [row] } })
      expect(await dialect.storage.accountsAfter('', 2)).toEqual(rows.slice(0, 2))
      expect(await dialect.storage.accountsAfter('a2', 2)).toEqual(rows.slice(2, 4))
      expect(await dialect.storage.accountsAfter('a4', 2)).toEqual(rows.slice(4))
      expect(await dialect.storage.accountsAfter('a5', 2)).toEqual([])
    })

    test('counts the accounts of a page by their keys', async () => {
      await commit({ rows: { account: rows } })
      const keysAfter = async (id: string, count: number) =>
        (await dialect.storage.accountKeysAfter(id, count)).toSorted((a, b) => (a.last_id < b.last_id ? -1 : 1))
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

  describe('reads', () => {
    test('find a tree by its root and by any child', async () => {
      await commit(payment('p1'))
      await commit({
        expectedVersions: [expectedVersion('p1', 1)],
        rows: { payment_transaction: [transaction('c1', 'p1')] },
      })
      const tree = await dialect.storage.treeOf('p1')
      expect(tree?.transactions).toEqual([transaction('p1'), transaction('c1', 'p1')])
      expect(await dialect.storage.treeOf('c1')).toEqual(tree)
      expect(await dialect.storage.treeOf('c2')).toBeUndefined()
    })

    test('return the root first and then the children by id, not in the order of commits', async () => {
      const rows = ['c9', 'a1', 'p1', 'c1'].map((id) => transaction(id, 'p1'))
      await commit({ expectedVersions: [expectedVersion('p1')], rows: { payment_transaction: rows } })
      expect((await dialect.storage.treeOf('c9'))?.transactions.map(({ id }) => id)).toEqual(['p1', 'a1', 'c1', 'c9'])
    })

    test('find the trees with children among roots', async () => {
      await Promise.all(['p1', 'p2', 'p3', 'p4'].map((id) => commit(payment(id))))
      for (const [version, child] of ['c9', 'a1'].entries())
        await commit({
          expectedVersions: [expectedVersion('p1', version + 1)],
          rows: { payment_transaction: [transaction(child, 'p1')] },
        })
      await commit({
        expectedVersions: [expectedVersion('p4', 1)],
        rows: { payment_transaction: [transaction('c4', 'p4')] },
      })
      // A tree of version 2 without children.
      await commit({ expectedVersions: [expectedVersion('p2', 1)] })
      const { storage } = dialect
      expect(await storage.treesWithChildren(['p1', 'p2', 'p3', 'c9', 'unknown', 'p1'])).toEqual([
        await storage.treeOf('p1'),
      ])
      const trees = await storage.treesWithChildren(['p4', 'p3', 'p1'])
      expect(new Map(trees.map((tree) => [tree.id, tree]))).toEqual(
        new Map([
          ['p1', await storage.treeOf('p1')],
          ['p4', await storage.treeOf('p4')],
        ]),
      )
      expect(await storage.treesWithChildren([])).toEqual([])
    })

    test('find a child in one tree only, because a constraint refuses the same child in a second tree', async () => {
      await Promise.all(['p1', 'p2'].map((id) => commit(payment(id))))
      await commit({ rows: { payment_transaction: [transaction('c1', 'p1')] } })
      const second = commit({ rows: { payment_transaction: [transaction('c1', 'p2')] } })
      await expect(second).rejects.toMatchObject({ kind: 'constraint' })
    })

    test('return the rows of a counter since a time, the newest first', async () => {
      const velocityAt = (id: string, created_at_ms: number) => velocity(id, { created_at_ms })
      const otherRows = [velocity('o1', { counter: 'another' }), velocity('o2', { merchant: 'another' })]
      await commit({
        rows: {
          velocity: [velocityAt('p2', 5), velocityAt('p1', 5), velocityAt('p0', 4), velocityAt('p3', 6), ...otherRows],
        },
      })
      const { counter, merchant } = velocity('')
      expect(await dialect.storage.velocity(counter, merchant, 5)).toEqual([
        velocityAt('p3', 6),
        velocityAt('p2', 5),
        velocityAt('p1', 5),
      ])
      expect(await dialect.storage.velocity(counter, 'unknown', 0)).toEqual([])
    })

    test('return a bounded number of rows of a counter', async () => {
      const rows = Array.from({ length: limits.velocityRows + 1 }, (_, atMs) => velocity('p', { created_at_ms: atMs }))
      await commit({ rows: { velocity: rows } })
      const { counter, merchant } = velocity('')
      expect(await dialect.storage.velocity(counter, merchant, 0)).toEqual(rows.slice(1).toReversed())
    })

    test('find a transaction once in a counter, because a constraint refuses a second row', async () => {
      await commit({ rows: { velocity: [velocity('p1')] } })
      await expect(commit({ rows: { velocity: [velocity('p1')] } })).rejects.toMatchObject({ kind: 'constraint' })
      const twice = commit({ rows: { velocity: [velocity('p2'), velocity('p2')] } })
      await expect(twice).rejects.toMatchObject({ kind: 'constraint' })
    })

    test('return the rows of all counters before a time, the oldest first, for their removal', async () => {
      const rows = [3, 1, 2].map((atMs) => velocity('p', { counter: `c${atMs}`, created_at_ms: atMs }))
      await commit({ rows: { velocity: rows } })
      const old = await dialect.storage.velocityBefore(3, 9)
      expect(old).toEqual([rows[1], rows[2]])
      expect(await dialect.storage.velocityBefore(3, 1)).toEqual([rows[1]])
      const compareAndSets = old.map((from) => ({ table: 'velocity' as const, from, to: null }))
      expect([await commit({ compareAndSets }), await commit({ compareAndSets })]).toEqual([committed, stale])
      expect(await dialect.storage.velocityBefore(9, 9)).toEqual([rows[0]])
    })

    test('return the declines of a card, those changed after a row, and those that have expired', async () => {
      const [first, second, third] = [
        ['d2', 1, 9],
        ['d1', 2, 7],
        ['d3', 2, 8],
      ] as const
      const rowOf = ([id, changed_at_ms, expires_at_ms]: readonly [string, number, number]) =>
        cardDeclines(id, { changed_at_ms, expires_at_ms })
      await commit({ rows: { card_declines: [third, first, second].map(rowOf) } })
      const { storage } = dialect
      expect([await storage.cardDeclines('d1'), await storage.cardDeclines('d4')]).toEqual([rowOf(second), undefined])
      expect(await storage.cardDeclinesAfter(0, '', 2)).toEqual([first, second].map(rowOf))
      expect(await storage.cardDeclinesAfter(2, 'd1', 9)).toEqual([rowOf(third)])
      expect(await storage.cardDeclinesAfter(2, 'd3', 9)).toEqual([])
      expect(await storage.cardDeclinesBefore(9, 9)).toEqual([second, third].map(rowOf))
      expect(await storage.cardDeclinesBefore(9, 1)).toEqual([rowOf(second)])
    })

    test('return accounts, registrations, entities, rules, tokens and values as last written', async () => {
      await commit({
        rows: {
          account: [account('a1')],
          registration: [registration('r1')],
          entity: [entity('e2'), entity('e1')],
          risk_rules: [riskRules('e2'), riskRules('e1')],
          route_list: [routeList('e2'), routeList('e1')],
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
          route_list: [routeList('e2', { routes: null })],
          access_token: [accessToken('t2', { revoked_at_ms: 5 })],
          installation: [{ name: 'n', value: '2' }],
        },
      })
      expect(await dialect.storage.account('a1')).toEqual(shredded)
      expect(await dialect.storage.registration('r1')).toEqual(deleted)
      expect(await dialect.storage.entities()).toEqual([entity('e1'), entity('e2', { name: 'Renamed' })])
      expect(await dialect.storage.riskRules()).toEqual([riskRules('e1'), riskRules('e2', { rules: null })])
      expect(await dialect.storage.routeLists()).toEqual([routeList('e1'), routeList('e2', { routes: null })])
      expect(await dialect.storage.accessTokens()).toEqual([accessToken('t1'), accessToken('t2', { revoked_at_ms: 5 })])
      expect(await dialect.storage.installation('n')).toBe('2')
    })

    test('return the time of the last use of a registration: its creation, or a payment unless declined', async () => {
      const registered = transaction('r1', 'r1', { type: 'RG', registration_id: 'r1', created_at_ms: 10 })
      const paid = transaction('p1', 'p1', { registration_id: 'r1', created_at_ms: 30 })
      const refunded = transaction('c1', 'p1', { registration_id: 'r1', created_at_ms: 40 })
      const other = transaction('p2', 'p2', { registration_id: 'r2', created_at_ms: 50 })
      await commit({ rows: { payment_transaction: [registered] } })
      expect(await dialect.storage.lastUse('r1')).toBe(10)
      const rejected = transaction('p3', 'p3', { registration_id: 'r1', created_at_ms: 60, status: 'NOK' })
      await commit({ rows: { payment_transaction: [paid, refunded, other, rejected] } })
      expect(await dialect.storage.lastUse('r1')).toBe(30)
      expect(await dialect.storage.lastUse('r3')).toBeUndefined()
    })

    test('list expired registrations, the longest expired first, a page at a time', async () => {
      const due = [5, 3, 4].map((atMs) => registration(`r${atMs}`, { expires_at_ms: atMs }))
      const otherRows = [
        registration('r6', { expires_at_ms: 6 }),
        registration('r1', { expires_at_ms: 1, deleted_at_ms: 2 }),
      ]
      await commit({ rows: { registration: [...due, ...otherRows] } })
      const ids = async (atMs: number, max: number) =>
        (await dialect.storage.expiredRegistrations(atMs, max)).map(({ id }) => id)
      expect(await ids(5, 10)).toEqual(['r3', 'r4', 'r5'])
      expect(await ids(5, 2)).toEqual(['r3', 'r4'])
      expect(await ids(2, 10)).toEqual([])
      expect(await dialect.storage.expiredRegistrations(3, 1)).toEqual([registration('r3', { expires_at_ms: 3 })])
    })

    test('find the oldest transaction of a merchant with a network id, a root or a child', async () => {
      const withNetworkId = (id: string, atMs: number, changes = {}) =>
        transaction(id, id, { network_transaction_id: 'n1', created_at_ms: atMs, ...changes })
      const otherMerchantVersion = { ...expectedVersion('p4'), merchant: 'another' }
      const rows = [
        withNetworkId('p1', 20),
        withNetworkId('p2', 10),
        withNetworkId('p3', 1, { network_transaction_id: 'n2' }),
        withNetworkId('p4', 1, { merchant: 'another' }),
        transaction('c1', 'p2', { network_transaction_id: 'n4' }),
      ]
      await commit({
        expectedVersions: [expectedVersion('p1'), expectedVersion('p2'), expectedVersion('p3'), otherMerchantVersion],
        rows: { payment_transaction: rows },
      })
      await commit({ expectedVersions: [expectedVersion('p2', 1)] })
      const { merchant } = expectedVersion('p1')
      expect(await dialect.storage.byNetworkId('n1', merchant)).toEqual({ row: withNetworkId('p2', 10), version: 2 })
      expect(await dialect.storage.byNetworkId('n3', merchant)).toBeUndefined()
      expect(await dialect.storage.byNetworkId('n4', merchant)).toEqual({ row: rows[4], version: 2 })
    })

    test('find the newest transactions with an initial transaction id', async () => {
      const withInitialId = (id: string, atMs: number, changes = {}) =>
        transaction(id, id, { initial_transaction_id: 'n1', created_at_ms: atMs, ...changes })
      const rows = [
        withInitialId('p3', 30),
        withInitialId('p1', 10),
        withInitialId('p2', 20),
        withInitialId('p4', 40, { initial_transaction_id: 'n2' }),
        withInitialId('p5', 40, { merchant: 'another' }),
        transaction('c1', 'p1', { initial_transaction_id: 'n1', created_at_ms: 25 }),
      ]
      await commit({ rows: { payment_transaction: rows } })
      const ids = async (max: number) =>
        (await dialect.storage.newestOfAgreement('n1', expectedVersion('p1').merchant, max)).map(({ id }) => id)
      expect([await ids(10), await ids(2), await ids(0)]).toEqual([['p3', 'c1', 'p2', 'p1'], ['p3', 'c1'], []])
      expect(await dialect.storage.newestOfAgreement('n2', expectedVersion('p1').merchant, 1)).toEqual([rows[3]])
    })

    test('find nothing in an empty database', async () => {
      expect(await dialect.storage.treeOf('p1')).toBeUndefined()
      expect(await dialect.storage.account('a1')).toBeUndefined()
      expect(await dialect.storage.registration('r1')).toBeUndefined()
      expect(await dialect.storage.lastUse('r1')).toBeUndefined()
      expect(await dialect.storage.expiredRegistrations(Number.MAX_SAFE_INTEGER, 10)).toEqual([])
      expect(await dialect.storage.byNetworkId('n1', 'm')).toBeUndefined()
      expect(await dialect.storage.newestOfAgreement('n1', 'm', 10)).toEqual([])
      expect(await dialect.storage.idempotencyKey('k1')).toBeUndefined()
      expect(await dialect.storage.installation('n')).toBeUndefined()
      expect(await dialect.storage.velocity('c', 'm', 0)).toEqual([])
      expect(await dialect.storage.entities()).toEqual([])
      expect(await dialect.storage.riskRules()).toEqual([])
      expect(await dialect.storage.routeLists()).toEqual([])
      expect(await dialect.storage.connectors()).toEqual([])
      expect(await dialect.storage.accessTokens()).toEqual([])
    })

    test('return copies, which the caller may change', async () => {
      await commit({ rows: { account: [account('a1')] } })
      ;(await dialect.storage.account('a1'))?.sealed?.fill(0)
      expect(await dialect.storage.account('a1')).toEqual(account('a1'))
    })
  })
})
