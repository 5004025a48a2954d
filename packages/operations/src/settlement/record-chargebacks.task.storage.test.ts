import type { SettlementRow } from '@tollgate/domain'
import { listOf } from '@tollgate/storage'
import { type Parameters, subscribe, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import {
  type ClearedPayment,
  payCleared,
  postAll,
  runToEnd,
  settlementFileOf,
  settlementRowOf,
} from '../testing/settlement-files.ts'
import { matchAgain } from './match-again.task.ts'
import { readFiles } from './read-files.task.ts'
import { receiveFile } from './receive-file.ts'
import { recordChargebacks } from './record-chargebacks.task.ts'
import { recordMaker } from './record-lines.ts'
import { rowsWithPayment } from './stored-row.ts'

let tollgate: TestGateway
let paid: ClearedPayment
beforeEach(async () => {
  tollgate = await clearedGateway()
  paid = await payCleared(tollgate)
  await postAll(tollgate)
})
afterEach(() => tollgate.close())

let files = 0
const chargeback = (changes: Partial<SettlementRow> = {}) =>
  settlementRowOf({
    kind: 'CHARGEBACK',
    cashflow: 'NEG',
    connectorTxId1: paid.reference,
    reason: '10.4',
    settledOn: '2026-06-20',
    ...changes,
  })
const reversal = (changes: Partial<SettlementRow> = {}) =>
  chargeback({ kind: 'CHARGEBACK REVERSAL', cashflow: 'POS', ...changes })

async function settle(...rows: readonly SettlementRow[]): Promise<void> {
  files += 1
  tollgate.clock.nowMs += 1000
  const content = settlementFileOf(rows, { fileId: `F${files}` })
  await receiveFile(tollgate.gateway, { name: '', arrivedBy: 'upload', chunks: [content] })
  await runToEnd(readFiles(tollgate.gateway))
  await runToEnd(recordChargebacks(tollgate.gateway))
}

const disputes = async () =>
  ((await tollgate.gateway.storage.treeOf(paid.id))?.transactions ?? [])
    .slice(1)
    .map((row) => [row.type, row.status, row.result_code, row.amount_minor])
const rows = async () =>
  (await tollgate.gateway.storage.settlementRowsOf(listOf([paid.id]))).map(({ kind, chargeback_id: id }) => [kind, id])

test('a matched chargeback is recorded once with its reason, and its row has its id', async () => {
  await settle(settlementRowOf({ connectorTxId1: paid.reference }), chargeback())
  expect(await disputes()).toEqual([['CB', 'ACK', '000.100.220', 9200]])
  const [, recorded] = (await tollgate.gateway.storage.treeOf(paid.id))?.transactions ?? []
  expect(await rows()).toEqual([
    ['SETTLED', null],
    ['CHARGEBACK', recorded?.id],
  ])
  await runToEnd(recordChargebacks(tollgate.gateway))
  expect((await disputes()).length).toBe(1)
})

test('it opens the dispute with the reason and the last day in the file, and the reversal closes it', async () => {
  const dispute = () => tollgate.gateway.storage.dispute(paid.id)
  await settle(chargeback({ dueOn: '2026-07-10' }))
  const opened = { reason: '10.4', received_on: '2026-06-20', due_on: '2026-07-10' }
  expect(await dispute()).toMatchObject({ stage: 'chargeback', ...opened })
  await settle(reversal({ settledOn: '2026-07-20' }))
  expect(await dispute()).toMatchObject({ stage: 'won', reason: '10.4', received_on: '2026-07-20', due_on: null })
  await settle(chargeback({ settledOn: '2026-08-01', reason: '13.1' }))
  const answered = { stage: 'preArbitration', reason: '13.1', received_on: '2026-08-01', due_on: '2026-08-31' }
  expect(await dispute()).toMatchObject(answered)
  expect(JSON.parse((await dispute())?.history ?? '').map(({ by }: { readonly by: string }) => by)).toEqual([
    'file',
    'file',
    'file',
  ])
})

test('webhooks receive the chargeback', async () => {
  const webhook = await subscribe(tollgate, { entityId: sandboxIds.channel })
  await settle(chargeback())
  await tollgate.gateway.jobs.fastForward(tollgate.clock.nowMs)
  expect(webhook.receiver.received.map(({ json }) => json)).toMatchObject([
    { type: 'PAYMENT', payload: { paymentType: 'CB', referencedId: paid.id, amount: '92.00' } },
  ])
  await webhook.receiver.close()
})

test('a reversal follows its chargeback, and a second chargeback the reversal', async () => {
  await settle(chargeback())
  await settle(reversal({ settledOn: '2026-07-20' }))
  await settle(chargeback({ settledOn: '2026-08-20', reason: '13.1' }))
  expect(await disputes()).toEqual([
    ['CB', 'ACK', '000.100.220', 9200],
    ['CR', 'ACK', '000.100.105', 9200],
    ['CB', 'ACK', '000.100.221', 9200],
  ])
  expect((await rows()).every(([, id]) => typeof id === 'string' && id !== '')).toBe(true)
})

test('the entries of a chargeback and its reversal are those of the acquirer of the payment', async () => {
  await settle(chargeback())
  await settle(reversal({ settledOn: '2026-07-20' }))
  await postAll(tollgate)
  const { storage } = tollgate.gateway
  const transactions = (await storage.treeOf(paid.id))?.transactions ?? []
  const postings = (await Promise.all(transactions.map(({ id }) => storage.postingsOf(id)))).flat()
  expect(postings.map(({ kind, acquirer }) => [kind, acquirer])).toEqual([
    ['charge', 'north'],
    ['chargeback', 'north'],
    ['chargebackReversal', 'north'],
  ])
})

test('a part of the amount is charged back', async () => {
  await settle(chargeback({ amountMinor: 1000, settlementAmountMinor: 1000 }))
  expect(await disputes()).toEqual([['CB', 'ACK', '000.100.220', 1000]])
})

test('a chargeback that the merchant has recorded is not recorded again', async () => {
  const { body } = await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: ['chargeback'] })
  const form = { paymentType: 'CB', amount: '92.00', currency: 'EUR' }
  const own = await tollgate.send('POST', `/v1/payments/${paid.id}`, form, { authorization: `Bearer ${body.token}` })
  await settle(chargeback())
  expect(await disputes()).toEqual([['CB', 'ACK', '000.100.200', 9200]])
  expect(await rows()).toEqual([['CHARGEBACK', own.body.id]])
})

