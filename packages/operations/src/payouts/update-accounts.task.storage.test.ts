import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import { balancesOf, isPostingKind } from '@tollgate/domain'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { postTransactions } from '../ledger/post-transactions.task.ts'
import { narrow } from '../narrow.ts'
import { useClearedConnector } from '../testing/cleared-connector.ts'
import { runToEnd } from '../testing/settlement-files.ts'
import { updateAccounts } from './update-accounts.task.ts'

const { merchant } = sandboxIds
const noon = Date.UTC(2026, 5, 15, 12)

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = noon
})
afterEach(() => tollgate.close())

const pay = async (amount: string, changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment({ amount, ...changes }))).body.id

const setTerms = async (terms: object): Promise<void> => {
  const path = `/entities/${merchant}/merchant-terms`
  expect(await tollgate.manage('POST', path, terms)).toMatchObject({ status: 201 })
}

/** Moves the clock to a time, posts everything, and updates the accounts. */
async function until(atMs: number, task = updateAccounts(tollgate.gateway)): Promise<void> {
  tollgate.clock.nowMs = atMs
  await runToEnd(postTransactions(tollgate.gateway))
  await runToEnd(task)
}
const entries = async () =>
  (await tollgate.gateway.storage.postingsFrom('account/', 'account0', 99))
    .toSorted((a, b) => a.day - b.day || (a.kind < b.kind ? -1 : 1))
    .map(({ day, kind, amount_minor: amount, currency, acquirer }) => {
      const date = new Date(day * DAY_MS).toISOString().slice(5, 10)
      return `${date} ${kind} ${amount} ${currency} ${acquirer}`
    })
async function balances(): Promise<Readonly<Record<string, number>>> {
  const sums = await tollgate.gateway.storage.ledgerSums(merchant, 99_999)
  const kinds = sums.map(({ kind, amount_minor: amountMinor, fee_minor: feeMinor }) => ({
    kind: narrow(isPostingKind, kind),
    amountMinor,
    feeMinor,
  }))
  return Object.fromEntries([...balancesOf(kinds)].filter(([, minor]) => minor !== 0))
}

test('funds become available two days after their business day, by one entry for many payments', async () => {
  for (const amount of ['10.00', '20.00', '30.00']) await pay(amount)
  await pay('5.00', { currency: 'USD' })
  await until(noon + DAY_MS)
  await pay('7.00')
  await until(Date.UTC(2026, 5, 17))
  expect(await entries()).toEqual([])
  await until(Date.UTC(2026, 5, 17, 2))
  const first = ['06-17 available 6000 EUR simulator', '06-17 available 500 USD simulator']
  expect((await entries()).toSorted()).toEqual(first.toSorted())
  expect(await balances()).toEqual({ acquirerReceivable: 7200, merchantPending: -700, merchantAvailable: -6500 })
  await until(Date.UTC(2026, 5, 18, 2))
  expect((await entries()).toSorted()).toEqual([...first, '06-18 available 700 EUR simulator'].toSorted())
  expect(await balances()).toEqual({ acquirerReceivable: 7200, merchantAvailable: -7200 })
})

test('a second sweep of the same day, of the same or another process, changes nothing', async () => {
  await pay('10.00')
  const task = updateAccounts(tollgate.gateway)
  await until(Date.UTC(2026, 5, 17, 2), task)
  const [before, account] = [await entries(), await tollgate.gateway.storage.merchantAccount(merchant)]
  expect(before.length).toBe(1)
  await until(Date.UTC(2026, 5, 17, 20), task)
  await until(Date.UTC(2026, 5, 17, 21))
  expect([await entries(), await tollgate.gateway.storage.merchantAccount(merchant)]).toEqual([before, account])
})

test('of processes that update an account at the same moment, one does', async () => {
  await pay('10.00')
  tollgate.clock.nowMs = Date.UTC(2026, 5, 17, 2)
  await runToEnd(postTransactions(tollgate.gateway))
  await Promise.all([1, 2, 3].map(() => runToEnd(updateAccounts(tollgate.gateway))))
  expect(await entries()).toEqual(['06-17 available 1000 EUR simulator'])
  tollgate.clock.nowMs = Date.UTC(2026, 5, 18, 2)
  await pay('3.00')
  await until(Date.UTC(2026, 5, 20, 2))
  await Promise.all([1, 2, 3].map(() => runToEnd(updateAccounts(tollgate.gateway))))
  expect(await entries()).toEqual(['06-17 available 1000 EUR simulator', '06-20 available 300 EUR simulator'])
})

test('an update that fails is logged and repeated by the next sweep, and delays no other merchant', async () => {
  await pay('10.00')
  const { storage, directory } = tollgate.gateway
  const other = 'f'.repeat(32)
  const entities = vi.spyOn(directory, 'entities')
  const read = storage.merchantAccount
  const accounts = vi.spyOn(storage, 'merchantAccount').mockImplementation((id) => {
    if (id === other) throw new Error('simulated')
    return read(id)
  })
  const all = directory
    .entities()
    .flatMap((entity) => (entity.id === merchant ? [entity, { ...entity, id: other }] : entity))
  const task = updateAccounts(tollgate.gateway)
  entities.mockReturnValue(all)
  await until(Date.UTC(2026, 5, 17, 2), task)
  expect(await entries()).toEqual(['06-17 available 1000 EUR simulator'])
  const line = expect.objectContaining({ worker: 'accounts of merchants', merchant: other })
  expect(tollgate.logged).toContainEqual(line)
  accounts.mockClear().mockImplementation(read)
  await until(Date.UTC(2026, 5, 17, 3), task)
  expect(accounts.mock.calls).toEqual([[other]])
  await until(Date.UTC(2026, 5, 17, 4), task)
  expect(accounts).toHaveBeenCalledTimes(1)
})

