import { DAY_MS } from '@tollgate/contract'
import type { TestGateway } from '@tollgate/gateway/testing'
import { type BankEntry, writeSettlementFile } from '@tollgate/settlement-files'
import { listOf } from '@tollgate/storage'
import { limits } from '../limits.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { updateAccounts } from '../payouts/update-accounts.task.ts'
import { recordChargebacks } from '../settlement/record-chargebacks.task.ts'
import { readFiles } from '../settlement/read-files.task.ts'
import { rowIn } from '../settlement/stored-row.ts'
import {
  bankEntriesIn,
  entryOf,
  IBAN,
  ledgerBalances,
  readBankFile,
  receiveBankFile,
  statementOf,
} from '../testing/bank-statements.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd } from '../testing/settlement-files.ts'

const { merchant } = sandboxIds

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

/** A payment of 92.00 EUR that has become available. */
async function makeAvailable(): Promise<void> {
  const account = { holder: 'Shop Ltd', iban: 'DE02120300000000202051' }
  const terms = { payouts: { schedule: 'manual', account } }
  expect(await tollgate.manage('POST', `/entities/${merchant}/merchant-terms`, terms)).toMatchObject({ status: 201 })
  await payCleared(tollgate)
  tollgate.clock.nowMs += 3 * DAY_MS
  await postAll(tollgate)
  await runToEnd(updateAccounts(tollgate.gateway))
}

async function instruct(amount: string, key = 'k1') {
  const request = { entityId: merchant, currency: 'EUR', amount }
  const headers = { 'idempotency-key': key }
  const { status, body } = await tollgate.manage('POST', '/payouts', request, undefined, undefined, headers)
  return { status, id: String(body.id), body }
}

const receive = (content: Uint8Array) => receiveBankFile(tollgate, content)
const read = (content: Uint8Array) => readBankFile(tollgate, content)
const balances = () => ledgerBalances(tollgate)
const bankEntries = (state?: string) => bankEntriesIn(tollgate, state)
const payout = async (id: string) => (await tollgate.manage('GET', `/payouts/${id}`)).body

const owed = 'acquirerReceivable 92.00'

describe('a transfer to a shopper', () => {
  const transfer = (endToEndId: string, changes: Partial<BankEntry> = {}) =>
    entryOf({ booking: 'PAYOUT', direction: 'DEBIT', reference: 'B-7', endToEndId, ...changes })
  const refund = async (amount = '92.00') => {
    const { id } = await payCleared(tollgate)
    const form = { paymentType: 'RF', amount, currency: 'EUR' }
    const { body } = await tollgate.send('POST', `/v1/payments/${id}`, form)
    await postAll(tollgate)
    return { id: String(body.id), payment: id }
  }
  const rowsOf = async (id: string) =>
    (await tollgate.gateway.storage.settlementRowsOf(listOf([id]))).map((row) => ({ ...row, settled: rowIn(row) }))

  test('with the id of a refund settles it', async () => {
    const { id } = await refund()
    const before = await balances()
    await read(statementOf([entryOf({}), transfer(id)]))
    expect(await rowsOf(id)).toMatchObject([
      { settled: { kind: 'SETTLED', type: 'REFUND', cashflow: 'NEG' }, status: 'MATCHED', merchant, number: 2 },
    ])
    expect(before).toContain('refundTransit -92.00')
    expect(await balances()).not.toContain('refundTransit -92.00')
    expect((await bankEntries('explained')).map(({ endToEndId }: BankEntry) => endToEndId)).toEqual([id])
  })

  test('settles it once, if a notification and a statement state it', async () => {
    const { id } = await refund()
    const facts = { institute: 'Bank', fileId: 'N1', createdOn: '2026-06-18', settledOn: '2026-06-18' }
    const content = { rows: [], bankEntries: [transfer(id)] }
    const account = { account: IBAN, currency: 'EUR' }
    await read(Buffer.concat([...writeSettlementFile('camt.054', { ...facts, ...account }, content)]))
    await read(statementOf([transfer(id)]))
    expect((await rowsOf(id)).length).toBe(1)
    expect((await tollgate.manage('GET', '/settlement-breaks')).body.breaks).toEqual([])
  })

  test('that the bank returns charges the refund back, for the reason of the bank', async () => {
    const { id, payment } = await refund()
    const returned = transfer(id, { booking: 'PAYOUT RETURN', direction: 'CREDIT', reference: 'B-8', reason: 'AC04' })
    await read(statementOf([transfer(id), returned]))
    await runToEnd(recordChargebacks(tollgate.gateway))
    await postAll(tollgate)
    const [, row] = await rowsOf(id)
    expect(row?.settled).toMatchObject({ kind: 'CHARGEBACK', type: 'REFUND', cashflow: 'POS', reason: 'AC04' })
    const tree = await tollgate.gateway.storage.treeOf(payment)
    expect(tree?.transactions.find(({ type }) => type === 'CB')).toMatchObject({
      id: row?.chargeback_id,
      referenced_id: id,
      amount_minor: 9200,
    })
    expect((await balances()).join()).not.toContain('refundTransit')
  })

  test('of another amount than the refund is a break', async () => {
    const { id } = await refund('50.00')
    await read(statementOf([transfer(id)]))
    expect((await tollgate.manage('GET', '/settlement-breaks')).body.breaks).toMatchObject([
      { matching: 'NOT_MATCHED', reason: 'amountDiffers', settled: { type: 'REFUND', uniqueId: id } },
    ])
    expect(await balances()).toContain('suspenseUnmatched 92.00')
  })

  test.each([
    ['an unknown id', async () => 'f'.repeat(32)],
    ['the id of a payment', async () => (await refund()).payment],
  ])('with %s is a bank entry in suspense', async (_, idOf) => {
    await read(statementOf([transfer(await idOf())]))
    expect(await bankEntries()).toMatchObject([{ reason: 'noCounterpart' }])
  })
})