test('a row whose settlement has failed is closed without a chargeback', async () => {
  await settle(chargeback({ status: 'FAILED' }))
  expect([await disputes(), await rows()]).toEqual([[], [['CHARGEBACK', '']]])
})

test('a chargeback is recorded before its reversal, in whatever order the rows stand in their file', async () => {
  await settle(reversal({ settledOn: '2026-06-21' }), chargeback())
  expect((await disputes()).map(([type]) => String(type)).toSorted()).toEqual(['CB', 'CR'])
})

test('of one day, chargebacks are recorded before reversals', async () => {
  await settle(reversal(), chargeback())
  expect((await disputes()).map(([type]) => String(type)).toSorted()).toEqual(['CB', 'CR'])
})

test('a chargeback that is stated in the currency of settlement is recorded in that of its payment', async () => {
  const usd = { currency: 'USD', settlementCurrency: 'USD', fxRate: '1.1000' }
  await settle(chargeback({ ...usd, amountMinor: 10_120, settlementAmountMinor: 10_120 }))
  expect(await disputes()).toEqual([['CB', 'ACK', '000.100.220', 9200]])
})

/** Records a chargeback or its reversal like the merchant. @returns its id */
const own = async (of: string, paymentType: 'CB' | 'CR', amount = '92.00'): Promise<string> => {
  const { body } = await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: ['chargeback'] })
  const headers = { authorization: `Bearer ${body.token}` }
  return (await tollgate.send('POST', `/v1/payments/${of}`, { paymentType, amount, currency: 'EUR' }, headers)).body.id
}

