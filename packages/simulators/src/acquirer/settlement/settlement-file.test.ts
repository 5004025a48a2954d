import type { SettlementRow } from '@tollgate/domain'
import { type FileEntry, type FileSummary, readSettlementFile } from '@tollgate/settlement-files'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBusinessDays, midnightInUtc } from '../business-day.ts'
import { applyEntry, createHostState, type HostState, type JournalEntry } from '../host-state.ts'
import { mastercard } from '../testing/messages.ts'
import { TestHost } from '../testing/test-host.ts'
import type { FileFaultName } from './row-faults.ts'
import {
  type FileSource,
  hostFileFormats,
  type HostFileFormatName,
  missingFileOf,
  settlementFileOf,
} from './settlement-file.ts'

const sourceOf = ({ bookings }: HostState): FileSource => ({
  bookings,
  businessDays: createBusinessDays(midnightInUtc),
  timeZone: 'UTC',
})

const fileOf = (host: TestHost, day: string, format: HostFileFormatName = 'csv', fault?: FileFaultName): Buffer =>
  settlementFileOf(sourceOf(host.host.state), { day, format, fault })

interface ReadFile {
  readonly rows: readonly SettlementRow[]
  readonly entries: readonly FileEntry[]
  readonly summary: FileSummary
}

/** Reads a file, which must be valid. */
async function read(format: HostFileFormatName, file: Buffer): Promise<ReadFile> {
  const entries: FileEntry[] = []
  for await (const part of readSettlementFile(hostFileFormats[format].format, [file])) entries.push(...part)
  const summary = entries.at(-1)
  if (summary?.kind !== 'summary') throw new Error(`the file is not valid: ${JSON.stringify(summary)}`)
  return { rows: entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : [])), entries, summary }
}

const rowsOf = async (host: TestHost, day: string, fault?: FileFaultName): Promise<readonly SettlementRow[]> =>
  (await read('csv', fileOf(host, day, 'csv', fault))).rows

/** Kind, type, direction, amount, settled amount, fee. */
const brief = ({ kind, type, cashflow, amountMinor, currency, ...row }: SettlementRow): string =>
  [kind, type, cashflow, amountMinor, currency, row.settlementAmountMinor, row.settlementCurrency, row.feeMinor ?? '-']
    .map(String)
    .join(' ')

const settled = (rows: readonly SettlementRow[]): readonly string[] =>
  rows.filter(({ kind }) => kind === 'SETTLED').map(brief)

const FRIDAY = '2026-11-20'
const SATURDAY = '2026-11-21'

/** A host on 20 November with a sale of 92.00 EUR. */
function hostWithSale(): TestHost {
  const host = new TestHost()
  host.step('sale', { type: '0200' })
  return host
}

