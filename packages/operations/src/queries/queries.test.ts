import { isTransactionType, paymentMethods, SECOND_MS, transactionTypes } from '@tollgate/contract'
import { openMemory, positionAt, type Storage, type TransactionRow } from '@tollgate/storage'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  formOf,
  otherMerchant,
  type Parameters,
  summary,
  type TestAnswer,
  testGateway,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { shortIdOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'

let tollgate: TestGateway
let storage: Storage
/** A model of the stored transactions of the sandbox's merchant. */
const stored: TransactionRow[] = []
let startMs = 0

const types = Object.keys(transactionTypes).filter(isTransactionType)
const methods = Object.keys(paymentMethods)
const channels = [sandboxIds.channel, sandboxIds.legacyChannel]
const merchantTransactionIds = ['order-1', 'order-2', null]

/** The item at an index, counted from the start again after the end of the list. */
const itemAt = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

const idOf = (number: number, atMs: number) =>
  positionAt(atMs) + (number * 2_654_435_761).toString(16).padStart(20, '0')

/** A transaction of any type: of three transactions, two begin a tree, and the third refers to the latest root. */
function rowOf(number: number): TransactionRow {
  const atMs = startMs + number * 400
  const root = number % 3 === 2 ? stored.findLast(({ id, root_id }) => id === root_id) : undefined
  const type = root
    ? itemAt(
        types.filter((code) => code !== 'RG'),
        number,
      )
    : itemAt(types, number)
  const id = type === 'RG' ? number.toString(16).padStart(32, 'e') : idOf(number, atMs)
  const description = 'Request successfully processed'
  return {
    root_id: root?.id ?? id,
    id,
    merchant: sandboxIds.merchant,
    channel: root?.channel ?? itemAt(channels, number),
    referenced_id: root?.id ?? null,
    type,
    status: 'ACK',
    amount_minor: number,
    currency: 'EUR',
    brand: 'VISA',
    method: number % 7 === 0 ? null : itemAt(methods, number),
    test_mode: null,
    account_id: null,
    registration_id: null,
    network_transaction_id: null,
    initial_transaction_id: null,
    merchant_transaction_id: itemAt(merchantTransactionIds, number * 5),
    result_code: '000.100.110',
    facts: '{}',
    echo: '{}',
    outcome: JSON.stringify({ result: { code: '000.100.110', description }, resultDetails: {} }),
    created_at_ms: atMs,
  }
}

async function store(row: TransactionRow): Promise<void> {
  const version = stored.filter(({ root_id }) => root_id === row.root_id).length
  const expectedVersions = [{ id: row.root_id, merchant: row.merchant, version }]
  const { kind } = await storage.commit({ id: row.id, expectedVersions, rows: { payment_transaction: [row] } })
  expect(kind).toBe('committed')
  stored.push(row)
}

beforeAll(async () => {
  storage = openMemory()
  tollgate = await testGateway({ storage })
  startMs = tollgate.clock.nowMs - 1_000_000
  for (let number = 0; number < 330; number += 1) await store(rowOf(number))
})
afterAll(() => tollgate.close())

const query = (path: string, parameters: Parameters) => tollgate.send('GET', path, parameters)
const idsIn = ({ body }: TestAnswer, list: 'payments' | 'records'): readonly string[] =>
  body[list].map(({ id }: { id: string }) => id)

const timestamp = (atMs: number) => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
const positionOf = ({ id, type, created_at_ms: atMs }: TransactionRow) => (type === 'RG' ? positionAt(atMs) + id : id)

const digitsOf = (id: string) => shortIdOf(id).replaceAll('.', '')

/** The ids that a query should find, by a scan of the model. */
function expectedIds(parameters: Parameters, limit = Number(parameters['limit'] ?? 100)): readonly string[] {
  const isListed = (name: string, code: string) => parameters[name]?.split(',').includes(code) ?? true
  const matches = stored
    .filter(({ channel }) => parameters['entityId'] === sandboxIds.merchant || channel === parameters['entityId'])
    .filter(({ type, method }) => isListed('paymentTypes', type) && isListed('paymentMethods', method ?? ''))
    .filter(({ merchant_transaction_id: sent }) => sent === (parameters['merchantTransactionId'] ?? sent))
    .filter(({ id }) => [undefined, shortIdOf(id), digitsOf(id)].includes(parameters['shortId']))
    .filter(({ created_at_ms: atMs }) => timestamp(atMs) >= (parameters['date.from'] ?? ''))
    .filter(({ created_at_ms: atMs }) => timestamp(atMs) <= (parameters['date.to'] ?? '9'))
    .toSorted((a, b) => (positionOf(a) > positionOf(b) ? -1 : 1))
  if (parameters['includeLinkedTransactions'] !== 'true') return matches.slice(0, limit).map(({ id }) => id)
  const shown = new Set<string>()
  for (const { id, root_id: root, channel } of matches) {
    const linked = stored
      .filter((row) => row.root_id === root && row.id !== id && row.channel === channel)
      .toSorted((a, b) => (positionOf(a) > positionOf(b) ? -1 : 1))
    const added = [id, ...linked.map((row) => row.id)].filter((addedId) => !shown.has(addedId))
    if (shown.size + added.length > limit) break
    for (const addedId of added) shown.add(addedId)
  }
  return [...shown]
}

const timestamps = fc.integer({ min: -5, max: 140 }).map((offset) => timestamp(startMs + offset * SECOND_MS))
const codeList = (codes: readonly string[]) => fc.subarray([...codes], { minLength: 1 }).map((list) => list.join(','))
const filters = fc.record(
  {
    entityId: fc.constantFrom(sandboxIds.merchant, ...channels),
    paymentTypes: fc.oneof(codeList(types), fc.constantFrom(...types)),
    paymentMethods: fc.oneof(codeList(methods), fc.constantFrom(...methods)),
    limit: fc.constantFrom('100', '101', '250', '500'),
    includeLinkedTransactions: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: ['entityId'] },
)
const shortId = fc
  .tuple(fc.nat(329), fc.constantFrom(shortIdOf, digitsOf))
  .map(([number, shortOf]) => ({ shortId: shortOf(itemAt(stored, number).id) }))
const range = fc.tuple(timestamps, timestamps).map((bounds) => {
  const [from = '', to = ''] = bounds.toSorted()
  return { 'date.from': from, 'date.to': to }
})
const criterion = fc.oneof(
  fc.constant({}),
  shortId,
  range,
  fc.tuple(shortId, range).map(([short, between]) => ({ ...short, ...between })),
  fc.constantFrom('order-1', 'order-2', 'order-3').map((merchantTransactionId) => ({ merchantTransactionId })),
)
const anyQuery = fc.tuple(filters, criterion).map(([filter, criteria]): Parameters => ({ ...filter, ...criteria }))

/** Queries one page after another. @returns the ids of all pages */
async function readPages(parameters: Parameters, betweenRequests = async (): Promise<void> => undefined) {
  const ids: string[] = []
  for (let pageNo = 1, last = 1; pageNo <= last; pageNo += 1) {
    const answer = await query('/v3/query', { ...parameters, pageNo: String(pageNo) })
    if (answer.status === 404) return ids
    expect([answer.body.pageNo, answer.body.pages >= pageNo]).toEqual([pageNo, true])
    expect(answer.body.records.length).toBeLessThanOrEqual(Number(parameters['limit'] ?? 100))
    last = answer.body.pages
    ids.push(...idsIn(answer, 'records'))
    await betweenRequests()
  }
  return ids
}

test('a query finds the same transactions as a scan of the model, and its pages contain all matches', async () => {
  let limitedQueries = 0
  await fc.assert(
    fc.asyncProperty(anyQuery, async (parameters) => {
      const answer = await query('/v1/query', parameters)
      const ids = expectedIds(parameters)
      if (ids.length === 0) expect(summary(answer)).toEqual([404, '700.400.580'])
      else expect(idsIn(answer, 'payments')).toEqual(ids)
      const allIds = expectedIds(parameters, Infinity)
      const pagedIds = await readPages(parameters)
      if (parameters['includeLinkedTransactions'] === 'true') expect(new Set(pagedIds)).toEqual(new Set(allIds))
      else expect(pagedIds).toEqual(allIds)
      if (allIds.length > ids.length) limitedQueries += 1
    }),
    {
      numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 1_000 : 40,
      examples: [
        [{ entityId: sandboxIds.merchant }],
        // A regression: linked transactions fill a page of this query, and a match after them was omitted.
        [{ entityId: sandboxIds.legacyChannel, includeLinkedTransactions: 'true' }],
      ],
    },
  )
  expect(limitedQueries).toBeGreaterThan(0)
})

test.each(types)('a query with paymentTypes=%s finds the transactions of that type', async (type) => {
  const parameters = { entityId: sandboxIds.merchant, paymentTypes: type }
  expect(idsIn(await query('/v1/query', parameters), 'payments')).toEqual(expectedIds(parameters))
})

test('pages contain each transaction once, although more transactions are stored between the requests', async () => {
  const parameters = { entityId: sandboxIds.merchant }
  const idsBefore = stored.map(({ id }) => id)
  const pagedIds = await readPages(parameters, async () => {
    for (let count = 0; count < 30; count += 1) await store(rowOf(stored.length))
  })
  expect(new Set(pagedIds).size).toBe(pagedIds.length)
  expect(idsBefore.filter((id) => !pagedIds.includes(id))).toEqual([])
})

test('a page can be requested before the previous pages', async () => {
  // No other test requests pages of this size, because the starts of pages are cached.
  const parameters = { entityId: sandboxIds.merchant, limit: '102' }
  const third = await query('/v3/query', { ...parameters, pageNo: '3' })
  expect(idsIn(third, 'records')).toEqual(expectedIds(parameters, Infinity).slice(204, 306))
  expect(summary(await query('/v3/query', { ...parameters, pageNo: '9' }))).toEqual([404, '700.400.580'])
})

test('a payment is found by merchantTransactionId, id and time; its record is its answer with amounts', async () => {
  const createdAtMs = tollgate.clock.nowMs
  const paid = await tollgate.send('POST', '/v1/payments', cardPayment({ merchantTransactionId: 'shown-123' }))
  const registered = await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())
  tollgate.clock.nowMs += 5 * SECOND_MS
  const refund = await tollgate.send('POST', `/v1/payments/${paid.body.id}`, {
    paymentType: 'RF',
    amount: '2.00',
    currency: 'EUR',
  })
  const withoutIgnored = { buildNumber: undefined, ndc: undefined }
  const amounts = { authorised: '92.00', captured: '92.00', refunded: '2.00', chargedBack: '0.00', open: '0.00' }

  const byMerchantTransactionId = await query('/v1/query', { merchantTransactionId: 'shown-123' })
  expect(byMerchantTransactionId.body.result.code).toBe('000.000.100')
  expect({ ...byMerchantTransactionId.body.payments[0], ...withoutIgnored }).toEqual({
    ...paid.body,
    ...withoutIgnored,
    amounts,
  })
  const byId = await query(`/v1/query/${paid.body.id}`, {})
  expect({ ...byId.body, ...withoutIgnored }).toEqual({ ...paid.body, ...withoutIgnored, amounts })
  const withLinked = await query(`/v1/query/${paid.body.id}`, { includeLinkedTransactions: 'true' })
  expect(idsIn(withLinked, 'payments')).toEqual([refund.body.id])
  const linkedCaptures = { includeLinkedTransactions: 'true', paymentTypes: 'CP' }
  expect(idsIn(await query(`/v1/query/${paid.body.id}`, linkedCaptures), 'payments')).toEqual([])
  const recordList = await query(`/v3/query/${refund.body.id}`, { includeLinkedTransactions: 'true' })
  expect(idsIn(recordList, 'records')).toEqual([refund.body.id, paid.body.id])

  const filter = { 'date.from': timestamp(createdAtMs), 'date.to': timestamp(createdAtMs) }
  const matches = await query('/v1/query', filter)
  expect(idsIn(matches, 'payments').toSorted()).toEqual([String(paid.body.id), String(registered.body.id)].toSorted())
})

