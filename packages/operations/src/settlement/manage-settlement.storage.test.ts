import { gzipSync } from 'node:zlib'
import { recordHeader } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { readFiles } from './read-files.task.ts'

// The management API of settlement files, with payments of a connector that is cleared.

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

const upload = (content: Uint8Array, name = 'north.csv') =>
  tollgate.manage('POST', `/settlement-files?name=${name}`, content)
const readAll = () => runToEnd(readFiles(tollgate.gateway))

test('a file is uploaded, read and shown with its rows', async () => {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const { status, body } = await upload(settlementFileOf([settlementRowOf({ connectorTxId1: paid.reference })]))
  expect([status, body.state, body.name]).toEqual([201, 'received', 'north.csv'])
  await readAll()
  expect((await tollgate.manage('GET', `/settlement-files/${body.id}`)).body).toMatchObject({
    state: 'read',
    arrivedBy: 'upload',
    format: 'tollgate-csv',
    institute: 'North',
    fileId: 'F1',
    rows: 1,
    rowsRead: 1,
    fault: null,
  })
  const { body: page } = await tollgate.manage('GET', `/settlement-files/${body.id}/rows`)
  expect(page.rows).toMatchObject([
    { number: 1, matching: 'MATCHED', transactionId: paid.id, settled: { amountMinor: 9200, feeMinor: 90 } },
  ])
  expect((await tollgate.manage('GET', '/settlement-files')).body.files.map(({ id }: { id: string }) => id)).toEqual([
    body.id,
  ])
})

test('the same file is answered with the first one', async () => {
  const content = settlementFileOf([settlementRowOf()])
  const first = await upload(content)
  const second = await upload(content, 'again.csv')
  expect([second.status, second.body.id, second.body.name]).toEqual([200, first.body.id, 'north.csv'])
})

test('an archive is refused', async () => {
  const { status, body } = await upload(gzipSync(settlementFileOf([settlementRowOf()])))
  expect([status, body.error.message]).toEqual([
    400,
    'The file is an archive or compressed: send the file that it contains.',
  ])
  expect((await tollgate.manage('GET', '/settlement-files')).body.files).toEqual([])
})

test('a quarantined file shows the place and the reason', async () => {
  const content = settlementFileOf([settlementRowOf()]).toString().replace('EUR', 'EUX')
  const { body } = await upload(Buffer.from(content))
  await readAll()
  expect((await tollgate.manage('GET', `/settlement-files/${body.id}`)).body).toMatchObject({
    state: 'quarantined',
    fault: { line: expect.any(Number), column: expect.any(Number), reason: 'CURRENCY' },
  })
})

test.each([
  ['an empty file', Buffer.alloc(0), 400],
  ['JSON', { name: 'x' }, 415],
])('%s is refused', async (_name, content, status) => {
  expect((await tollgate.manage('POST', '/settlement-files', content)).status).toBe(status)
})