test('the business days are those of the acquirer, which end at its cut-off', async () => {
  useClearedConnector(tollgate)
  await pay('10.00', { testMode: 'EXTERNAL' })
  tollgate.clock.nowMs = noon + 7 * HOUR_MS
  await pay('20.00', { testMode: 'EXTERNAL' })
  await until(Date.UTC(2026, 5, 16, 20))
  expect(await entries()).toEqual([])
  await until(Date.UTC(2026, 5, 17, 2))
  expect(await entries()).toEqual(['06-17 available 1000 EUR north'])
  await until(Date.UTC(2026, 5, 18, 2))
  expect(await entries()).toEqual(['06-17 available 1000 EUR north', '06-18 available 2000 EUR north'])
})

test('a part is withheld and released after its time; new terms apply to the days after their beginning', async () => {
  await setTerms({ availableAfterDays: 1, reserve: { percent: '10', days: 3 } })
  await pay('10.00')
  tollgate.clock.nowMs = noon + DAY_MS
  await pay('20.00')
  await until(Date.UTC(2026, 5, 17, 2))
  const first = ['06-17 available 3000 EUR simulator', '06-17 reserve 300 EUR simulator']
  expect(await entries()).toEqual(first)
  await setTerms({ reserve: { percent: '50', days: 90 } })
  await until(Date.UTC(2026, 5, 19, 2))
  expect(await entries()).toEqual(first)
  expect(await balances()).toMatchObject({ merchantAvailable: -2700, merchantReserve: -300 })
  await until(Date.UTC(2026, 5, 20, 2))
  expect(await entries()).toEqual([...first, '06-20 reserveRelease 300 EUR simulator'])
  expect(await balances()).toEqual({ acquirerReceivable: 3000, merchantAvailable: -3000 })
})

test('a day whose fees exceed its charges reduces what is available', async () => {
  const prices = [{ fixed: '0.50' }]
  const path = `/entities/${merchant}/fee-plans`
  await tollgate.manage('POST', path, { fees: [{ kind: 'authorisation', currency: 'EUR', prices }] })
  await pay('10.00', { paymentType: 'PA' })
  await until(Date.UTC(2026, 5, 17, 2))
  expect(await entries()).toEqual(['06-17 availableReversal 50 EUR simulator'])
})

describe('scheduled payouts', () => {
  const account = { holder: 'Shop Ltd', iban: 'DE89370400440532013000' }
  const payouts = async (): Promise<readonly string[]> => {
    const { body } = await tollgate.manage('GET', `/payouts?entityId=${merchant}`)
    const rows: readonly Readonly<Record<string, string>>[] = body.payouts
    return rows.map(({ amount, currency, state, origin }) => `${amount} ${currency} ${state} ${origin}`)
  }

  test('are made of all that is available, from the minimum on, once a day', async () => {
    const minimums = [{ currency: 'EUR', amount: '20.00' }]
    await setTerms({ payouts: { schedule: 'daily', minimums, account } })
    await pay('10.00')
    tollgate.clock.nowMs = noon + DAY_MS
    await pay('15.00')
    await until(Date.UTC(2026, 5, 17, 2))
    expect([await payouts(), (await balances())['merchantAvailable']]).toEqual([[], -1000])
    await until(Date.UTC(2026, 5, 18, 2))
    expect(await payouts()).toEqual(['25.00 EUR instructed schedule'])
    expect(await balances()).toEqual({ acquirerReceivable: 2500, payoutTransit: -2500 })
    await until(Date.UTC(2026, 5, 18, 20))
    await until(Date.UTC(2026, 5, 19, 2))
    expect(await payouts()).toEqual(['25.00 EUR instructed schedule'])
  })

  test('are made once by processes at the same moment, and weekly ones on Mondays', async () => {
    await setTerms({ availableAfterDays: 0, payouts: { schedule: 'weekly', account } })
    await pay('10.00')
    await until(Date.UTC(2026, 5, 21, 2))
    expect([await payouts(), (await balances())['merchantAvailable']]).toEqual([[], -1000])
    tollgate.clock.nowMs = Date.UTC(2026, 5, 22, 2)
    await runToEnd(postTransactions(tollgate.gateway))
    await Promise.all([1, 2, 3].map(() => runToEnd(updateAccounts(tollgate.gateway))))
    expect(await payouts()).toEqual(['10.00 EUR instructed schedule'])
  })

  test('do not take what the merchant owes', async () => {
    await setTerms({ payouts: { schedule: 'daily', account } })
    const id = await pay('10.00')
    await until(Date.UTC(2026, 5, 17, 2))
    expect(await payouts()).toEqual(['10.00 EUR instructed schedule'])
    const refund = { paymentType: 'RF', amount: '4.00', currency: 'EUR' }
    expect(await tollgate.send('POST', `/v1/payments/${id}`, refund)).toMatchObject({ status: 200 })
    await pay('3.00')
    await until(Date.UTC(2026, 5, 19, 2))
    expect((await balances())['merchantAvailable']).toBe(100)
    expect(await payouts()).toEqual(['10.00 EUR instructed schedule'])
  })
})
