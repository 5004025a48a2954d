import { setTimeout as delay } from 'node:timers/promises'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import type { Storage } from '@tollgate/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { commitChange } from '../commit-change.ts'
import { ledgerRowsOf } from './ledger-rows.ts'
import { createTransactionFeed } from './transaction-feed.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

/** Sends a request a millisecond later than the one before, so that the ids have the order of the requests. */
async function send(path: string, form: Parameters): Promise<string> {
  tollgate.clock.nowMs += 1
  return (await tollgate.send('POST', path, form)).body.id
}
const pay = (changes: Parameters = {}) => send('/v1/payments', cardPayment(changes))

/** A feed on a storage whose commits take a while, the reads of ranges that it has done, and the next one to fail. */
function slowFeed() {
  tollgate.clock.nowMs += 10_000
  const reads: number[] = []
  const fault = { isNext: false }
  const storage: Storage = {
    ...tollgate.gateway.storage,
    async commit(unit) {
      await delay(20)
      return tollgate.gateway.storage.commit(unit)
    },
    async rootsFrom(...args) {
      reads.push(args[2])
      if (fault.isNext) throw new Error('no connection')
      return tollgate.gateway.storage.rootsFrom(...args)
    },
  }
  const dependencies = { ...tollgate.gateway, storage }
  const feed = createTransactionFeed(dependencies, (page) => ledgerRowsOf(dependencies, page))
  return { feed, reads, fault }
}

const posted = async () =>
  (await tollgate.gateway.storage.postingsFrom('', 'g', 999)).map((row) => `${row.transaction_id} ${row.kind}`)
const counted = async () =>
  (await tollgate.gateway.storage.transactionDays(sandboxIds.merchant, 0, 99_999)).reduce(
    (sum, { transactions }) => sum + transactions,
    0,
  )
const options = { max: 1, prepareNext: true }

test('a page is prepared while the one before is committed, and is not read again', async () => {
  const ids = [await pay(), await pay(), await pay()]
  const { feed, reads } = slowFeed()
  for (const id of ids) {
    const next = await feed.nextPage(options)
    expect(next?.page.transactions.map((row) => row.id)).toEqual([id])
    expect(await next?.commit()).toBe(true)
  }
  await feed.nextPage(options)
  expect(reads).toEqual([1, 1, 1, 1])
  expect(await posted()).toEqual(ids.map((id) => `${id} charge`))
})

test('a page is not prepared while there are payments, and one of another size is read again', async () => {
  await Promise.all([pay(), pay(), pay(), pay()])
  const { feed, reads } = slowFeed()
  await (await feed.nextPage({ ...options, prepareNext: false }))?.commit()
  await delay(30)
  expect(reads).toEqual([1])
  await (await feed.nextPage(options))?.commit()
  const next = await feed.nextPage({ ...options, max: 2 })
  expect(next?.page.transactions.length).toBe(2)
  expect(reads.filter((max) => max === 2)).toEqual([2])
})

test('entries of a payment are not repeated if those of the page before are being committed', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const capture = await send(`/v1/payments/${hold}`, {
    paymentType: 'CP',
    amount: '60.00',
    currency: 'EUR',
    sequence: 'FINAL',
  })
  const { feed } = slowFeed()
  for (const id of [hold, capture]) {
    const next = await feed.nextPage(options)
    expect(next?.page.transactions.map((row) => row.id)).toEqual([id])
    expect(await next?.commit()).toBe(true)
  }
  expect((await posted()).toSorted()).toEqual([`${hold} expiry`, `${hold} hold`, `${capture} capture`].toSorted())
})

test('a transaction that is decided while its page is prepared counts once', async () => {
  const { storage, ids } = tollgate.gateway
  await pay()
  const [approved] = await storage.transactions([await pay()])
  if (!approved) throw new Error('the payment is not stored')
  tollgate.clock.nowMs += 1
  const id = ids.ordered()
  const row = { ...approved, id, root_id: id, status: 'SENT' }
  const expectedVersions = [{ id, merchant: row.merchant, version: 0 }]
  await storage.commit({ id, expectedVersions, rows: { payment_transaction: [row] } })
  const { feed } = slowFeed()
  for (let read = 0; read < 2; read += 1) await (await feed.nextPage(options))?.commit()
  await delay(30)
  const to = { ...row, status: 'ACK' }
  await commitChange(tollgate.gateway, { compareAndSets: [{ table: 'payment_transaction', from: row, to }] })
  for (let next = await feed.nextPage(options); next; next = await feed.nextPage(options)) await next.commit()
  expect((await posted()).filter((entry) => entry.startsWith(id))).toEqual([`${id} charge`])
  expect(await counted()).toBe(3)
})

test('of two feeds with a prepared page, each page is processed by one', async () => {
  for (let payment = 0; payment < 4; payment += 1) await pay()
  const feeds = [slowFeed().feed, slowFeed().feed]
  for (let round = 0; round < 6; round += 1)
    await Promise.all(feeds.map(async (feed) => (await feed.nextPage(options))?.commit()))
  expect((await posted()).length).toBe(4)
  expect(await counted()).toBe(4)
})

test('a failure while a page is prepared is that of the next call, and the page is read again', async () => {
  const ids = [await pay(), await pay()]
  const { feed, fault } = slowFeed()
  const first = await feed.nextPage(options)
  fault.isNext = true
  await first?.commit()
  await expect(feed.nextPage(options)).rejects.toThrow('no connection')
  fault.isNext = false
  await (await feed.nextPage(options))?.commit()
  expect(await posted()).toEqual(ids.map((id) => `${id} charge`))
})