describe('a payout', () => {
  beforeEach(makeAvailable)

  test('is on its way until a debit of the bank with its id confirms it', async () => {
    const { status, id } = await instruct('50.00')
    expect([status, (await payout(id)).state]).toEqual([201, 'instructed'])
    expect(await balances()).toEqual([owed, 'merchantAvailable -42.00', 'payoutTransit -50.00'])
    await read(statementOf([entryOf({ booking: 'PAYOUT', direction: 'DEBIT', amountMinor: 5000, endToEndId: id })]))
    expect((await payout(id)).state).toBe('confirmed')
    expect(await balances()).toEqual([owed, 'bank -50.00', 'merchantAvailable -42.00'])
    expect(await bankEntries('explained')).toMatchObject([
      { payoutId: id, reason: null, explanation: { kind: 'payout', merchantId: merchant }, amount: '50.00' },
    ])
  })

  test('that a statement does not name remains on its way', async () => {
    const { id } = await instruct('50.00')
    await read(statementOf([entryOf({ direction: 'DEBIT', amountMinor: 5000, endToEndId: 'OTHER' })]))
    expect((await payout(id)).state).toBe('instructed')
    expect(await bankEntries()).toMatchObject([{ reason: 'noCounterpart', payoutId: null, explanation: null }])
    expect(await balances()).toEqual([
      owed,
      'bank -50.00',
      'merchantAvailable -42.00',
      'payoutTransit -50.00',
      'suspenseUnmatched 50.00',
    ])
  })

  test.each<[string, Partial<BankEntry>]>([
    ['amount', { direction: 'DEBIT', amountMinor: 4999 }],
    ['direction', { direction: 'CREDIT', amountMinor: 5000 }],
  ])('is not confirmed by an entry with another %s, which an operator explains', async (name, changes) => {
    const { id } = await instruct('50.00')
    await read(statementOf([entryOf({ booking: 'OTHER', endToEndId: id, ...changes })]))
    expect((await payout(id)).state).toBe('instructed')
    const [entry] = await bankEntries()
    expect(entry).toMatchObject({ reason: name === 'amount' ? 'payoutAmount' : 'payoutState', payoutId: id })
    const path = `/bank-entries/${entry.id}/assignment`
    const refused = await tollgate.manage('PUT', path, { to: 'payout', id, reason: 'same day' })
    expect(refused).toMatchObject({ status: 409 })
  })

  test('that the bank sends back is available again, also in the same statement', async () => {
    const { id } = await instruct('50.00')
    await read(
      statementOf([
        entryOf({ booking: 'PAYOUT', direction: 'DEBIT', amountMinor: 5000, endToEndId: id }),
        entryOf({ booking: 'PAYOUT RETURN', direction: 'CREDIT', amountMinor: 5000, endToEndId: id }),
      ]),
    )
    expect((await payout(id)).state).toBe('returned')
    expect(await balances()).toEqual([owed, 'merchantAvailable -92.00'])
  })

  test('counts once if two files of the bank, or a second debit, state it', async () => {
    const { id } = await instruct('50.00')
    const debit = entryOf({ booking: 'PAYOUT', direction: 'DEBIT', amountMinor: 5000, endToEndId: id })
    await read(statementOf([debit]))
    const before = await balances()
    await read(statementOf([debit], { fileId: 'STMT2', sequence: 2, openingMinor: -5000 }))
    expect(await balances()).toEqual(before)
    const later = { ...debit, bookedOn: '2026-06-19' }
    await read(statementOf([debit, later], { fileId: 'STMT3', sequence: 3, openingMinor: -10_000 }))
    expect(await bankEntries()).toMatchObject([{ reason: 'payoutState', payoutId: id, bookedOn: '2026-06-19' }])
  })

  test('can be cancelled before it is confirmed, and not after', async () => {
    const [{ id }, second] = [await instruct('50.00'), await instruct('42.00', 'k2')]
    expect(await tollgate.manage('POST', `/payouts/${id}/cancel`)).toMatchObject({ status: 200 })
    expect(await balances()).toEqual([owed, 'merchantAvailable -50.00', 'payoutTransit -42.00'])
    const debit = entryOf({ booking: 'PAYOUT', direction: 'DEBIT', amountMinor: 4200, endToEndId: second.id })
    await read(statementOf([debit]))
    expect(await tollgate.manage('POST', `/payouts/${second.id}/cancel`)).toMatchObject({ status: 409 })
    expect(await tollgate.manage('POST', `/payouts/${id}/cancel`)).toMatchObject({ status: 409 })
    expect(await balances()).toEqual([owed, 'bank -42.00', 'merchantAvailable -50.00'])
  })

  test('has an instruction for the bank with the whole account number, until it is confirmed', async () => {
    const { id, body } = await instruct('50.00')
    const iban = 'DE02120300000000202051'
    expect(body.account).toEqual({ holder: 'Shop Ltd', last4: '2051' })
    const shown = await tollgate.manage('GET', `/payouts/${id}/instruction`)
    expect(shown.headers['cache-control']).toBe('no-store')
    expect(shown.body).toEqual({ endToEndId: id, amount: '50.00', currency: 'EUR', holder: 'Shop Ltd', iban })
    expect(tollgate.logged.find(({ audit }) => audit === 'payout account shown')).toMatchObject({ payout: id })
    expect(JSON.stringify(tollgate.logged)).not.toContain(iban)
    await tollgate.manage('POST', `/payouts/${id}/cancel`)
    expect((await tollgate.manage('GET', `/payouts/${id}/instruction`)).status).toBe(409)
  })

  test('is instructed once for a key, and for no more than is available', async () => {
    const first = await instruct('50.00')
    expect(await instruct('50.00')).toMatchObject({ status: 200, id: first.id })
    expect(await instruct('50.01')).toMatchObject({ status: 409 })
    expect(await instruct('42.01', 'k2')).toMatchObject({ status: 409 })
    const racing = await Promise.all(['a', 'b', 'c', 'd'].map((key) => instruct('20.00', key)))
    expect(racing.map(({ status }) => String(status)).toSorted()).toEqual(['201', '201', '409', '409'])
    expect(await balances()).toEqual([owed, 'merchantAvailable -2.00', 'payoutTransit -90.00'])
  })
})

