import type { SettlementRow } from '@tollgate/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BankEntry } from '../file-entry.ts'
import { randomDay, randomFacts, randomRow, statedMembers } from '../testing/random-rows.ts'
import { readBytes } from '../testing/read-text.ts'
import { ACCOUNT, bankEntriesOf, rowsOf, statement } from '../testing/sample-statement.ts'
import { writeSettlementFile } from '../write-settlement-file.ts'
import { type BookingCode, bookingCodes } from './booking-codes.ts'

/** Members for which camt has no element, or an element that only one of them can have. */
const absent = {
  uniqueId: undefined,
  shortId: undefined,
  merchantTransactionId: undefined,
  approvalCode: undefined,
  networkTransactionId: undefined,
  clearingSequence: undefined,
  terminalId: undefined,
  brand: undefined,
  bin: undefined,
  dueOn: undefined,
}

/** Rows that the writer can state. */
const camtRow: fc.Arbitrary<SettlementRow> = fc
  .tuple(
    randomRow,
    fc.constantFrom(
      { kind: 'SETTLED', type: 'DEBIT', cashflow: 'POS' } as const,
      { kind: 'CHARGEBACK', type: 'DEBIT', cashflow: 'NEG' } as const,
      { kind: 'CHARGEBACK REVERSAL', type: 'DEBIT', cashflow: 'POS' } as const,
    ),
  )
  .map(([row, kind]) => {
    const { uniqueId, shortId, merchantTransactionId, feeMinor, settlementAmountMinor } = row
    const reference = merchantTransactionId?.slice(0, 35).trim()
    const id = uniqueId ? { uniqueId } : shortId ? { shortId } : { merchantTransactionId: reference }
    const charges = feeMinor === undefined ? {} : { feeMinor: Math.min(feeMinor, settlementAmountMinor) }
    return { ...row, ...absent, ...id, ...charges, ...kind, settlementCurrency: 'EUR', status: 'SUCCESS' }
  })

const fee: fc.Arbitrary<SettlementRow> = fc
  .tuple(
    fc.constantFrom('BATCH' as const, 'MONTHLY' as const),
    fc.constantFrom('POS' as const, 'NEG' as const),
    randomDay,
  )
  .map(([type, cashflow, settledOn]) => ({
    kind: 'FEE',
    type,
    cashflow,
    clearingMerchantId: ACCOUNT,
    amountMinor: 123,
    currency: 'EUR',
    settlementAmountMinor: 123,
    settlementCurrency: 'EUR',
    settledOn,
    status: 'SUCCESS',
    line: 0,
  }))

/** The bookings that are no rows. */
const bookings: readonly Pick<BookingCode, 'booking' | 'directions'>[] = [
  ...bookingCodes.filter(({ row }) => row === undefined),
  { booking: 'OTHER', directions: ['CRDT'] },
  { booking: 'OTHER', directions: ['DBIT'] },
]

const bankEntry: fc.Arbitrary<BankEntry> = fc
  .tuple(fc.constantFrom(...bookings), fc.integer({ min: 0, max: 1e9 }), randomDay)
  .map(([{ booking, directions }, amountMinor, bookedOn]) => ({
    booking,
    amountMinor,
    currency: 'EUR',
    direction: directions[0] === 'CRDT' ? 'CREDIT' : 'DEBIT',
    bookedOn,
    reference: 'P-1',
    endToEndId: 'payout <1>',
    line: 0,
  }))

describe.each(['camt.053', 'camt.054'] as const)('%s', (format) => {
  it('can be written and read: the same rows and bank entries, as far as the format has the elements', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomFacts,
        fc.array(fc.oneof(camtRow, fee), { maxLength: 20 }),
        fc.array(bankEntry, { maxLength: 3 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        async (facts, rows, bankEntries, openingMinor) => {
          const sent = { ...facts, account: ACCOUNT, currency: 'EUR' }
          const content = { rows, bankEntries }
          const bytes = Buffer.concat([...writeSettlementFile(format, { ...sent, openingMinor }, content)])
          const entries = await readBytes(format, bytes)
          const read = entries.flatMap((entry) => (entry.kind === 'row' ? [statedMembers(entry.row)] : []))
          expect(read).toStrictEqual(rows.map(statedMembers))
          const booked = entries.flatMap((entry) =>
            entry.kind === 'bank entry' ? [{ ...entry.bankEntry, line: 0 }] : [],
          )
          expect(booked.slice(booked.length - bankEntries.length)).toStrictEqual(bankEntries)
          const { fileId, sequence, institute, createdOn } = facts
          const stated = { account: ACCOUNT, currency: 'EUR', fileId, sequence, institute, createdOn }
          expect(entries.at(-1)).toMatchObject({ kind: 'summary', ...stated, rowCount: rows.length })
        },
      ),
    )
  })
})

describe('the writer of camt', () => {
  const facts = { fileId: '1', createdOn: '2026-11-28', settledOn: '2026-11-27', account: ACCOUNT, currency: 'EUR' }
  it.each<readonly [string, Partial<SettlementRow>, string]>([
    ['refunds', { type: 'REFUND', cashflow: 'NEG' }, 'PaymentType'],
    ['another currency', { settlementCurrency: 'USD' }, 'SettlementCurrency'],
    ['a fee larger than a credit', { feeMinor: 100_000 }, 'SettlementFee'],
    ['a long reference', { settlementId: 'x'.repeat(36) }, 'AcctSvcrRef'],
  ])('cannot express %s', async (_, change, name) => {
    const [row] = await rowsOf(statement)
    if (row === undefined) throw new Error('the statement has rows')
    const write = () => [...writeSettlementFile('camt.053', facts, { rows: [{ ...row, ...change }] })]
    expect(write).toThrow(RangeError)
    expect(write).toThrow(new RegExp(`^${name}: `))
  })

  it('books rows of one settlement as one entry', async () => {
    const rows = (await rowsOf(statement)).filter(({ settlementId }) => settlementId === 'B-1')
    const text = Buffer.concat([...writeSettlementFile('camt.053', facts, { rows })]).toString()
    expect(text.match(/<Ntry>/g)).toHaveLength(1)
    expect(await bankEntriesOf(text)).toMatchObject([{ amountMinor: 14_250, reference: 'B-1' }])
  })
})