describe('the rows of a business day', () => {
  test('have the references, card and times of their transactions', async () => {
    const host = new TestHost()
    const hold = host.step('hold', { type: '0100', card: mastercard })
    host.step('capture', {
      type: '0220',
      of: 'hold',
      card: mastercard,
      amount: 5000,
      data: { '13': '0203', '15': 'SHOP*ORDER 7' },
      fields: { 38: hold.fields[38] },
    })
    const [row] = await rowsOf(host, FRIDAY)
    expect(row).toEqual({
      kind: 'SETTLED',
      type: 'DEBIT',
      cashflow: 'POS',
      clearingMerchantId: 'MERCHANT0000001',
      settlementId: 'S20261121-MERCHANT0000001',
      connectorTxId1: '432410000002',
      connectorTxId2: '022000000211200930150000040012300000000000',
      connectorTxId3: '000001',
      approvalCode: '000001',
      networkTransactionId: '500000001112000',
      clearingSequence: 2,
      terminalId: 'TERM0001',
      amountMinor: 5000,
      currency: 'EUR',
      settlementAmountMinor: 5000,
      settlementCurrency: 'EUR',
      feeMinor: 30,
      presentedAtMs: Date.parse('2026-11-20T09:30:00Z'),
      settledOn: SATURDAY,
      status: 'SUCCESS',
      brand: 'MASTER',
      descriptor: 'SHOP*ORDER 7',
      bin: '559999',
      last4: '0008',
      line: 3,
    })
  })

  test('have the amounts after the reversals of the day, and fees', async () => {
    const host = hostWithSale()
    host.step('partly reversed', { type: '0200', amount: 6000 })
    host.step('part', { type: '0400', of: 'partly reversed', amount: 6000, remaining: 5000 })
    host.step('reversed', { type: '0200', amount: 100 })
    host.step('all', { type: '0400', of: 'reversed', amount: 100 })
    host.step('refund', { type: '0200', processing: '20', amount: 1000, of: 'sale' })
    host.step('payout', { type: '0200', processing: '26', amount: 300 })
    host.step('declined', { type: '0200', card: '4999990000000510' })
    expect((await rowsOf(host, FRIDAY)).map(brief)).toEqual([
      'SETTLED DEBIT POS 9200 EUR 9200 EUR 46',
      'SETTLED DEBIT POS 5000 EUR 5000 EUR 28',
      'SETTLED REFUND NEG 1000 EUR 1000 EUR -',
      'SETTLED CREDIT NEG 300 EUR 300 EUR 6',
      'FEE AUTH_FEE NEG 4 EUR 4 EUR -',
      'FEE AUTH_FEE NEG 4 EUR 4 EUR -',
      'FEE CANCEL_FEE NEG 5 EUR 5 EUR -',
      'FEE AUTH_FEE NEG 4 EUR 4 EUR -',
      'FEE CANCEL_FEE NEG 5 EUR 5 EUR -',
      'FEE REFUND_FEE NEG 10 EUR 10 EUR -',
      'FEE BATCH NEG 25 EUR 25 EUR -',
    ])
  })

  test('take a transaction back that is reversed on a later day', async () => {
    const host = hostWithSale()
    host.step('credit', { type: '0200', processing: '20', amount: 1000 })
    host.nowMs = Date.parse('2026-11-21T00:00:00Z')
    host.step('of sale', { type: '0420', of: 'sale' })
    host.step('of credit', { type: '0400', of: 'credit', amount: 1000 })
    const friday = ['SETTLED DEBIT POS 9200 EUR 9200 EUR 46', 'SETTLED CREDIT NEG 1000 EUR 1000 EUR 10']
    expect(settled(await rowsOf(host, FRIDAY))).toEqual(friday)
    const rows = await rowsOf(host, SATURDAY)
    expect(settled(rows)).toEqual(['SETTLED DEBIT NEG 9200 EUR 9200 EUR -', 'SETTLED CREDIT POS 1000 EUR 1000 EUR -'])
    expect(rows[0]).toMatchObject({ connectorTxId1: '432410000001', settledOn: '2026-11-22' })
  })

  test.each([
    ['840', 'USD', 9200, 'SETTLED DEBIT POS 9200 USD 8464 EUR 43', '0.92'],
    ['392', 'JPY', 1, 'SETTLED DEBIT POS 1 JPY 1 EUR 1', '0.01'],
    ['414', 'KWD', 12_345, 'SETTLED DEBIT POS 12345 KWD 3704 EUR 22', '3.00'],
    ['348', 'HUF', 1, 'SETTLED DEBIT POS 1 HUF 0 EUR 0', '0.00'],
    ['986', 'BRL', 9200, 'SETTLED DEBIT POS 9200 BRL 9200 BRL 46', undefined],
  ])('are converted from %s (%s %d)', async (currency, _code, amount, expected, rate) => {
    const host = new TestHost()
    host.step('sale', { type: '0200', currency, amount })
    const rows = await rowsOf(host, FRIDAY)
    expect(settled(rows)).toEqual([expected])
    expect(rows[0]?.fxRate).toBe(rate)
  })

  test('have no transaction in a currency that does not exist', async () => {
    const host = hostWithSale()
    host.step('other', { type: '0200', currency: '001' })
    expect(settled(await rowsOf(host, FRIDAY))).toHaveLength(1)
  })

  test('have the fee of a month on its last day', async () => {
    const host = new TestHost()
    host.nowMs = Date.parse('2026-11-30T12:00:00Z')
    host.step('sale', { type: '0200' })
    const rows = await rowsOf(host, '2026-11-30')
    expect(rows.slice(-2).map(brief)).toEqual(['FEE BATCH NEG 25 EUR 25 EUR -', 'FEE MONTHLY NEG 990 EUR 990 EUR -'])
  })

  test('have printable texts, whatever a message contains', async () => {
    const host = new TestHost()
    host.step('sale', {
      type: '0200',
      merchant: ' '.repeat(15),
      terminal: 'T\u0001\nX    ',
      fields: { 37: 'RRN\u00021', 43: 'A\tB;"C"\u0000' },
    })
    const [row] = await rowsOf(host, FRIDAY)
    expect(row).toMatchObject({ clearingMerchantId: 'unnamed', terminalId: 'T  X', descriptor: 'A B;"C"' })
    for (const format of ['fixed', 'camt053', 'camt054'] as const)
      expect((await read(format, fileOf(host, FRIDAY, format))).summary.rowCount).toBeGreaterThan(0)
  })
})