describe('transactions', () => {
  test('of another merchant are not found', async () => {
    const { token, channel } = await otherMerchant(tollgate)
    const { id } = itemAt(stored, 0)
    const queryAsOther = (path: string) =>
      tollgate.request({ method: 'GET', url: path, headers: { authorization: `Bearer ${token}` } })
    const urls = [`/v1/query/${id}`, '/v1/query', '/v3/query', '/v1/query?merchantTransactionId=order-1']
    for (const url of [...urls, `/v3/query/${id}?entityId=${channel}`, `/v1/query?shortId=${shortIdOf(id)}`]) {
      expect([url, ...summary(await queryAsOther(url))]).toEqual([url, 404, '700.400.580'])
    }
    expect((await queryAsOther(`/v1/query?entityId=${sandboxIds.channel}`)).status).toBe(403)
  })

  test('of another channel of the same merchant are refused', async () => {
    const row = stored.find(({ channel }) => channel === sandboxIds.legacyChannel)
    expect(summary(await query(`/v1/query/${row?.id}`, {}))).toEqual([400, '700.400.700'])
  })
})

test('a query may contain the authentication.* parameters of older clients', async () => {
  const [userId = '', password = ''] = Buffer.from(sandboxToken, 'base64').toString().split('|')
  const login = {
    'authentication.userId': userId,
    'authentication.password': password,
    'authentication.entityId': sandboxIds.legacyChannel,
  }
  const url = `/v1/query?${formOf({ ...login, merchantTransactionId: 'order-1' })}`
  const answer = await tollgate.request({ method: 'GET', url })
  const parameters = { entityId: sandboxIds.legacyChannel, merchantTransactionId: 'order-1' }
  expect(idsIn(answer, 'payments')).toEqual(expectedIds(parameters))
})

