import { describe, expect, test } from 'vitest'
import type { TransactionFeedRow } from './schema.ts'
import { describeDialects } from './testing/each-dialect.ts'
import { expectedVersion, ledgerDay, transaction, transactionFeed } from './testing/sample-rows.ts'

const pending = (id: string, root = id) => transaction(id, root, { status: 'SENT' })
const { merchant } = transaction('p1')

describeDialects((dialect) => {
  const { commit } = dialect
  const late = async () => {
    const rows = await dialect.storage.lateTransactions('', 'z', 99)
    return rows.map(({ id, status }) => `${id} ${status}`)
  }
  const add = (id: string, status = 'ACK') =>
    commit({
      expectedVersions: [expectedVersion(id)],
      rows: { payment_transaction: [transaction(id, id, { status })] },
    })
  const closeBefore = async (position: string) => {
    const from = await dialect.storage.transactionFeed('transactions')
    const to: TransactionFeedRow = transactionFeed({ closed_before: position })
    return from
      ? commit({ compareAndSets: [{ table: 'transaction_feed', from, to }] })
      : commit({ rows: { transaction_feed: [to] } })
  }

  describe('the feed of transactions', () => {
    test('records added transactions below the position at which it is closed, and no others', async () => {
      await add('p1')
      await closeBefore('p5')
      await Promise.all([add('p2'), add('p5'), add('p6', 'SENT'), add('p3', 'SENT')])
      expect(await late()).toEqual(['p2 ACK', 'p3 SENT'])
    })

    test('records each change of a transaction below the position', async () => {
      await add('p1', 'SENT')
      await add('p7', 'SENT')
      await closeBefore('p5')
      await commit({
        compareAndSets: [
          { table: 'payment_transaction', from: pending('p1'), to: transaction('p1', 'p1', { status: 'PENDING' }) },
          { table: 'payment_transaction', from: pending('p7'), to: transaction('p7') },
        ],
      })
      await commit({
        compareAndSets: [
          { table: 'payment_transaction', from: transaction('p1', 'p1', { status: 'PENDING' }), to: transaction('p1') },
        ],
      })
      expect(await late()).toEqual(['p1 ACK', 'p1 PENDING'])
    })

    test('records children by their own ids', async () => {
      await add('p1')
      await closeBefore('p5')
      await commit({
        expectedVersions: [expectedVersion('p1', 1)],
        rows: { payment_transaction: [transaction('p4', 'p1'), transaction('p6', 'p1')] },
      })
      expect(await late()).toEqual(['p4 ACK'])
    })

    test('records nothing for a unit that is not committed', async () => {
      await add('p1')
      await closeBefore('p5')
      const stale = await commit({
        expectedVersions: [expectedVersion('p1', 7)],
        rows: { payment_transaction: [transaction('p4', 'p1')] },
      })
      expect([stale.kind, await late()]).toEqual(['stale', []])
    })

    test('removes a record, but not that of a later change', async () => {
      await closeBefore('p5')
      await add('p1', 'SENT')
      const [first] = await dialect.storage.lateTransactions('', 'z', 99)
      if (!first) throw new Error('no late transaction')
      await commit({ compareAndSets: [{ table: 'payment_transaction', from: pending('p1'), to: transaction('p1') }] })
      await commit({ compareAndSets: [{ table: 'late_transaction', from: first, to: null }] })
      expect(await late()).toEqual(['p1 ACK'])
    })

    test('returns roots and children in the order of their ids, without registrations', async () => {
      await Promise.all(['p3', 'p1', 'p2'].map((id) => add(id)))
      await commit({
        expectedVersions: [expectedVersion('r1'), expectedVersion('p3', 1)],
        rows: {
          payment_transaction: [
            transaction('r1', 'r1', { type: 'RG' }),
            transaction('q2', 'p3'),
            transaction('q1', 'p3'),
          ],
        },
      })
      const { storage } = dialect
      const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
      expect(idsOf(await storage.rootsFrom('', 'z', 2))).toEqual(['p1', 'p2'])
      expect(idsOf(await storage.rootsFrom('p2', 'z', 9))).toEqual(['p2', 'p3'])
      expect(idsOf(await storage.childrenFrom('', 'z', 1))).toEqual(['q1'])
      expect(idsOf(await storage.childrenFrom('q2', 'z', 9))).toEqual(['q2'])
    })
  })

  test('rows of daily sums are added to those with the same key', async () => {
    await commit({ rows: { ledger_day: [ledgerDay(), ledgerDay({ day: 20_455 })] } })
    await commit({ rows: { ledger_day: [ledgerDay({ amount_minor: -200, fee_minor: 5 })] } })
    await commit({ rows: { ledger_day: [ledgerDay({ merchant: 'other' })] } })
    expect(await dialect.storage.ledgerDays(merchant, 0, 99_999)).toEqual([
      ledgerDay({ postings: 2, amount_minor: 9000, fee_minor: 125 }),
      ledgerDay({ day: 20_455 }),
    ])
    await expect(commit({ rows: { ledger_day: [ledgerDay(), ledgerDay()] } })).rejects.toThrow(
      'the unit adds to a row of ledger_day twice',
    )
  })
})