describe('a row without a match', () => {
  const openRow = async () => {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    const { body } = await upload(settlementFileOf([settlementRowOf({ connectorTxId1: 'UNKNOWN' })]))
    await readAll()
    return { paid, path: `/settlement-files/${body.id}/rows/1/match`, file: body.id }
  }

  test('is listed with its age', async () => {
    const { file } = await openRow()
    tollgate.clock.nowMs = Date.UTC(2026, 5, 23)
    const { body } = await tollgate.manage('GET', '/settlement-breaks')
    expect(body.breaks).toMatchObject([
      { file, number: 1, matching: 'NOT_MATCHED', age: { name: '6-10' }, isBreak: true },
    ])
  })

  test('is matched by hand with a reason, and the match is undone', async () => {
    const { paid, path } = await openRow()
    const match = { transactionId: paid.id, reason: 'confirmed by the acquirer' }
    expect((await tollgate.manage('PUT', path, match)).body).toMatchObject({
      matching: 'MATCHED',
      transactionId: paid.id,
      reason: 'by hand: confirmed by the acquirer',
    })
    expect(tollgate.logged.find(({ audit }) => audit === 'settlement row matched')).toMatchObject({
      row: 1,
      reason: match.reason,
    })
    expect((await tollgate.manage('PUT', path, match)).status).toBe(409)
    expect((await tollgate.manage('DELETE', path)).status).toBe(400)
    const undo = { reason: 'their mistake' }
    expect((await tollgate.manage('DELETE', path, undo)).body).toMatchObject({
      matching: 'NOT_MATCHED',
      transactionId: null,
    })
    expect(tollgate.logged.find(({ audit }) => audit === 'settlement row unmatched')).toMatchObject(undo)
    expect((await tollgate.manage('DELETE', path, undo)).status).toBe(409)
    // The transaction can be matched again at once.
    expect((await tollgate.manage('PUT', path, match)).status).toBe(200)
  })

  test.each<[string, Partial<SettlementRow>, RegExp | undefined]>([
    ['another type', { type: 'REFUND', cashflow: 'NEG' }, /another type/],
    ['another currency', { currency: 'CHF', settlementCurrency: 'CHF' }, /another currency/],
    ['another amount, unless it is confirmed', { amountMinor: 9000, settlementAmountMinor: 9000 }, undefined],
  ])('is not matched with a transaction of %s', async (_name, changes, refusal) => {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    const { body } = await upload(settlementFileOf([settlementRowOf({ connectorTxId1: 'UNKNOWN', ...changes })]))
    await readAll()
    const path = `/settlement-files/${body.id}/rows/1/match`
    const match = { transactionId: paid.id, reason: 'r' }
    const plain = await tollgate.manage('PUT', path, match)
    expect([plain.status, plain.body.error.message]).toEqual([409, expect.stringMatching(refusal ?? /amounts differ/)])
    const confirmed = await tollgate.manage('PUT', path, { ...match, differingAmount: true })
    expect(confirmed.status).toBe(refusal ? 409 : 200)
  })

  test('is one of two that are matched with a transaction at the same moment', async () => {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    const row = settlementRowOf({ connectorTxId1: 'UNKNOWN' })
    const { body } = await upload(settlementFileOf([row, row]))
    await readAll()
    const match = (number: number) =>
      tollgate.manage('PUT', `/settlement-files/${body.id}/rows/${number}/match`, {
        transactionId: paid.id,
        reason: 'confirmed by the acquirer',
      })
    const answers = await Promise.all([match(1), match(2)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { storage } = tollgate.gateway
    expect(await storage.settlementRowsOf(JSON.stringify([paid.id]))).toHaveLength(1)
  })

  test('is not matched with an unknown transaction, or one that is settled', async () => {
    const { paid, path } = await openRow()
    const unknown = { transactionId: '0'.repeat(32), reason: 'r' }
    expect((await tollgate.manage('PUT', path, unknown)).status).toBe(404)
    await upload(settlementFileOf([settlementRowOf({ connectorTxId1: paid.reference })], { fileId: 'F2' }))
    await readAll()
    expect((await tollgate.manage('PUT', path, { transactionId: paid.id, reason: 'r' })).status).toBe(409)
  })
})

describe('the reconciliation file of a merchant', () => {
  const records = async (query: string, id: string = sandboxIds.merchant) =>
    tollgate.manage('GET', `/reconciliation-records/${id}?${query}`)

  test('has a line for each row of the period, in the order of settlement', async () => {
    const [first, second] = [
      await payCleared(tollgate),
      await payCleared(tollgate, { merchantTransactionId: 'order-77' }),
    ]
    await postAll(tollgate)
    await upload(
      settlementFileOf([
        settlementRowOf({ connectorTxId1: second.reference, settledOn: '2026-06-17' }),
        settlementRowOf({ connectorTxId1: first.reference }),
      ]),
    )
    await readAll()
    const { text, headers } = await records('from=2026-06-16&to=2026-06-17')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header, ...lines] = text.trimEnd().split('\n')
    expect(`${header}\n`).toBe(recordHeader({ merchantReferences: false }))
    const cells = lines.map((line) => line.split(';'))
    expect(cells.map((line) => [line[0], line[1], line[4], line[6], line[7], line[8], line[10]])).toEqual(
      [first, second].map(({ id }) => [
        'SETTLED',
        'DEBIT',
        sandboxIds.channel,
        sandboxIds.psp,
        sandboxIds.division,
        sandboxIds.merchant,
        id,
      ]),
    )
    expect((await records('from=2026-06-17&to=2026-06-17')).text.split('\n').length).toBe(3)
    expect((await records('from=2026-06-16&to=2026-06-17&merchantReferences=true')).text).toContain(';order-77;')
  })

  const cellsOf = ({ text }: { readonly text: string }) => {
    const [header = '', ...lines] = text.trimEnd().split('\n')
    const names = header.split(';')
    return lines.map((line) => Object.fromEntries(line.split(';').map((cell, index) => [names[index], cell])))
  }

  test('has the fees and the unmatched rows of its account at the institute, and none of other accounts', async () => {
    const fee = { kind: 'FEE', cashflow: 'NEG', amountMinor: 25, settlementAmountMinor: 25 } as const
    await upload(
      settlementFileOf([
        settlementRowOf({ ...fee, type: 'BATCH' }),
        settlementRowOf({ connectorTxId1: 'UNKNOWN' }),
        settlementRowOf({ ...fee, type: 'BATCH', clearingMerchantId: 'ELSEWHERE' }),
      ]),
    )
    await readAll()
    const common = {
      ClearingInstituteMerchantId: 'NORTH0000000001',
      MerchantAccountId: sandboxIds.channel,
      MerchantId: sandboxIds.merchant,
    }
    expect(cellsOf(await records('from=2026-06-16&to=2026-06-16'))).toMatchObject([
      { ...common, PaymentType: 'BATCH', MatchingStatus: 'MATCHED' },
      { ...common, PaymentType: 'DEBIT', MatchingStatus: 'NOT_MATCHED' },
    ])
  })

  test('has the references of a transaction that its file does not state, and the memo if it is wanted', async () => {
    const paid = await payCleared(tollgate, { merchantMemo: 'as agreed with Jane' })
    await postAll(tollgate)
    await upload(settlementFileOf([settlementRowOf({ uniqueId: paid.id, connectorTxId3: 'OTHER' })]))
    await readAll()
    const query = 'from=2026-06-16&to=2026-06-16'
    expect(cellsOf(await records(`${query}&merchantMemo=true`))).toMatchObject([
      { ConnectorTxId1: paid.reference, ConnectorTxId3: 'OTHER', MerchantMemo: 'as agreed with Jane' },
    ])
    for (const options of ['', '&merchantReferences=true', '&merchantMemo=false'])
      expect((await records(query + options)).text).not.toMatch(/memo|agreed/i)
  })

  test.each([
    ['from=2026-06-17&to=2026-06-16', sandboxIds.merchant, 400],
    ['from=2026-06-17', sandboxIds.merchant, 400],
    ['from=2026-06-16&to=2026-06-17', sandboxIds.channel, 400],
    ['from=2026-06-16&to=2026-06-17', '0'.repeat(32), 404],
  ])('is refused for %s of %s', async (query, id, status) => {
    expect((await records(query, id)).status).toBe(status)
  })
})