describe('an unmatched entry', () => {
  const assign = (id: string, body: object) =>
    tollgate.manage('PUT', `/bank-entries/${id}/assignment`, { reason: 'by letter of the bank', ...body })
  const undo = (id: string) => tollgate.manage('DELETE', `/bank-entries/${id}/assignment`)

  test.each<[string, Partial<BankEntry>, object, readonly string[]]>([
    ['merchant', {}, { id: merchant }, ['bank 92.00', 'merchantAvailable -92.00']],
    ['acquirer', {}, { id: 'north' }, ['acquirerReceivable -92.00', 'bank 92.00']],
    ['charges', { direction: 'DEBIT', amountMinor: 250 }, {}, ['bank -2.50', 'bankCharges 2.50']],
  ])('is assigned to %s, and undone', async (to, entry, target, expected) => {
    await read(statementOf([entryOf(entry)]))
    const suspended = await balances()
    expect(suspended).toHaveLength(2)
    expect(suspended[1]).toContain('suspenseUnmatched')
    const [{ id }] = await bankEntries()
    expect(await assign(id, { to, ...target })).toMatchObject({
      status: 200,
      body: { state: 'assigned', reason: 'by letter of the bank', explanation: { kind: to } },
    })
    expect(await balances()).toEqual(expected)
    expect(await assign(id, { to, ...target })).toMatchObject({ status: 409 })
    expect(await undo(id)).toMatchObject({ status: 200, body: { state: 'unmatched', explanation: null } })
    expect(await balances()).toEqual(suspended)
    expect(await undo(id)).toMatchObject({ status: 409 })
    expect(await assign(id, { to, ...target })).toMatchObject({ status: 200 })
    expect(await balances()).toEqual(expected)
  })

  test('is assigned to a payout whose id the bank does not state, and undone', async () => {
    await makeAvailable()
    const { id } = await instruct('50.00')
    await read(statementOf([entryOf({ booking: 'PAYOUT', direction: 'DEBIT', amountMinor: 5000 })]))
    const [entry] = await bankEntries()
    expect(await assign(entry.id, { to: 'payout', id })).toMatchObject({ status: 200, body: { payoutId: id } })
    expect((await payout(id)).state).toBe('confirmed')
    expect(await balances()).toEqual([owed, 'bank -50.00', 'merchantAvailable -42.00'])
    expect(await undo(entry.id)).toMatchObject({ status: 200, body: { payoutId: null } })
    expect((await payout(id)).state).toBe('instructed')
  })

  test.each([
    [{ to: 'merchant', id: 'f'.repeat(32) }, 404],
    [{ to: 'merchant', id: sandboxIds.channel }, 404],
    [{ to: 'acquirer', id: 'south' }, 404],
    [{ to: 'settlementFile', id: 'f'.repeat(32) }, 404],
    [{ to: 'payout', id: 'f'.repeat(32) }, 404],
    [{ to: 'merchant' }, 400],
    [{ to: 'charges', id: 'x' }, 400],
    [{ to: 'shopper', id: 'x' }, 400],
    [{ to: 'charges', reason: '' }, 400],
  ])('is not assigned to %j', async (body, status) => {
    await read(statementOf([entryOf({})]))
    const [{ id }] = await bankEntries()
    expect(await assign(id, body)).toMatchObject({ status })
    expect(await bankEntries()).toMatchObject([{ state: 'unmatched', explanation: null }])
  })

  test('is assigned once by two operators at the same moment', async () => {
    await read(statementOf([entryOf({})]))
    const [{ id }] = await bankEntries()
    const results = await Promise.all([
      assign(id, { to: 'merchant', id: merchant }),
      assign(id, { to: 'merchant', id: merchant }),
    ])
    expect(results.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect(await balances()).toEqual(['bank 92.00', 'merchantAvailable -92.00'])
  })
})

test('equal entries of one statement are different entries', async () => {
  await read(statementOf([entryOf({ amountMinor: 100 }), entryOf({ amountMinor: 100 })]))
  expect(await bankEntries()).toHaveLength(2)
  expect(await balances()).toEqual(['bank 2.00', 'suspenseUnmatched -2.00'])
})

test('a statement that is read by two processes, and one that was interrupted, counts once', async () => {
  const count = limits.settlementRowsPerIdleStep + 100
  const many = Array.from({ length: count }, (_, index) => entryOf({ amountMinor: 100 + index }))
  const id = await receive(statementOf(many))
  // A process that is killed between two units.
  const interrupted = readFiles(tollgate.gateway)
  const stored = () => tollgate.gateway.storage.settlementFile(id)
  while ((await stored())?.state !== 'checked') await interrupted.step()
  await interrupted.step()
  await expect.poll(async () => (await stored())?.bank_entries_read).toBeGreaterThan(0)
  expect((await stored())?.bank_entries_read).toBeLessThan(count)
  await Promise.all([1, 2].map(() => runToEnd(readFiles(tollgate.gateway))))
  expect(await tollgate.gateway.storage.settlementFile(id)).toMatchObject({ state: 'read', bank_entries_read: count })
  const sumMinor = many.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const sum = (sumMinor / 100).toFixed(2)
  expect(await balances()).toEqual([`bank ${sum}`, `suspenseUnmatched -${sum}`])
})
