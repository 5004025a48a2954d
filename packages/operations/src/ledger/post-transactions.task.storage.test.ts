import { DAY_MS } from '@tollgate/contract'
import { balancesOf, isPostingKind, type PostingSums } from '@tollgate/domain'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { timeOf, type TransactionRow } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'
import { testLoop } from '../testing/loop-times.ts'
import { ledgerCompleteToMs } from './complete-to.ts'
import { postTransactions } from './post-transactions.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment(changes))).body.id
const followUp = async (id: string, paymentType: string, amount: string): Promise<string> =>
  (await tollgate.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })).body.id

/** Moves the clock on, and posts everything. @returns the number of steps */
async function post(task = postTransactions(tollgate.gateway)): Promise<number> {
  tollgate.clock.nowMs += 10_000
  let steps = 0
  while ((await task.step()) === 'more') steps += 1
  return steps
}

const stored = () => tollgate.gateway.storage.postingsFrom('', 'g', 999)
const entries = async (...ids: string[]) =>
  (await stored())
    .filter((row) => ids.includes(row.transaction_id))
    .map((row) => `${ids.indexOf(row.transaction_id)} ${row.kind} ${row.amount_minor} ${row.fee_minor}`)
const days = () => tollgate.gateway.storage.ledgerDays(sandboxIds.merchant, 0, 99_999)
const transactionDays = async () =>
  (await tollgate.gateway.storage.transactionDays(sandboxIds.merchant, 0, 99_999))
    .map((row) => `${row.type} ${row.outcome} ${row.transactions} ${row.amount_minor}`)
    .toSorted()

test.each([
  ['beside payments, for each transaction', 1_000, limits.ledgerPauseMs + 2 * limits.ledgerBusyPauseMs],
  ['without payments, a short one', 0, limits.ledgerPauseMs],
])('the pause after a page: %s', async (_name, paidUnits, pauseMs) => {
  await pay()
  await pay()
  tollgate.clock.nowMs += 10_000
  const eventLoop = testLoop()
  const commands = { ...tollgate.gateway.commands, units: () => (eventLoop.now() === 0 ? 0 : paidUnits) }
  const task = postTransactions({ ...tollgate.gateway, commands, eventLoop })
  eventLoop.pass(1_000)
  expect(await task.step()).toBe('more')
  expect(task.pauseMs).toBe(pauseMs)
})

test('approved transactions are posted once, and declined ones not', async () => {
  const debit = await pay()
  const declined = await pay({ 'card.holder': '{800.100.151}' })
  const hold = await pay({ paymentType: 'PA' })
  const capture = await followUp(hold, 'CP', '60.00')
  const refund = await followUp(capture, 'RF', '10.00')
  const release = await followUp(hold, 'RV', '32.00')
  expect(await stored()).toEqual([])
  await post()
  const ids = [debit, declined, hold, capture, refund, release]
  const posted = ['0 charge 9200 0', '2 hold 9200 0', '3 capture 6000 0', '4 refund 1000 0', '5 release 3200 0']
  expect((await entries(...ids)).toSorted()).toEqual(posted)
  expect(await transactionDays()).toEqual([
    'CP ACK 1 6000',
    'DB ACK 1 9200',
    'DB bank 1 9200',
    'PA ACK 1 9200',
    'RF ACK 1 1000',
    'RV ACK 1 3200',
  ])
  const [before, sums] = [await stored(), await days()]
  await post()
  expect([await stored(), await days()]).toEqual([before, sums])
})

test('an entry names the acquirer, its reference and the day of the transaction', async () => {
  const { body } = await tollgate.send('POST', '/v1/payments', cardPayment())
  const day = Math.floor(tollgate.clock.nowMs / DAY_MS)
  await post()
  expect(await stored()).toMatchObject([
    {
      transaction_id: body.id,
      merchant: sandboxIds.merchant,
      acquirer: 'simulator',
      currency: 'EUR',
      day,
      reference: body.resultDetails.ConnectorTxID1.toUpperCase(),
    },
  ])
})

test('the final capture ends the remaining hold, on its own day', async () => {
  const hold = await pay({ paymentType: 'PA' })
  await post()
  tollgate.clock.nowMs += 3 * DAY_MS
  const { body } = await tollgate.send('POST', `/v1/payments/${hold}`, {
    paymentType: 'CP',
    amount: '60.00',
    currency: 'EUR',
    sequence: 'FINAL',
  })
  await post()
  expect((await entries(hold, body.id)).toSorted()).toEqual(['0 expiry 3200 0', '0 hold 9200 0', '1 capture 6000 0'])
  const today = Math.floor(tollgate.clock.nowMs / DAY_MS)
  expect((await days()).map(({ day, kind }) => [day - today, kind])).toEqual([
    [-3, 'hold'],
    [0, 'capture'],
    [0, 'expiry'],
  ])
})