/** Rates in euros for one unit, and the decimals of each currency, written down for the test. */
const testCurrencies = [
  { numeric: '978', code: 'EUR', rate: 1, decimals: 2 },
  { numeric: '840', code: 'USD', rate: 0.92, decimals: 2 },
  { numeric: '392', code: 'JPY', rate: 0.0061, decimals: 0 },
  { numeric: '414', code: 'KWD', rate: 3, decimals: 3 },
] as const

const anyStep = fc.record({
  kind: fc.constantFrom('sale', 'refund', 'payout', 'reversal', 'timeout', 'next day'),
  amount: fc.integer({ min: 1, max: 1_000_000 }),
  currency: fc.constantFrom(...testCurrencies),
  target: fc.nat({ max: 8 }),
})

/** A transaction as the test counts it: its signed amount, and whether it still can be reversed. */
interface Counted {
  readonly name: string
  readonly type: 'sale' | 'refund' | 'payout'
  readonly amount: number
  readonly currency: (typeof testCurrencies)[number]
  isReversed: boolean
}

describe('files of random days', () => {
  test('add up to the amounts of the messages, per day and currency', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
        const host = new TestHost()
        const counted: Counted[] = []
        const sums = new Map<string, number>()
        let day = FRIDAY
        host.step('first', { type: '0200', amount: 1 })
        sums.set(`${FRIDAY} EUR`, 1)
        const add = (currency: string, amount: number): void =>
          void sums.set(`${day} ${currency}`, (sums.get(`${day} ${currency}`) ?? 0) + amount)
        for (const [index, { kind, amount, currency, target }] of steps.entries()) {
          const name = `step ${index}`
          if (kind === 'next day') {
            host.nowMs += 86_400_000
            day = new Date(host.nowMs).toISOString().slice(0, 10)
          } else if (kind === 'reversal' || kind === 'timeout') {
            const original = counted[target % Math.max(1, counted.length)]
            if (original === undefined || original.isReversed) continue
            const {
              type,
              currency: { numeric, code },
            } = original
            const message = { of: original.name, amount: original.amount, currency: numeric }
            const answer = host.step(name, { type: kind === 'reversal' ? '0400' : '0420', ...message })
            expect(answer.fields[39]).toBe('00')
            original.isReversed = true
            add(code, type === 'sale' ? -original.amount : original.amount)
          } else {
            const processing = { sale: '00', refund: '20', payout: '26' }[kind]
            const answer = host.step(name, { type: '0200', processing, amount, currency: currency.numeric })
            expect(answer.fields[39]).toBe('00')
            counted.push({ name, type: kind, amount, currency, isReversed: false })
            add(currency.code, kind === 'sale' ? amount : -amount)
          }
        }
        await expectSums(host, day, sums)
      }),
      { numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 1_000 : 60 },
    )
  })
})

