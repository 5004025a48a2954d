import { gzipSync } from 'node:zlib'
import { DAY_MS } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { Parameters, TestGateway } from '@tollgate/gateway/testing'
import { listOf, type TransactionRow } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
import { limits } from '../limits.ts'
import { storeContent } from './file-content.ts'
import { matchAgain } from './match-again.task.ts'
import { readFiles } from './read-files.task.ts'
import { rowIn } from './stored-row.ts'
import { receiveFile } from './receive-file.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

const pay = (changes: Parameters = {}) => payCleared(tollgate, changes)
const post = () => postAll(tollgate)

const receive = (content: Uint8Array, name = 'settlement.csv') =>
  receiveFile(tollgate.gateway, { name, arrivedBy: 'upload', chunks: [content] })

async function read(content: Uint8Array): Promise<string> {
  const received = await receive(content)
  if (!('file' in received)) throw new Error(`the file was refused: ${received.kind}`)
  await runToEnd(readFiles(tollgate.gateway))
  return received.file.id
}

const file = (id: string) => tollgate.gateway.storage.settlementFile(id)
const rowsOf = async (id: string) =>
  (await tollgate.gateway.storage.settlementRowsAfter(id, 0, 9_999)).map((row) => [
    row.status,
    row.transaction_id,
    row.reason,
  ])

test('the rows of a file are matched by the references of the acquirer', async () => {
  const [debit, other] = [await pay(), await pay({ amount: '10.00' })]
  await post()
  const id = await read(
    settlementFileOf([
      settlementRowOf({ connectorTxId1: debit.reference }),
      settlementRowOf({ connectorTxId1: 'UNKNOWN' }),
      settlementRowOf({ connectorTxId1: other.reference, amountMinor: 1001, settlementAmountMinor: 1001 }),
      settlementRowOf({ kind: 'FEE', type: 'MONTHLY', cashflow: 'NEG', amountMinor: 500, settlementAmountMinor: 500 }),
    ]),
  )
  expect(await rowsOf(id)).toEqual([
    ['MATCHED', debit.id, 'acquirer reference'],
    ['NOT_MATCHED', null, 'noTransaction'],
    ['NOT_MATCHED', null, 'amountDiffers'],
    ['MATCHED', null, 'merchant and month'],
  ])
  expect(await file(id)).toMatchObject({ state: 'read', format: 'tollgate-csv', rows: 4, rows_read: 4, file_id: 'F1' })
  const [first] = await tollgate.gateway.storage.settlementRowsAfter(id, 0, 1)
  expect(first).toMatchObject({ merchant: sandboxIds.merchant, channel: sandboxIds.channel, settled_on: '2026-06-16' })
  expect(first && rowIn(first)).toMatchObject({ connectorTxId1: debit.reference, feeMinor: 90 })
})

test.each<[string, (paid: ClearedPayment) => Partial<SettlementRow>, string]>([
  ['its id', ({ id }) => ({ uniqueId: id }), 'transaction id'],
  ["its network's id", ({ networkId }) => ({ networkTransactionId: networkId }), 'network transaction id on a day'],
  ['its merchantTransactionId', () => ({ merchantTransactionId: 'order-00001' }), 'merchant transaction id'],
  [
    'account, day and amount',
    () => ({ last4: '0000', bin: '420000', approvalCode: 'A1B2C3' }),
    'account and approval code',
  ],
])('a row without a reference is matched by %s', async (_name, changesFor, reason) => {
  const paid = await pay({ merchantTransactionId: 'order-00001' })
  await post()
  const id = await read(settlementFileOf([settlementRowOf(changesFor(paid))]))
  expect(await rowsOf(id)).toEqual([['MATCHED', paid.id, reason]])
})

test("a row with the acquirer's own reference is matched by retrieval reference and approval code", async () => {
  const paid = await pay()
  await post()
  const row = { connectorTxId1: '74000001234567890123456', connectorTxId2: paid.reference }
  const rows = [
    settlementRowOf({ ...row, approvalCode: 'OTHER1' }),
    settlementRowOf({ ...row, approvalCode: 'A1B2C3' }),
  ]
  expect(await rowsOf(await read(settlementFileOf(rows)))).toEqual([
    ['NOT_MATCHED', null, 'noTransaction'],
    ['MATCHED', paid.id, 'retrieval reference and approval code'],
  ])
})

