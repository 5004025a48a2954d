import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { simulatorServer } from '../../http/server.ts'
import { type Acquirer, createAcquirer } from '../acquirer.ts'
import type { HostMessage } from '../host-message.ts'
import { mastercard, originalDataOf, testMessage } from '../testing/messages.ts'

let acquirer: Acquirer
let server: FastifyInstance
let nowMs = 0

beforeEach(async () => {
  nowMs = Date.parse('2026-11-20T09:00:00Z')
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes)
  const cutOff = { time: '18:00', timeZone: 'Europe/Berlin' }
  acquirer = await createAcquirer({ url: '', clock: { now: () => nowMs }, random }, { cutOff })
  server = simulatorServer([acquirer])
})

const send = (message: HostMessage): string | undefined =>
  acquirer.host.handle(message, { isSignedOn: true })?.answer.fields[39]

async function get(query: string) {
  const { statusCode, headers, body } = await server.inject(`/acquirer/settlement-files?${query}`)
  return { status: statusCode, type: headers['content-type'], body }
}

async function dispute(kind: 'chargebacks' | 'chargeback-reversals', payload: unknown) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const response = await server.inject({ method: 'POST', url: `/acquirer/${kind}`, payload: text })
  return { status: response.statusCode, body: response.json() }
}

/** Type, reason and further cells of the rows of a kind in a file of tollgate-csv. */
async function cellsOf(date: string, kind: string, names: readonly string[]): Promise<readonly string[]> {
  const [, head = '', ...lines] = (await get(`date=${date}`)).body.split('\n')
  const columns = head.split(';')
  return lines
    .map((line) => line.split(';'))
    .filter((cells) => cells[0] === kind)
    .map((cells) => names.map((name) => cells[columns.indexOf(name)]).join(' '))
}

describe('a settlement file', () => {
  test('exists when the business day has ended by the clock of the host', async () => {
    send(testMessage({ type: '0200' }))
    const early = await get('date=2026-11-20')
    expect([early.status, JSON.parse(early.body)]).toEqual([
      404,
      {
        code: 'notEnded',
        message: 'the business day has not ended by the clock of the host; wait for its cut-off, or move the clock',
      },
    ])
    nowMs = Date.parse('2026-11-20T17:00:00Z')
    const { status, type, body } = await get('date=2026-11-20')
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(body).toMatch(/^TOLLGATE;1;Tollgate test host;TOLLGATE-20261120;1;2026-11-21;2026-11-21;Europe\/Berlin\n/)
    expect(await get('date=2026-11-20&format=csv')).toEqual({ status, type, body })
    const missing = await get('date=2026-11-19')
    expect([missing.status, JSON.parse(missing.body).code]).toEqual([404, 'beforeFirstDay'])
  })

  test.each([
    ['fixed', 'text/plain; charset=utf-8', 'FH00000001'],
    ['camt053', 'application/xml; charset=utf-8', '<?xml'],
    ['camt054', 'application/xml; charset=utf-8', '<?xml'],
  ])('in the format %s', async (format, type, start) => {
    send(testMessage({ type: '0200' }))
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    const file = await get(`date=2026-11-20&format=${format}`)
    expect([file.status, file.type]).toEqual([200, type])
    expect(file.body.startsWith(start)).toBe(true)
  })

  test('of one merchant', async () => {
    send(testMessage({ type: '0200' }))
    send(testMessage({ type: '0200', stan: 2, merchant: 'SHOP2          ' }))
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    const all = await get('date=2026-11-20')
    expect(all.body.match(/^SETTLED;DEBIT;POS;/gm)).toHaveLength(2)
    const { body } = await get('date=2026-11-20&merchant=SHOP2')
    expect(body).toContain(';TOLLGATE-20261120-SHOP2;1;')
    expect(body.match(/^(SETTLED|FEE);\w+;(POS|NEG);[^;]*/gm)).toEqual([
      'SETTLED;DEBIT;POS;SHOP2',
      'FEE;AUTH_FEE;NEG;SHOP2',
      'FEE;BATCH;NEG;SHOP2',
    ])
  })

  test('with a fault that the request selects', async () => {
    send(testMessage({ type: '0200' }))
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    const { body } = await get('date=2026-11-20')
    const truncated = await get('date=2026-11-20&fault=truncated')
    expect([truncated.status, truncated.body]).toEqual([200, body.slice(0, Math.floor(body.length / 2))])
  })

  test.each([
    ['', 'date must be a day, yyyy-MM-dd'],
    ['date=2026-11-31', 'date must be a day, yyyy-MM-dd'],
    ['date=2026-11-20&date=2026-11-21', 'date must be a day, yyyy-MM-dd'],
    ['date=2026-11-20&format=pdf', 'format must be one of csv, fixed, camt053, camt054'],
    ['date=2026-11-20&merchant=SHOP%202', 'merchant must be the id in field 42, of up to 15 characters'],
    [
      'date=2026-11-20&merchant=1&merchant=2222222222222',
      'merchant must be the id in field 42, of up to 15 characters',
    ],
    ['date=2026-11-20&format=toString', 'format must be one of csv, fixed, camt053, camt054'],
    [
      'date=2026-11-20&fault=none',
      'fault must be one of lateRow, repeatedRow, wrongAmount, unknownRow, missingRow, truncated',
    ],
  ])('is refused with the query %j', async (query, message) => {
    const { status, body } = await get(query)
    expect([status, JSON.parse(body)]).toEqual([400, { code: 'invalidRequest', message }])
  })

  test('whose sum is too large for the format is refused', async () => {
    for (let stan = 1; stan <= 9_100; stan++) send(testMessage({ type: '0220', stan, amount: 999_999_999_999 }))
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    const { status, type, body } = await get('date=2026-11-20')
    expect([status, type, JSON.parse(body)]).toEqual([
      409,
      'application/json; charset=utf-8',
      { code: 'notExpressible', message: 'SettlementAmount: the sum is too large' },
    ])
  })
})