test('a query above the maximum number of concurrent queries of a merchant is refused with Retry-After', async () => {
  const answers = await Promise.all(
    Array.from({ length: limits.searchesOfMerchantMax + 2 }, () =>
      query('/v1/query', { entityId: sandboxIds.merchant }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(limits.searchesOfMerchantMax)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body.result.code).toBe('800.120.100')
  expect(refused?.headers['retry-after']).toBe('1')
})

/** Stores transactions with notes of 2,000 characters each. @returns their ids, newest first */
async function storeLarge(
  count: number,
  notesPerTransaction: number,
  merchantTransactionId: string,
): Promise<readonly string[]> {
  const { merchant } = sandboxIds
  const base = rowOf(1_000_000)
  const atMs = base.created_at_ms + count
  const notes = Array.from({ length: notesPerTransaction }, (_, number) => [`note_${number}`, 'x'.repeat(2_000)])
  const echo = JSON.stringify({ customParameters: Object.fromEntries(notes) })
  const ids = Array.from({ length: count }, (_, number) => idOf(number, atMs))
  for (const id of ids) {
    const fields = {
      id,
      root_id: id,
      referenced_id: null,
      type: 'DB',
      echo,
      merchant_transaction_id: merchantTransactionId,
    }
    const row = { ...base, ...fields, created_at_ms: atMs }
    await storage.commit({ id, expectedVersions: [{ id, merchant, version: 0 }], rows: { payment_transaction: [row] } })
  }
  return ids.toSorted().toReversed()
}

test('a page ends at its maximum number of characters, and the next page continues after it', async () => {
  const large = await storeLarge(12, 500, 'large')
  const parameters = { entityId: sandboxIds.merchant, merchantTransactionId: 'large' }
  const first = await query('/v3/query', parameters)
  expect(first.text.length).toBeLessThan(limits.queryPageCharsMax + 2_000_000)
  expect(first.body.pages).toBe(6)
  const shown = [...idsIn(first, 'records')]
  for (let page = 2; page <= first.body.pages; page += 1) {
    shown.push(...idsIn(await query('/v3/query', { ...parameters, pageNo: String(page) }), 'records'))
  }
  expect(shown).toEqual(large)
})

test('a list without pages contains as many records as its limit, however long they are', async () => {
  const large = await storeLarge(130, 50, 'longest')
  const parameters = { entityId: sandboxIds.merchant, merchantTransactionId: 'longest' }
  const byDefault = await query('/v1/query', parameters)
  expect(byDefault.text.length).toBeGreaterThan(limits.queryPieceCharsMax * 10)
  expect(idsIn(byDefault, 'payments')).toEqual(large.slice(0, 100))
  const withLimit = await query('/v1/query', { ...parameters, limit: '200' })
  expect(idsIn(withLimit, 'payments')).toEqual(large)
})

test('a list without pages has a linked transaction once, though several pieces have matches of its tree', async () => {
  const { merchant } = sandboxIds
  const parameters = { entityId: merchant, merchantTransactionId: 'tree', includeLinkedTransactions: 'true' }
  const [root = ''] = await storeLarge(1, 120, 'tree')
  const large = (await storage.treeOf(root))?.transactions[0]
  if (!large) throw new Error('the transaction is not stored')
  const captures = Array.from({ length: 5 }, (_, number) => idOf(number + 1, large.created_at_ms + 1_000))
  for (const [index, id] of captures.entries()) {
    const row = { ...large, id, referenced_id: root, type: 'CP' }
    const expectedVersions = [{ id: root, merchant, version: index + 1 }]
    expect((await storage.commit({ id, expectedVersions, rows: { payment_transaction: [row] } })).kind).toBe(
      'committed',
    )
  }
  const answer = await query('/v1/query', parameters)
  expect(idsIn(answer, 'payments').toSorted()).toEqual([root, ...captures].toSorted())
})