test.each<[shared: string, row: Partial<SettlementRow>, reason: string]>([
  ['reference', { merchantTransactionId: 'order-00001' }, 'merchant transaction id'],
  ['account, day and amount', { last4: '0000', bin: '420000', approvalCode: 'A1B2C3' }, 'account and approval code'],
])('of transactions with the same %s, a row is matched with that of its terminal', async (_shared, row, reason) => {
  const name = { merchantTransactionId: 'order-00001' }
  const [first, second] = [await pay(name), await pay(name)]
  await post()
  const { acquirerRequestsOf } = tollgate.gateway.storage
  Object.assign(tollgate.gateway.storage, {
    acquirerRequestsOf: async (ids: string) =>
      (await acquirerRequestsOf(ids)).map((request) =>
        request.transaction_id === second.id
          ? { ...request, sent_as: request.sent_as.replace('TERM0001', 'TERM0002') }
          : request,
      ),
  })
  const rows = ['TERM0002', 'TERM0001', 'TERM0003'].map((terminalId) => settlementRowOf({ ...row, terminalId }))
  expect(await rowsOf(await read(settlementFileOf(rows)))).toEqual([
    ['MATCHED', second.id, reason],
    ['MATCHED', first.id, reason],
    ['NOT_MATCHED', null, 'alreadyMatched'],
  ])
})

test.each([
  [limits.settlementTerminalsMax, ['MATCHED', 'account and approval code']],
  [limits.settlementTerminalsMax + 1, ['MULTIPLE_MATCHES', 'account and approval code']],
])('of %i transactions with the same account, day and amount, a row with a terminal is %o', async (count, expected) => {
  const account = { last4: '0000', bin: '420000', approvalCode: 'A1B2C3' }
  const paid = await pay()
  await post()
  const { storage } = tollgate.gateway
  const { acquirerPostingsFrom, acquirerRequestsOf } = storage
  const payments = await storage.transactions([paid.id])
  const idOf = (number: number) => String(number).padStart(32, '0')
  /** A row of the payment, and as many copies of it for the other transactions. */
  const withCopies = <Row>(rows: readonly Row[], copyOf: (row: Row, id: string) => Row): readonly Row[] =>
    rows.flatMap((row) => [row, ...Array.from({ length: count - 1 }, (_, number) => copyOf(row, idOf(number)))])
  const requests = await acquirerRequestsOf(listOf([paid.id]))
  Object.assign(storage, {
    acquirerPostingsFrom: async (from: string, until: string, acquirers: string, max: number) =>
      withCopies(await acquirerPostingsFrom(from, until, acquirers, max), (row, id) => ({
        ...row,
        transaction_id: id,
      })),
    transactions: async () => withCopies(payments, (row, id) => ({ ...row, id, root_id: id })),
    acquirerRequestsOf: async () =>
      withCopies(requests, (row, id) => ({
        ...row,
        transaction_id: id,
        sent_as: row.sent_as.replace('TERM0001', 'TERM0002'),
      })),
  })
  const id = await read(settlementFileOf([settlementRowOf({ ...account, terminalId: 'TERM0001' })]))
  const [row] = await rowsOf(id)
  expect([row?.[0], row?.[2]]).toEqual(expected)
})

test('captures with the network id of their hold are matched by their numbers', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const capture = async () => {
    tollgate.clock.nowMs += 1_000
    const parameters = { paymentType: 'CP', amount: '46.00', currency: 'EUR' }
    return (await tollgate.send('POST', `/v1/payments/${hold.id}`, parameters)).body.id
  }
  const captures = [await capture(), await capture()]
  await post()
  const row = { networkTransactionId: hold.networkId, amountMinor: 4600, settlementAmountMinor: 4600 }
  const rows = [2, 1].map((clearingSequence) => settlementRowOf({ ...row, clearingSequence }))
  expect((await rowsOf(await read(settlementFileOf(rows)))).map(([, id]) => id)).toEqual(captures.toReversed())
})

describe('of too many transactions with a name', () => {
  const name = { merchantTransactionId: 'order-00001' }

  /** Stores that many transactions of other merchants, as far as reads without a merchant return them. */
  async function readWith(changes: Partial<TestGateway['gateway']['storage']>): Promise<string> {
    const { storage } = tollgate.gateway
    const [paid] = await storage.transactions([(await pay(name)).id])
    const others = Array.from({ length: limits.settlementHitsMax + 1 }, () => paid).flatMap((row) => row ?? [])
    await post()
    const { transactionsNamed, transactionsNamedBetween } = storage
    Object.assign(storage, { transactionsNamed: async () => others, ...changes })
    const id = await read(settlementFileOf([settlementRowOf(name)]))
    Object.assign(storage, { transactionsNamed, transactionsNamedBetween })
    return id
  }

  test('a row is matched with that of its merchant and days', async () => {
    expect(await rowsOf(await readWith({}))).toMatchObject([['MATCHED', expect.any(String), 'merchant transaction id']])
  })

  test.each([0, limits.settlementHitsMax + 1])('none is a match if %i are of its merchant and days', async (count) => {
    const transactionsNamedBetween = async (): Promise<readonly TransactionRow[]> => {
      const [row] = await tollgate.gateway.storage.transactionsNamed('', 1)
      return Array.from({ length: count }, () => row).flatMap((each) => each ?? [])
    }
    const id = await readWith({ transactionsNamedBetween })
    expect(await rowsOf(id)).toEqual([['NOT_MATCHED', null, 'ambiguous']])
    tollgate.clock.nowMs += DAY_MS
    await runToEnd(matchAgain(tollgate.gateway))
    expect(await rowsOf(id)).toMatchObject([['MATCHED', expect.any(String), 'merchant transaction id']])
  })
})