describe('a chargeback', () => {
  const names = ['PaymentType', 'Cashflow', 'ConnectorTxId1', 'Amount', 'SettlementFee', 'ReasonCode', 'DueDate']
  const sale = testMessage({ type: '0200' })

  test('is in the file of the day, and its reversal in that of a later day', async () => {
    send(sale)
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    const booked = await dispute('chargebacks', { reference: '432410000001', amount: '60.00', reason: '10.4' })
    expect(booked).toEqual({
      status: 201,
      body: {
        stage: 'CHARGEBACK',
        rrn: '432410000001',
        currency: '978',
        amountMinor: 6000,
        reason: '10.4',
        businessDay: '2026-11-21',
      },
    })
    nowMs = Date.parse('2026-11-21T18:00:00Z')
    const reversed = await dispute('chargeback-reversals', { reference: '432410000001' })
    expect([reversed.status, reversed.body.amountMinor, reversed.body.businessDay]).toEqual([201, 6000, '2026-11-22'])
    nowMs = Date.parse('2026-11-23T09:00:00Z')
    expect(await cellsOf('2026-11-21', 'CHARGEBACK', names)).toEqual([
      'DEBIT NEG 432410000001 60.00 15.00 10.4 2026-12-22',
    ])
    expect(await cellsOf('2026-11-22', 'CHARGEBACK REVERSAL', names)).toEqual(['DEBIT POS 432410000001 60.00  10.4 '])
    const again = await dispute('chargebacks', { reference: '432410000001', reason: '10.4' })
    expect([again.status, again.body.amountMinor]).toEqual([201, 9200])
  })

  test('of a Mastercard is answered within 45 days, and is named by the original data of a capture', async () => {
    const hold = testMessage({ type: '0100', card: mastercard })
    const capture = testMessage({
      type: '0220',
      card: mastercard,
      stan: 2,
      amount: 5000,
      fields: { 37: '432410000001', 90: originalDataOf(hold) },
    })
    send(hold)
    send(capture)
    const { status } = await dispute('chargebacks', { reference: originalDataOf(capture), reason: '4837' })
    expect(status).toBe(201)
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    expect(await cellsOf('2026-11-20', 'CHARGEBACK', names)).toEqual([
      'DEBIT NEG 432410000001 50.00 15.00 4837 2027-01-05',
    ])
  })

  test.each([
    ['unknown', { reference: '000000000000', reason: '10.4' }, 404, 'unknownReference'],
    ['a hold', { reference: '432410000002', reason: '10.4' }, 404, 'unknownReference'],
    ['a refund', { reference: '432410000003', reason: '10.4' }, 404, 'unknownReference'],
    ['a reversed debit', { reference: '432410000004', reason: '10.4' }, 404, 'unknownReference'],
    ['two debits', { reference: '432410000009', reason: '10.4' }, 409, 'ambiguousReference'],
    ['without a reason', { reference: '432410000001' }, 400, 'invalidDispute'],
    ['of more than the debit', { reference: '432410000001', amount: '92.01', reason: '10.4' }, 400, 'invalidAmount'],
    ['of nothing', { reference: '432410000001', amount: '0.00', reason: '10.4' }, 400, 'invalidAmount'],
    ['with a sign', { reference: '432410000001', amount: '-1.00', reason: '10.4' }, 400, 'invalidAmount'],
    ['with a number', { reference: '432410000001', amount: 1, reason: '10.4' }, 400, 'invalidDispute'],
    ['with a long reason', { reference: '432410000001', reason: '12345678901' }, 400, 'invalidDispute'],
    ['with a further name', { reference: '432410000001', reason: '10.4', note: '' }, 400, 'invalidDispute'],
    ['in another form', 'reference=432410000001', 400, 'invalidDispute'],
    ['null', 'null', 400, 'invalidDispute'],
  ])('of %s is refused', async (_title, payload, status, code) => {
    send(sale)
    send(testMessage({ type: '0100', stan: 2 }))
    send(testMessage({ type: '0200', processing: '20', amount: 100, stan: 3 }))
    const reversed = testMessage({ type: '0200', stan: 4 })
    send(reversed)
    send(testMessage({ type: '0400', stan: 5, fields: { 90: originalDataOf(reversed) } }))
    for (const stan of [6, 7]) send(testMessage({ type: '0200', stan, fields: { 37: '432410000009' } }))
    const { status: refused, body } = await dispute('chargebacks', payload)
    expect([refused, body.code]).toEqual([status, code])
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    expect(await cellsOf('2026-11-20', 'CHARGEBACK', names)).toEqual([])
  })

  test('is open once, and only an open one is reversed', async () => {
    send(sale)
    const { body } = await dispute('chargeback-reversals', { reference: '432410000001' })
    expect(body.code).toBe('noChargeback')
    await dispute('chargebacks', { reference: '432410000001', amount: '60.00', reason: '10.4' })
    const second = await dispute('chargebacks', { reference: '432410000001', amount: '1.00', reason: '10.4' })
    expect([second.status, second.body.code]).toEqual([409, 'chargebackOpen'])
    const tooMuch = await dispute('chargeback-reversals', { reference: '432410000001', amount: '60.01' })
    expect([tooMuch.status, tooMuch.body.code]).toEqual([400, 'invalidAmount'])
  })
})