describe('rows and what was recorded before are paired in their order', () => {
  test('also if the chargeback is reversed already', async () => {
    const first = await own(paid.id, 'CB')
    const reversed = await own(first, 'CR')
    await settle(chargeback(), reversal({ settledOn: '2026-07-20' }))
    expect(await rows()).toEqual([
      ['CHARGEBACK', first],
      ['CHARGEBACK REVERSAL', reversed],
    ])
    expect((await disputes()).length).toBe(2)
  })

  test('but not if the amounts differ', async () => {
    await own(paid.id, 'CB', '50.00')
    await settle(chargeback())
    expect(await breaks()).toEqual([['CHARGEBACK', null, 'not recorded: the recorded amount differs']])
    expect((await disputes()).length).toBe(1)
  })
})

describe('the record of a chargeback has the result of its transaction', () => {
  const reasonOf = async () => {
    const [row] = await tollgate.gateway.storage.settlementRowsOf(listOf([paid.id]))
    const [record] = row ? await recordMaker(tollgate.gateway)([row], row.merchant) : []
    return [record?.ReasonCode, record?.ReasonDesc]
  }
  const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
  const payAuthenticated = async (changes: Parameters = {}) => {
    paid = await payCleared(tollgate, { ...proof, ...changes })
    await postAll(tollgate)
  }

  test('with the meaning that the network states', async () => {
    await settle(chargeback())
    expect(await reasonOf()).toEqual(['000.100.220', 'Other fraud with the card absent'])
  })

  test('also if the merchant recorded it for another reason than the file states', async () => {
    await own(paid.id, 'CB')
    await settle(chargeback())
    expect(await reasonOf()).toEqual(['000.100.200', 'Chargeback without a stated reason'])
  })

  test('by the brand of the payment, if the file states another one', async () => {
    await settle(chargeback({ brand: 'MASTER' }))
    expect((await disputes())[0]?.[2]).toBe('000.100.220')
    expect((await reasonOf())[0]).toBe('000.100.220')
  })

  test('and if the cardholder was authenticated, liability for fraud lies with the issuer', async () => {
    await payAuthenticated()
    await settle(chargeback())
    expect((await disputes())[0]?.[2]).toBe('000.100.232')
    expect(await reasonOf()).toEqual(['000.100.232', 'Disputed, but liability lies with the issuer'])
  })

  test('of a capture, by the authentication for its preauthorisation, also before it is recorded', async () => {
    await payAuthenticated({ paymentType: 'PA' })
    const form = { paymentType: 'CP', amount: '92.00', currency: 'EUR' }
    const capture = await tollgate.send('POST', `/v1/payments/${paid.id}`, form)
    paid = { ...paid, id: capture.body.id, reference: capture.body.resultDetails.ConnectorTxID1 }
    await postAll(tollgate)
    await settle(chargeback())
    const [row] = await tollgate.gateway.storage.settlementRowsOf(listOf([paid.id]))
    const tree = await tollgate.gateway.storage.treeOf(paid.id)
    expect(tree?.transactions.find(({ type }) => type === 'CB')?.result_code).toBe('000.100.232')
    const [record] = row ? await recordMaker(tollgate.gateway)([{ ...row, chargeback_id: null }], row.merchant) : []
    expect(record?.ReasonCode).toBe('000.100.232')
  })
})

const breaks = async () =>
  (await tollgate.gateway.storage.openSettlementRowsAfter('', '', 0, 9)).map((row) => [
    row.kind,
    row.transaction_id,
    row.reason,
  ])

