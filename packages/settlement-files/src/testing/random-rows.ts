import type { SettlementRow } from '@tollgate/domain'
import fc from 'fast-check'
import type { FileFacts } from '../file-entry.ts'

type Members = Omit<SettlementRow, 'line'>

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.split('')
const DIGITS = '0123456789'.split('')

/** Texts with letters, separators, quotes, characters of XML and of several bytes, without blanks at their ends. */
const text = (charsMax: number, special = ' ;"\'<>&äß€語/-.'.split('')): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...LETTERS, ...special), minLength: 1, maxLength: charsMax })
    .map((value) => value.trim())
    .filter((value) => value !== '')

const alphanumeric = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...LETTERS, ...DIGITS), minLength: min, maxLength: max })

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: min, maxLength: max })

export const randomDay: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 40_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))

const randomTime = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000)

const amount = fc.integer({ min: 0, max: 999_999_999_999 })

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'CLF')

const kindAndType: fc.Arbitrary<Pick<Members, 'kind' | 'type'>> = fc.oneof(
  fc.record({
    kind: fc.constantFrom<SettlementRow['kind'][]>('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL'),
    type: fc.constantFrom<SettlementRow['type'][]>('DEBIT', 'CREDIT', 'REFUND'),
  }),
  fc.record({
    kind: fc.constant('FEE' as const),
    type: fc.constantFrom<SettlementRow['type'][]>('BATCH', 'MONTHLY', 'SUBMERCHANT', 'AUTH_FEE', 'REFUND_FEE'),
  }),
)

const members = fc.record<Omit<Members, 'kind' | 'type'>>({
  cashflow: fc.constantFrom<SettlementRow['cashflow'][]>('POS', 'NEG'),
  clearingMerchantId: text(32).map((value) => value.padEnd(5, '0')),
  settlementId: optional(text(32)),
  uniqueId: optional(alphanumeric(32, 32)),
  shortId: optional(digits(12, 12).map((value) => value.replace(/^(.{4})(.{4})/, '$1.$2.'))),
  merchantTransactionId: optional(text(40)),
  connectorTxId1: optional(text(30)),
  connectorTxId2: optional(text(30)),
  connectorTxId3: optional(text(30)),
  approvalCode: optional(alphanumeric(6, 6)),
  networkTransactionId: optional(text(16)),
  clearingSequence: optional(fc.integer({ min: 1, max: 98 })),
  terminalId: optional(text(8)),
  amountMinor: amount,
  currency,
  settlementAmountMinor: amount,
  settlementCurrency: currency,
  feeMinor: optional(amount),
  fxRate: optional(fc.integer({ min: 1, max: 99_999 }).map((rate) => `${rate}.125`)),
  presentedAtMs: optional(randomTime),
  settledOn: randomDay,
  status: fc.constantFrom<SettlementRow['status'][]>('SUCCESS', 'FAILED'),
  brand: optional(text(16)),
  descriptor: optional(text(40)),
  bin: optional(digits(6, 8)),
  last4: optional(digits(4, 4)),
  bankCode: optional(alphanumeric(8, 12)),
  holder: optional(text(40)),
  reason: optional(text(10)),
  dueOn: optional(randomDay),
})

/** Rows with any members; their lines are 0. */
export const randomRow: fc.Arbitrary<SettlementRow> = fc
  .tuple(kindAndType, members)
  .map(([kind, values]) => ({ ...values, ...kind, line: 0 }))

/** Facts that tollgate-csv and the fixed-width format can state. */
export const randomFacts: fc.Arbitrary<FileFacts> = fc.record({
  institute: text(30),
  fileId: alphanumeric(1, 20),
  sequence: fc.integer({ min: 1, max: 999_999 }),
  createdOn: randomDay,
  settledOn: randomDay,
})

/** A row without its absent members and its line, which a file does not state. */
export const statedMembers = (row: SettlementRow): object =>
  Object.fromEntries(Object.entries(row).filter(([member, value]) => value !== undefined && member !== 'line'))
