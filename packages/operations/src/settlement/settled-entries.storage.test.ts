import { DAY_MS } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { matchAgain } from './match-again.task.ts'
import { matchByHand, undoMatch } from './match-by-hand.ts'
import { readFiles } from './read-files.task.ts'
import { receiveFile } from './receive-file.ts'

// The entries of the ledger that follow from rows of settlement files.

const { merchant } = sandboxIds

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

async function read(rows: readonly SettlementRow[], fileId = 'F1'): Promise<string> {
  const chunks = [settlementFileOf(rows, { fileId })]
  const received = await receiveFile(tollgate.gateway, { name: 'f.csv', arrivedBy: 'upload', chunks })
  if (!('file' in received)) throw new Error(`the file was refused: ${received.kind}`)
  await runToEnd(readFiles(tollgate.gateway))
  return received.file.id
}

const rowOf = async (fileId: string, number = 1) => {
  const row = await tollgate.gateway.storage.settlementRow(fileId, number)
  if (!row) throw new Error(`row ${number} is not stored`)
  return row
}

/** The balances of all merchants, without accounts whose balance is zero. */
async function balances(): Promise<readonly string[]> {
  const { body } = await tollgate.manage('GET', '/ledger/balances')
  const rows: readonly Readonly<Record<string, string>>[] = body.balances
  return rows
    .filter(({ debitsLessCredits }) => Number(debitsLessCredits) !== 0)
    .map(({ account, acquirer, currency, debitsLessCredits }) =>
      [account, acquirer, debitsLessCredits, currency].filter(Boolean).join(' '),
    )
}

const entries = async (): Promise<readonly Readonly<Record<string, string | null>>[]> =>
  (await tollgate.manage('GET', '/ledger/entries?from=2026-06-01&to=2026-07-31')).body.entries

test('a settled sale closes what the acquirer owes, and its fee is an expense', async () => {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const file = await read([settlementRowOf({ connectorTxId1: paid.reference })])
  expect(await balances()).toEqual([
    'merchantPending north -92.00 EUR',
    'bank north 91.10 EUR',
    'acquirerFee north 0.90 EUR',
  ])
  expect((await entries()).slice(1).map((entry) => ({ ...entry, reference: undefined }))).toEqual(
    [
      ['acquirerFee', 'acquirerFee', 'acquirerFee', 'bank', '0.90'] as const,
      ['settledSale', 'settlement', 'bank', 'acquirerReceivable', '92.00'] as const,
    ].map(([kind, category, debit, credit, amount]) => ({
      day: '2026-06-15',
      merchantId: merchant,
      transactionId: null,
      settlementFile: file,
      payoutId: null,
      bankEntryId: null,
      kind,
      category,
      debit,
      credit,
      amount,
      currency: 'EUR',
      acquirer: 'north',
      reference: undefined,
    })),
  )
})

test('rows of one unit are summed, by merchant, acquirer, currency and kind', async () => {
  const paid = [await payCleared(tollgate), await payCleared(tollgate), await payCleared(tollgate)]
  await postAll(tollgate)
  await read(paid.map(({ reference }) => settlementRowOf({ connectorTxId1: reference })))
  const settled = (await entries()).filter(({ settlementFile }) => settlementFile !== null)
  expect(settled.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['acquirerFee', '2.70'],
    ['settledSale', '276.00'],
  ])
})

test('a repeated row is money in suspense, and does not close what the acquirer owes twice', async () => {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const row = settlementRowOf({ connectorTxId1: paid.reference, feeMinor: undefined })
  await read([row, row])
  expect(await balances()).toEqual([
    'merchantPending north -92.00 EUR',
    'bank north 184.00 EUR',
    'suspenseUnmatched north -92.00 EUR',
  ])
})

describe('a row without a match', () => {
  const inSuspense = [
    'acquirerReceivable north 92.00 EUR',
    'merchantPending north -92.00 EUR',
    'bank north 91.10 EUR',
    'suspenseUnmatched north -92.00 EUR',
    'acquirerFee north 0.90 EUR',
  ]
  const cleared = ['merchantPending north -92.00 EUR', 'bank north 91.10 EUR', 'acquirerFee north 0.90 EUR']

  test('is in suspense until it is matched again', async () => {
    const paid = await payCleared(tollgate)
    await read([settlementRowOf({ connectorTxId1: paid.reference })])
    await postAll(tollgate)
    expect(await balances()).toEqual(inSuspense)
    tollgate.clock.nowMs += DAY_MS
    await runToEnd(matchAgain(tollgate.gateway))
    expect(await balances()).toEqual(cleared)
    await runToEnd(matchAgain(tollgate.gateway))
    expect(await balances()).toEqual(cleared)
  })

  test('is in suspense until it is matched by hand, and again when the match is undone', async () => {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    const file = await read([settlementRowOf({ connectorTxId1: 'UNKNOWN' })])
    expect(await balances()).toEqual(inSuspense)
    const match = { transactionId: paid.id, reason: 'r' }
    const open = await rowOf(file)
    expect((await matchByHand(tollgate.gateway, open, match)).kind).toBe('changed')
    expect(await balances()).toEqual(cleared)
    const matched = await rowOf(file)
    expect((await undoMatch(tollgate.gateway, matched, 'r')).kind).toBe('changed')
    expect(await balances()).toEqual(inSuspense)
    // A change from a state that the row no longer has does not count.
    expect((await undoMatch(tollgate.gateway, matched, 'r')).kind).toBe('stale')
    expect(await balances()).toEqual(inSuspense)
  })

  test('is taken back in the journal by an entry in the opposite direction', async () => {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    const file = await read([settlementRowOf({ connectorTxId1: 'UNKNOWN', feeMinor: undefined })])
    tollgate.clock.nowMs += 1
    await matchByHand(tollgate.gateway, await rowOf(file), { transactionId: paid.id, reason: 'r' })
    const settled = (await entries()).filter(({ settlementFile }) => settlementFile === file)
    const shown = settled.map(({ kind, debit, credit, amount }) => [kind, debit, credit, amount].join(' '))
    expect(shown.toSorted()).toEqual([
      'settledSale bank acquirerReceivable 92.00',
      'unmatchedCredit bank suspenseUnmatched 92.00',
      'unmatchedCredit suspenseUnmatched bank 92.00',
    ])
  })

  test('belongs to no merchant if its account is unknown', async () => {
    await read([settlementRowOf({ clearingMerchantId: 'ELSEWHERE', feeMinor: undefined })])
    expect(await balances()).toEqual(['bank 92.00 EUR', 'suspenseUnmatched -92.00 EUR'])
    const { body } = await tollgate.manage('GET', `/ledger/balances?entityId=${merchant}`)
    expect(body.balances).toEqual([])
  })
})