async function expectSums(host: TestHost, lastDay: string, sums: ReadonlyMap<string, number>): Promise<void> {
  let closingMinor = 0
  for (let atMs = Date.parse(FRIDAY); atMs <= Date.parse(lastDay); atMs += 86_400_000) {
    const day = new Date(atMs).toISOString().slice(0, 10)
    const { rows, summary } = await read('csv', fileOf(host, day))
    expect(summary.sequence).toBe((atMs - Date.parse(FRIDAY)) / 86_400_000 + 1)
    for (const { code, rate, decimals } of testCurrencies) {
      const ofCurrency = rows.filter(({ kind, currency }) => kind === 'SETTLED' && currency === code)
      const sum = ofCurrency.reduce((total, row) => total + signOf(row) * row.amountMinor, 0)
      expect([day, code, sum]).toEqual([day, code, sums.get(`${day} ${code}`) ?? 0])
      for (const { amountMinor, settlementAmountMinor } of ofCurrency) {
        const exactMinor = (amountMinor * rate * 100) / 10 ** decimals
        expect(Math.abs(settlementAmountMinor - exactMinor)).toBeLessThanOrEqual(0.5 + 1e-6)
      }
    }
    for (const { cashflow, amountMinor, rowCount } of summary.totals) {
      const same = rows.filter((row) => row.cashflow === cashflow)
      expect([rowCount, amountMinor]).toEqual([
        same.length,
        same.reduce((sum, row) => sum + row.settlementAmountMinor, 0),
      ])
    }
    const fixed = await read('fixed', fileOf(host, day, 'fixed'))
    expect(fixed.rows.map(brief)).toEqual(rows.map(brief))
    const statement = await read('camt053', fileOf(host, day, 'camt053'))
    const bookedMinor = rows.reduce(
      (sum, row) => sum + signOf(row) * row.settlementAmountMinor - (row.feeMinor ?? 0),
      0,
    )
    expect(statement.summary.openingMinor).toBe(closingMinor)
    expect(statement.summary.closingMinor).toBe(closingMinor + bookedMinor)
    closingMinor += bookedMinor
  }
}

const signOf = ({ cashflow }: SettlementRow): 1 | -1 => (cashflow === 'POS' ? 1 : -1)

describe('a file', () => {
  test.each(['csv', 'fixed', 'camt053', 'camt054'] as const)('in %s is the same after a restart', (format) => {
    const host = hostWithSale()
    host.step('hold', { type: '0100' })
    host.step('refund', { type: '0200', processing: '20', amount: 1000, of: 'sale' })
    const entries: JournalEntry[] = JSON.parse(JSON.stringify(host.entries))
    const state = createHostState()
    for (const entry of entries) applyEntry(state, entry)
    const file = fileOf(host, FRIDAY, format)
    expect(settlementFileOf(sourceOf(state), { day: FRIDAY, format })).toEqual(file)
    host.nowMs = Date.parse('2026-11-22T09:00:00Z')
    host.step('later', { type: '0420', of: 'sale' })
    expect(fileOf(host, FRIDAY, format)).toEqual(file)
  })

  test('states its facts', async () => {
    const host = hostWithSale()
    const { summary } = await read('csv', fileOf(host, SATURDAY))
    expect(summary).toMatchObject({
      institute: 'Tollgate test host',
      fileId: 'TOLLGATE-20261121',
      sequence: 2,
      createdOn: '2026-11-22',
      settledOn: '2026-11-22',
      zone: 'UTC',
      rowCount: 0,
    })
  })

  test('in camt.054 has debits as rows, and other bookings without details', async () => {
    const host = hostWithSale()
    host.step('refund', { type: '0200', processing: '20', amount: 1000 })
    host.step('other currency', { type: '0200', currency: '986' })
    const { rows, entries } = await read('camt054', fileOf(host, FRIDAY, 'camt054'))
    expect(rows.map(brief)).toEqual(['SETTLED DEBIT POS 9200 EUR 9200 EUR 46', 'FEE BATCH NEG 43 EUR 43 EUR -'])
    const bookings = entries.flatMap((entry) => (entry.kind === 'bank entry' ? [entry.bankEntry] : []))
    expect(bookings.map(({ booking, direction, amountMinor }) => `${booking} ${direction} ${amountMinor}`)).toEqual([
      'COLLECTION CREDIT 9154',
      'CHARGES DEBIT 43',
      'OTHER DEBIT 1010',
    ])
  })

  test.each([
    [FRIDAY, '2026-11-20T23:59:59Z', 'csv', 'notEnded'],
    [FRIDAY, '2026-11-21T00:00:00Z', 'csv', undefined],
    [SATURDAY, '2026-11-21T23:59:59Z', 'csv', 'notEnded'],
    ['2026-11-19', '2026-11-21T00:00:00Z', 'csv', 'beforeFirstDay'],
  ] as const)('of %s at %s in %s: %s', (day, now, format, expected) => {
    const source = sourceOf(hostWithSale().host.state)
    expect(missingFileOf(source, { day, format }, Date.parse(now))).toBe(expected)
  })

  test('of a day whose bookings were dropped is missing, and every camt.053 after it', () => {
    const source = sourceOf(hostWithSale().host.state)
    source.bookings.droppedDay = FRIDAY
    const nowMs = Date.parse('2026-11-23')
    const days = [FRIDAY, SATURDAY]
    const missing = (format: HostFileFormatName) => days.map((day) => missingFileOf(source, { day, format }, nowMs))
    expect(missing('csv')).toEqual(['forgotten', undefined])
    expect(missing('camt053')).toEqual(['forgotten', 'forgotten'])
  })
})

