import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { simulatorServer } from '../http/server.ts'
import { limits } from '../limits.ts'
import { type Acquirer, createAcquirer } from './acquirer.ts'
import type { HostMessage } from './host-message.ts'
import { originalDataOf, testMessage, visa } from './testing/messages.ts'

let acquirer: Acquirer
let server: FastifyInstance

beforeEach(async () => {
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes)
  acquirer = await createAcquirer({ url: '', clock: { now: () => Date.UTC(2026, 10, 20) }, random }, {})
  server = simulatorServer([acquirer])
})

const send = (message: HostMessage): void => void acquirer.host.handle(message, { isSignedOn: true })

async function request(method: 'GET' | 'PUT' | 'DELETE' | 'POST', url: string, body?: unknown) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const response = await server.inject({ method, url, ...payload })
  return { status: response.statusCode, body: response.json(), text: response.body }
}

test('the view of transactions shows amounts and identifiers, and masks the card', async () => {
  const hold = testMessage({ type: '0100' })
  send(hold)
  send(testMessage({ type: '0220', stan: 2, amount: 6000, fields: { 90: originalDataOf(hold) } }))
  const { status, body, text } = await request('GET', '/acquirer/transactions?stan=000001')
  expect(status).toBe(200)
  expect(body).toEqual({
    count: 2,
    transactions: [
      {
        terminal: 'TERM0001',
        merchant: 'MERCHANT0000001',
        stan: '000001',
        transmittedAt: '1120093015',
        rrn: '432410000001',
        networkId: '400000000000001',
        type: '0100',
        kind: 'authorisation',
        state: 'partlyCaptured',
        currency: '978',
        requestedMinor: 9200,
        authorisedMinor: 9200,
        capturedMinor: 6000,
        refundedMinor: 0,
        reversedMinor: 0,
        responseCode: '00',
        approvalCode: '000001',
        descriptor: 'SHOP*ORDER 4711',
        businessDay: '2026-11-20',
        batch: 1,
        pointOfSale: {
          entryMode: '010',
          condition: '59',
          localTime: '1120103015',
          hasPin: false,
          hasChipData: false,
        },
        card: '420000******0091',
        cardHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
  })
  expect(text).not.toContain(visa)
})

test.each([
  ['', ['000003', '000002', '000001']],
  ['?limit=2', ['000003', '000002']],
  ['?limit=x', ['000003', '000002', '000001']],
  ['?terminal=TERM2', ['000003']],
  ['?rrn=432410000002', ['000002']],
  ['?merchant=MERCHANT0000001&stan=000001', ['000001']],
  ['?networkId=none', []],
])('the view of transactions with %s', async (query, stans) => {
  for (const stan of [1, 2, 3]) send(testMessage({ type: '0200', stan, ...(stan === 3 && { terminal: 'TERM2   ' }) }))
  const { body } = await request('GET', `/acquirer/transactions${query}`)
  expect(body.transactions.map(({ stan }: { stan: string }) => stan)).toEqual(stans)
})

test('views are bounded', async () => {
  const { acquirerRowsMax, acquirerTransactionRowsMax: rowsMax } = limits
  for (let stan = 1; stan <= rowsMax + 1; stan++) send(testMessage({ type: '0200', stan }))
  for (const [query, shown] of [
    ['', acquirerRowsMax],
    ['?limit=999999', rowsMax],
  ] as const) {
    const { body } = await request('GET', `/acquirer/transactions${query}`)
    expect([body.count, body.transactions.length]).toEqual([rowsMax + 1, shown])
  }
})

test('the host closes all batches with transactions', async () => {
  send(testMessage({ type: '0200' }))
  send(testMessage({ type: '0200', processing: '20', amount: 200, stan: 2 }))
  send(testMessage({ type: '0200', stan: 3, currency: '840' }))
  const none = { count: 0, amountMinor: 0 }
  const totals = {
    credits: { count: 1, amountMinor: 200 },
    creditReversals: none,
    debits: { count: 1, amountMinor: 9200 },
    debitReversals: none,
  }
  const first = {
    merchant: 'MERCHANT0000001',
    terminal: 'TERM0001',
    currency: '978',
    businessDay: '2026-11-20',
    number: 1,
    totals,
    netMinor: -9000,
  }
  expect((await request('GET', '/acquirer/totals')).body).toMatchObject({
    open: [first, { netMinor: -9200 }],
    closed: [],
  })
  expect((await request('POST', '/acquirer/settle')).body).toMatchObject({ closed: [first, { netMinor: -9200 }] })
  const { body } = await request('GET', '/acquirer/totals')
  expect(body).toMatchObject({ open: [], closed: [{ currency: '840' }, { ...first, closedBy: 'host' }] })
  expect(body.counters).toEqual({ connections: 0, messages: 0, answers: 0, undecodable: 0, ignored: 0 })
  expect((await request('POST', '/acquirer/settle')).body).toEqual({ closed: [] })
})

test('faults are set, shown and removed', async () => {
  const set = await request('PUT', '/acquirer/faults', [{ knob: 'lateMs', value: 500, types: ['0100'], next: 1 }])
  const expected = { knob: 'lateMs', value: 500, types: ['0100'], next: 1, seed: 1, matched: 0, applied: 0 }
  expect([set.status, set.body.faults]).toEqual([200, [expected]])
  acquirer.faults.take('0100')
  const shown = await request('GET', '/acquirer/faults')
  expect(shown.body.faults).toEqual([{ ...expected, matched: 1, applied: 1 }])
  expect(shown.body.knobs.close).toBe('the message is processed, and the connection is closed without an answer')
  const refused = await request('PUT', '/acquirer/faults', [{ knob: 'none' }])
  expect([refused.status, refused.body.code]).toEqual([400, 'invalidFaults'])
  expect((await request('GET', '/acquirer/faults')).body.faults).toHaveLength(1)
  expect((await request('DELETE', '/acquirer/faults')).body.faults).toEqual([])
})