test('a row that was stored before rows had entries gets them when it is matched again, and counts once', async () => {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const file = await read([settlementRowOf({ connectorTxId1: 'UNKNOWN', feeMinor: undefined })])
  const from = await rowOf(file)
  const to = { ...from, acquirer: null, number: 2 }
  await tollgate.gateway.storage.commit({
    id: tollgate.gateway.ids.ordered(),
    expectedVersions: [],
    rows: { settlement_row: [to] },
  })
  await runToEnd(matchAgain(tollgate.gateway))
  await runToEnd(matchAgain(tollgate.gateway))
  expect(await balances()).toContain('suspenseUnmatched north -184.00 EUR')
  await matchByHand(tollgate.gateway, await rowOf(file, 2), { transactionId: paid.id, reason: 'r' })
  expect(await balances()).toContain('suspenseUnmatched north -92.00 EUR')
})

test('a sale that is settled in another currency leaves nothing of it open', async () => {
  const paid = await payCleared(tollgate, { amount: '100.00', currency: 'USD' })
  await postAll(tollgate)
  const exchanged = { amountMinor: 10_000, currency: 'USD', settlementAmountMinor: 9190, fxRate: '0.92' }
  await read([settlementRowOf({ connectorTxId1: paid.reference, ...exchanged })])
  expect(await balances()).toEqual([
    'bank north 91.00 EUR',
    'acquirerFee north 0.90 EUR',
    'fxClearing north -92.00 EUR',
    'fxDifference north 0.10 EUR',
    'merchantPending north -100.00 USD',
    'fxClearing north 100.00 USD',
  ])
})

test('a late reversal takes the settlement of its transaction back, and nothing stays open', async () => {
  const paid = await payCleared(tollgate)
  const reversal = await tollgate.send('POST', `/v1/payments/${paid.id}`, { paymentType: 'RV' })
  expect(reversal.status).toBe(200)
  await postAll(tollgate)
  const row = settlementRowOf({ connectorTxId1: paid.reference, feeMinor: undefined })
  await read([row])
  const late = await read([{ ...row, cashflow: 'NEG', settledOn: '2026-06-17' }], 'F2')
  expect(await rowOf(late)).toMatchObject({ status: 'MATCHED', transaction_id: paid.id })
  expect(await balances()).toEqual([])
})

test('a settlement that is taken back without a reversal is in suspense, until people know the reason', async () => {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const row = settlementRowOf({ connectorTxId1: paid.reference, feeMinor: undefined })
  const file = await read([row, { ...row, cashflow: 'NEG' }])
  expect(await rowOf(file, 2)).toMatchObject({ status: 'NOT_MATCHED', reason: 'notReversed' })
  expect(await balances()).toEqual(['merchantPending north -92.00 EUR', 'suspenseUnmatched north 92.00 EUR'])
  await matchByHand(tollgate.gateway, await rowOf(file, 2), { transactionId: paid.id, reason: 'their mistake' })
  expect(await balances()).toEqual(['acquirerReceivable north 92.00 EUR', 'merchantPending north -92.00 EUR'])
})

test('what remains of a preauthorisation after a reversal of a part is settled by the row of its capture', async () => {
  const { id } = await payCleared(tollgate, { paymentType: 'PA' })
  const send = async (form: Readonly<Record<string, string>>) => {
    const { status, body } = await tollgate.send('POST', `/v1/payments/${id}`, { currency: 'EUR', ...form })
    expect(status).toBe(200)
    return body
  }
  await send({ paymentType: 'RV', amount: '30.00' })
  const capture = await send({ paymentType: 'CP', amount: '62.00' })
  await postAll(tollgate)
  const amounts = { amountMinor: 6200, settlementAmountMinor: 6200, feeMinor: undefined }
  await read([settlementRowOf({ connectorTxId1: capture.resultDetails.ConnectorTxID1, ...amounts })])
  expect(await balances()).toEqual(['merchantPending north -62.00 EUR', 'bank north 62.00 EUR'])
})

test('a statement of the merchant has no settled rows', async () => {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const statement = async () => (await tollgate.manage('GET', `/statements/${merchant}/2026-06`)).body.currencies
  const before = await statement()
  await read([settlementRowOf({ connectorTxId1: paid.reference })])
  expect(await statement()).toEqual(before)
})