describe('a file with a fault', () => {
  const first = 'SETTLED DEBIT POS 9200 EUR 9200 EUR 46'
  const second = 'SETTLED DEBIT POS 5000 EUR 5000 EUR 28'

  function hostWithTwoDays(): TestHost {
    const host = hostWithSale()
    host.step('second', { type: '0200', amount: 5000 })
    host.nowMs = Date.parse('2026-11-21T09:00:00Z')
    host.step('third', { type: '0200', amount: 100 })
    return host
  }

  test.each<[FileFaultName, readonly string[]]>([
    ['missingRow', [second]],
    ['lateRow', [second]],
    ['repeatedRow', [first, first, second]],
    ['unknownRow', [first, first, second]],
    ['wrongAmount', ['SETTLED DEBIT POS 9201 EUR 9201 EUR 46', second]],
  ])('%s is valid', async (fault, expected) => {
    const host = hostWithTwoDays()
    expect(settled(await rowsOf(host, FRIDAY, fault))).toEqual(expected)
    for (const format of ['fixed', 'camt053', 'camt054'] as const)
      await expect(read(format, fileOf(host, FRIDAY, format, fault))).resolves.toBeDefined()
  })

  test('lateRow has the row on the next day', async () => {
    const rows = await rowsOf(hostWithTwoDays(), SATURDAY, 'lateRow')
    expect(settled(rows)).toEqual([first])
    expect(rows[0]).toMatchObject({ settledOn: '2026-11-22', connectorTxId1: '432410000001' })
    const [last, ...others] = await rowsOf(hostWithTwoDays(), '2026-11-22', 'lateRow')
    expect(last).toMatchObject({
      connectorTxId1: '432410000003',
      settledOn: '2026-11-23',
      settlementId: 'S20261123-MERCHANT0000001',
    })
    expect(others).toEqual([])
  })

  test('unknownRow has references of its own', async () =>
    expect((await rowsOf(hostWithTwoDays(), FRIDAY, 'unknownRow'))[1]?.connectorTxId1).toBe('999999999999'))

  test.each(['csv', 'fixed', 'camt053', 'camt054'] as const)('truncated is not valid in %s', async (format) =>
    expect(read(format, fileOf(hostWithTwoDays(), FRIDAY, format, 'truncated'))).rejects.toThrow('not valid'),
  )
})