describe('a transaction that is decided after the feed has passed it', () => {
  /** A stored debit that is undecided, and its approval. */
  async function sent(): Promise<{ id: string; decide: (status: string) => Promise<unknown> }> {
    const { storage, ids } = tollgate.gateway
    const approved = (await storage.transactions([await pay()]))[0]
    if (!approved) throw new Error('the payment is not stored')
    const id = ids.ordered()
    const row: TransactionRow = { ...approved, id, root_id: id, status: 'SENT' }
    await storage.commit({
      id,
      expectedVersions: [{ id, merchant: row.merchant, version: 0 }],
      rows: { payment_transaction: [row] },
    })
    const decide = (status: string) =>
      commitChange(tollgate.gateway, {
        compareAndSets: [{ table: 'payment_transaction', from: row, to: { ...row, status } }],
      })
    return { id, decide }
  }

  test('is lacking in the ledger until it is read', async () => {
    const { storage, clock } = tollgate.gateway
    expect(await ledgerCompleteToMs(storage)).toBe(0)
    const { id, decide } = await sent()
    await post()
    const completeToMs = clock.now() - limits.feedLagMs
    expect(await ledgerCompleteToMs(storage)).toBe(completeToMs)
    await decide('ACK')
    expect(await ledgerCompleteToMs(storage)).toBe(timeOf(id))
    await post()
    expect(await ledgerCompleteToMs(storage)).toBeGreaterThanOrEqual(completeToMs)
  })

  test('is posted once, on the day on which it is read', async () => {
    const { id, decide } = await sent()
    await post()
    expect(await entries(id)).toEqual([])
    tollgate.clock.nowMs += 3 * DAY_MS
    await post()
    await decide('ACK')
    await post()
    expect(await entries(id)).toEqual(['0 charge 9200 0'])
    const today = Math.floor(tollgate.clock.nowMs / DAY_MS)
    expect((await days()).map(({ day, postings }) => [day - today, postings])).toEqual([
      [-3, 1],
      [0, 1],
    ])
    await post()
    expect(await transactionDays()).toEqual(['DB ACK 2 18400'])
  })

  test('is posted once if it is decided between the closing and the reading of the feed', async () => {
    const { id, decide } = await sent()
    const task = postTransactions({
      ...tollgate.gateway,
      storage: {
        ...tollgate.gateway.storage,
        // A commit in progress delays the reading after the closing.
        openCommits: async () => false,
      },
    })
    await post(task)
    await decide('ACK')
    expect((await tollgate.gateway.storage.lateTransactions('', 'g', 9)).map((row) => row.id)).toEqual([id])
    await post()
    await post()
    expect(await entries(id)).toEqual(['0 charge 9200 0'])
    expect(await transactionDays()).toEqual(['DB ACK 2 18400'])
    expect(await tollgate.gateway.storage.lateTransactions('', 'g', 9)).toEqual([])
  })

  test('is not posted if it is declined', async () => {
    const { id, decide } = await sent()
    await post()
    await decide('NOK')
    await post()
    expect(await entries(id)).toEqual([])
  })
})

test('of several processes, one posts each page', async () => {
  const ids: string[] = []
  for (let count = 0; count < 30; count += 1) ids.push(await pay())
  tollgate.clock.nowMs += 10_000
  const tasks = [1, 2, 3].map(() => postTransactions(tollgate.gateway))
  for (let step = 0; step < 20; step += 1) await Promise.all(tasks.map((task) => task.step().catch(() => undefined)))
  expect((await stored()).map((row) => row.transaction_id)).toEqual(ids.toSorted())
  expect((await days()).map(({ postings, amount_minor: amount }) => [postings, amount])).toEqual([[30, 276_000]])
})

test('the sums of the days are those of the entries, and each account is balanced', async () => {
  const hold = await pay({ paymentType: 'PA' })
  await followUp(hold, 'CP', '60.00')
  await pay({ amount: '10.00' })
  await post()
  const sums: PostingSums[] = (await days()).flatMap(({ kind, amount_minor: amountMinor, fee_minor: feeMinor }) =>
    isPostingKind(kind) ? [{ kind, amountMinor, feeMinor }] : [],
  )
  const balances = balancesOf(sums)
  expect(balances.get('acquirerReceivable')).toBe(7000)
  expect(balances.get('authorisationHold')).toBe(3200)
  expect([...balances.values()].reduce((sum, minor) => sum + minor, 0)).toBe(0)
})