test('a transaction is settled once, also by rows of different files', async () => {
  const debit = await pay()
  await post()
  const row = settlementRowOf({ connectorTxId1: debit.reference })
  const first = await read(settlementFileOf([row, row]))
  const second = await read(settlementFileOf([row], { fileId: 'F2' }))
  expect([await rowsOf(first), await rowsOf(second)].flat().map(([status, , reason]) => [status, reason])).toEqual([
    ['MATCHED', 'acquirer reference'],
    ['NOT_MATCHED', 'alreadyMatched'],
    ['NOT_MATCHED', 'alreadyMatched'],
  ])
})

test('the same content is the same file, and its rows do not change', async () => {
  const debit = await pay()
  await post()
  const content = settlementFileOf([settlementRowOf({ connectorTxId1: debit.reference })])
  const id = await read(content)
  const before = [await file(id), await rowsOf(id)]
  expect((await receive(content, 'again.csv')).kind).toBe('repeated')
  await runToEnd(readFiles(tollgate.gateway))
  expect([await file(id), await rowsOf(id)]).toEqual(before)
  expect((await tollgate.gateway.storage.settlementFilesBefore(Number.MAX_SAFE_INTEGER, '', 9)).length).toBe(1)
})

describe('a file is quarantined, and none of its rows is stored,', () => {
  const quarantined = async (content: Uint8Array) => {
    const id = await read(content)
    const { state, fault } = (await file(id)) ?? {}
    return [state, JSON.parse(fault ?? '{}'), await rowsOf(id)]
  }
  const valid = () =>
    settlementFileOf([settlementRowOf(), settlementRowOf({ amountMinor: 1, settlementAmountMinor: 1 })])

  test('if its last total is wrong', async () => {
    const content = valid().toString().replace('92.01', '92.02')
    expect(await quarantined(Buffer.from(content))).toMatchObject(['quarantined', { reason: 'TOTAL' }, []])
  })

  test.each<[string, (content: Buffer) => Uint8Array, string]>([
    ['truncated', (content) => content.subarray(0, content.lastIndexOf('END')), 'TRUNCATED'],
    ['truncated within a row', (content) => content.subarray(0, content.indexOf('TOTAL') - 20), 'COLUMN'],
    ['re-ordered', (content) => edited(content, /^(TOTAL.*\n)(END.*\n)/m, '$2$1'), 'TOTAL'],
    ['duplicated within itself', (content) => Buffer.concat([content, content]), 'TRAILING'],
    [
      'with a row that is duplicated, contrary to its totals',
      (content) => edited(content, /^(SETTLED.*\n)/m, '$1$1'),
      'COUNT',
    ],
    ['mis-encoded', (content) => Buffer.from(edited(content, 'North', 'Nörd').toString(), 'latin1'), 'ENCODING'],
    ['contradictory', (content) => edited(content, ';DEBIT;', ';BATCH;'), 'VALUE'],
    ['with a gigantic cell', (content) => edited(content, ';S1;', `;${'S'.repeat(100_000)};`), 'LINE_LENGTH'],
    ['of an unknown format', () => Buffer.from('%PDF-1.7'), 'FORMAT'],
    ['an XML bomb', () => xmlWith('<!ENTITY a "aa"><!ENTITY b "&a;&a;">'), 'DOCTYPE'],
    ['XML with an external entity', () => xmlWith('<!ENTITY a SYSTEM "file:///etc/passwd">'), 'DOCTYPE'],
  ])('if it is %s', async (_name, change, reason) => {
    const content = change(valid())
    const [state, fault, rows] = await quarantined(content)
    expect([state, rows]).toEqual(['quarantined', []])
    expect(fault).toMatchObject({ reason, line: expect.any(Number), column: expect.any(Number) })
    expect((await tollgate.manage('GET', '/ledger/balances')).body.balances).toEqual([])
    // The same content is the same file, and is not read again.
    expect((await receive(content)).kind).toBe('repeated')
  })

  test('if it has the id of another file of the institute', async () => {
    await read(valid())
    expect(
      await quarantined(settlementFileOf([settlementRowOf({ amountMinor: 7, settlementAmountMinor: 7 })])),
    ).toMatchObject(['quarantined', { reason: 'REPEATED_ID' }, []])
  })
})