describe('a row that cannot be recorded is a break', () => {
  test('if the payment permits no chargeback; an operator has it tried again', async () => {
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' }
    await tollgate.send('POST', `/v1/payments/${paid.id}`, refund)
    await settle(chargeback())
    expect(await breaks()).toEqual([['CHARGEBACK', null, 'not recorded: 700.400.400']])
    // The references of the transaction have left the row with the match.
    const [held] = await tollgate.gateway.storage.openSettlementRowsAfter('', '', 0, 1)
    expect(held && rowsWithPayment([held])[0]?.payment).toBeUndefined()
    expect(tollgate.logged.find(({ chargeback: code }) => code !== undefined)).toMatchObject({
      chargeback: '700.400.400',
    })
    await runToEnd(matchAgain(tollgate.gateway))
    expect(await breaks()).toEqual([['CHARGEBACK', null, 'not recorded: 700.400.400']])
    const [row] = await tollgate.gateway.storage.openSettlementRowsAfter('', '', 0, 1)
    const other = await payCleared(tollgate)
    await postAll(tollgate)
    const path = `/settlement-files/${row?.file_id}/rows/${row?.number}/match`
    await tollgate.manage('PUT', path, { transactionId: other.id, reason: 'confirmed by the acquirer' })
    await runToEnd(recordChargebacks(tollgate.gateway))
    expect(await tollgate.gateway.storage.settlementRowsOf(listOf([other.id]))).toMatchObject([
      { kind: 'CHARGEBACK', chargeback_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ])
    expect(await breaks()).toEqual([])
  })

  test('if it is a reversal without a chargeback, until that arrives', async () => {
    await settle(reversal({ settledOn: '2026-07-20' }))
    expect([await disputes(), await breaks()]).toEqual([
      [],
      [['CHARGEBACK REVERSAL', null, 'not recorded: no chargeback']],
    ])
    await runToEnd(matchAgain(tollgate.gateway))
    expect((await breaks()).length).toBe(1)
    await settle(chargeback())
    await runToEnd(matchAgain(tollgate.gateway))
    await runToEnd(recordChargebacks(tollgate.gateway))
    expect([(await disputes()).map(([type]) => String(type)).toSorted(), await breaks()]).toEqual([['CB', 'CR'], []])
  })

  test('if its amount has three decimals; the rows after it are recorded', async () => {
    const dinars = await payCleared(tollgate, { amount: '92.00', currency: 'KWD' })
    await postAll(tollgate)
    const kwd = { currency: 'KWD', settlementCurrency: 'KWD', amountMinor: 1234, settlementAmountMinor: 1234 }
    await settle(chargeback({ ...kwd, connectorTxId1: dinars.reference, settledOn: '2026-06-19' }), chargeback())
    expect(await breaks()).toEqual([['CHARGEBACK', null, 'not recorded: the amount has more than two decimals']])
    expect((await disputes()).length).toBe(1)
  })
})

test('a match by hand is not undone while its chargeback stands', async () => {
  await settle(chargeback({ connectorTxId1: 'UNKNOWN', amountMinor: 1000, settlementAmountMinor: 1000 }))
  const [open] = await tollgate.gateway.storage.openSettlementRowsAfter('', '', 0, 1)
  const path = `/settlement-files/${open?.file_id}/rows/${open?.number}/match`
  await tollgate.manage('PUT', path, { transactionId: paid.id, reason: 'by telephone' })
  await runToEnd(recordChargebacks(tollgate.gateway))
  expect((await tollgate.manage('DELETE', path, { reason: 'mistake' })).body.error.message).toBe(
    'The row has charged the payment back: record the reversal (CR) first.',
  )
  const [[, recordedId] = []] = await rows()
  await own(String(recordedId), 'CR', '10.00')
  expect((await tollgate.manage('DELETE', path, { reason: 'mistake' })).body).toMatchObject({
    matching: 'NOT_MATCHED',
    chargebackId: null,
  })
})

test('a row that fails does not stop the rows after it', async () => {
  const other = await payCleared(tollgate)
  await postAll(tollgate)
  const { storage } = tollgate.gateway
  const treeOf = storage.treeOf.bind(storage)
  vi.spyOn(storage, 'treeOf').mockImplementation(async (id) => {
    if (id === other.id) throw new Error('this payment cannot be read')
    return treeOf(id)
  })
  await settle(chargeback({ connectorTxId1: other.reference, settledOn: '2026-06-19' }), chargeback())
  expect((await disputes()).length).toBe(1)
})