function edited(content: Buffer, from: string | RegExp, to: string): Buffer {
  const text = content.toString()
  const changed = text.replace(from, to)
  expect(changed).not.toBe(text)
  return Buffer.from(changed)
}

const xmlWith = (declarations: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE D [${declarations}]>` +
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>&a;</BkToCstmrStmt></Document>',
  )

test('an empty file is refused', async () => {
  expect(await receive(Buffer.alloc(0))).toEqual({ kind: 'empty' })
})

test.each([
  ['a ZIP archive', Buffer.from('PK\u0003\u0004')],
  ['a compressed file', gzipSync(settlementFileOf([settlementRowOf()]))],
])('%s is refused, and nothing of it stays', async (_name, content) => {
  expect(await receive(content)).toEqual({ kind: 'archive' })
  expect(await tollgate.gateway.storage.contentsWithoutFile('', 'g', 1)).toEqual([])
})

test('a gigantic file is refused while it arrives, and nothing of it stays', async () => {
  let arrived = 0
  function* endless() {
    for (;;) {
      arrived += 1
      yield Buffer.alloc(limits.settlementPartBytes)
    }
  }
  const bytesMax = 3 * limits.settlementPartBytes
  expect(await storeContent(tollgate.gateway, endless(), bytesMax)).toBe('tooLarge')
  expect(arrived).toBeLessThan(6)
  expect(await tollgate.gateway.storage.contentsWithoutFile('', 'g', 1)).toEqual([])
})

test('a killed process continues after the last stored page, and stores each row once', async () => {
  const debit = await pay()
  await post()
  const count = 3 * limits.settlementRowsPerStep + 7
  const rows = Array.from({ length: count }, (_, index) => settlementRowOf({ connectorTxId1: `NONE${index}` }))
  const received = await receive(settlementFileOf([...rows, settlementRowOf({ connectorTxId1: debit.reference })]))
  if (!('file' in received)) throw new Error('the file was refused')
  // Each new task begins as after a start of the process.
  for (let start = 0; start < 99; start += 1) {
    const task = readFiles(tollgate.gateway)
    for (let step = 0; step <= start % 7; step += 1) await task.step()
  }
  const storedRows = await rowsOf(received.file.id)
  expect(storedRows.length).toBe(count + 1)
  expect(storedRows.at(-1)).toEqual(['MATCHED', debit.id, 'acquirer reference'])
  expect(await file(received.file.id)).toMatchObject({ state: 'read', rows_read: count + 1 })
})

test('a step that fails is repeated, with all of its rows', async () => {
  const count = 3 * limits.settlementRowsPerIdleStep + 7
  const rows = Array.from({ length: count }, (_, index) => settlementRowOf({ connectorTxId1: `NONE${index}` }))
  const received = await receive(settlementFileOf(rows))
  if (!('file' in received)) throw new Error('the file was refused')
  const { storage } = tollgate.gateway
  let commits = 0
  const failing: typeof storage = {
    ...storage,
    commit: (unit) => (++commits % 2 === 0 ? Promise.reject(new Error('no connection')) : storage.commit(unit)),
  }
  const task = readFiles({ ...tollgate.gateway, storage: failing })
  let failures = 0
  while ((await file(received.file.id))?.state !== 'read')
    await task.step().catch(() => {
      failures += 1
    })
  expect(failures).toBeGreaterThan(1)
  const stored = await storage.settlementRowsAfter(received.file.id, 0, 9_999)
  expect(stored.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  expect(await file(received.file.id)).toMatchObject({ state: 'read', rows_read: count })
})

test('of several processes, one stores each row', async () => {
  const rows = Array.from({ length: 350 }, (_, index) => settlementRowOf({ connectorTxId1: `NONE${index}` }))
  const received = await receive(settlementFileOf(rows))
  if (!('file' in received)) throw new Error('the file was refused')
  const tasks = [1, 2, 3].map(() => readFiles(tollgate.gateway))
  while ((await file(received.file.id))?.state !== 'read') await Promise.all(tasks.map((task) => task.step()))
  expect((await rowsOf(received.file.id)).length).toBe(350)
})

test('a fee belongs to the merchant of its transaction, or else of the account at the institute', async () => {
  const debit = await pay()
  await post()
  const fee = { kind: 'FEE', type: 'CAPTURE_FEE', cashflow: 'NEG', amountMinor: 4, settlementAmountMinor: 4 } as const
  const id = await read(
    settlementFileOf([settlementRowOf({ ...fee, connectorTxId1: debit.reference }), settlementRowOf(fee)]),
  )
  const rows = await tollgate.gateway.storage.settlementRowsAfter(id, 0, 9)
  expect(rows.map((row) => [row.status, row.transaction_id, row.merchant])).toEqual([
    ['MATCHED', null, sandboxIds.merchant],
    ['MATCHED', null, sandboxIds.merchant],
  ])
})
