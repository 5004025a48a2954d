import { brandOfPrefix, type CurrencyCode, currencies, isCurrency } from '@tollgate/contract'
import { addDays, answerDueOn, disputeNetworksOf, type SettlementRow } from '@tollgate/domain'
import type { HostTransaction } from '../transaction.ts'
import type { Booking, TransactionFee } from './bookings.ts'
import { convert, settlementCurrency } from './exchange-rates.ts'
import { brandFeeOf, chargebackFeeMinor, feeOfKind, feesMinor } from './fees.ts'
import { groupBy } from './group-by.ts'

type BookingOf<Kind extends Booking['kind']> = Extract<Booking, { readonly kind: Kind }>

/**
 * The rows of the settlement file of a business day, by merchant.
 *
 * A transaction is one row with its amount after the reversals of the same day; one that was reversed in full has none.
 * A reversal on a later day is a row in the opposite direction. Currencies that ISO 4217 does not list are not settled.
 *
 * @param bookings those of the day, the oldest first
 */
export function settlementRowsOf(bookings: readonly Booking[], businessDay: string): readonly SettlementRow[] {
  const transactions = netPostings(bookings.filter((booking) => booking.kind === 'posting')).map(transactionRowOf)
  const disputes = bookings.filter((booking) => booking.kind === 'dispute').map(disputeRowOf)
  const fees = bookings.map(feeRowOf)
  const rows = [...transactions, ...disputes, ...fees].filter((row) => row !== undefined)
  return [...groupBy(rows, ({ clearingMerchantId }) => clearingMerchantId)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, merchantRows]) => [...merchantRows, ...merchantFeesOf(merchantRows, businessDay)])
}

/** A posting after its reversals; negative if only the reversals are of the day. */
interface NetPosting {
  readonly first: BookingOf<'posting'>
  readonly netMinor: number
}

function netPostings(postings: readonly BookingOf<'posting'>[]): readonly NetPosting[] {
  return [...groupBy(postings, ({ transaction }) => transaction.id).values()].flatMap((group) => {
    const [first] = group
    const netMinor = group.reduce((sum, { item, amountMinor }) => sum + signs[item] * amountMinor, 0)
    return first === undefined || netMinor === 0 ? [] : [{ first, netMinor }]
  })
}

const signs: Readonly<Record<BookingOf<'posting'>['item'], 1 | -1>> = {
  credits: 1,
  creditReversals: -1,
  debits: 1,
  debitReversals: -1,
}

function transactionRowOf({ first, netMinor }: NetPosting): SettlementRow | undefined {
  const type = typeOf(first.transaction)
  const row = baseRowOf(first, Math.abs(netMinor))
  if (row === undefined) return undefined
  const isReceived = (type === 'DEBIT') === netMinor > 0
  const hasFee = type !== 'REFUND' && netMinor > 0
  const feeMinor = hasFee ? brandFeeOf(row.brand, row.settlementAmountMinor) : undefined
  return { ...row, kind: 'SETTLED', type, cashflow: isReceived ? 'POS' : 'NEG', feeMinor }
}

function disputeRowOf(booking: BookingOf<'dispute'>): SettlementRow | undefined {
  const { stage, reason, amountMinor } = booking
  const row = baseRowOf(booking, amountMinor)
  if (row === undefined) return undefined
  if (stage === 'CHARGEBACK REVERSAL') return { ...row, kind: stage, cashflow: 'POS', reason }
  const feeMinor = row.settlementCurrency === settlementCurrency ? chargebackFeeMinor : undefined
  return { ...row, kind: stage, cashflow: 'NEG', reason, dueOn: dueOnOf(row), feeMinor }
}

/** The last day for the answer to a chargeback, by the rules of its network. */
function dueOnOf({ brand, settledOn }: SettlementRow): string | undefined {
  const [network] = disputeNetworksOf(brand)
  return network && answerDueOn(network, 'chargeback', settledOn)
}

function feeRowOf(booking: Booking): SettlementRow | undefined {
  const fee = transactionFeeOf(booking)
  const row = fee && baseRowOf(booking, 0)
  return row && { ...row, ...feeOf(fee), fxRate: undefined }
}

/** The fee for the message of a booking. Reversals and chargebacks imply none. */
function transactionFeeOf(booking: Booking): TransactionFee | undefined {
  switch (booking.kind) {
    case 'fee':
      return booking.fee
    case 'posting':
      return booking.item === 'debits' || booking.item === 'credits' ? feeOfKind[booking.transaction.kind] : undefined
    case 'dispute':
      return undefined
  }
}

const feeOf = (fee: keyof typeof feesMinor) => ({
  kind: 'FEE' as const,
  type: fee,
  cashflow: 'NEG' as const,
  amountMinor: feesMinor[fee],
  currency: settlementCurrency,
  settlementAmountMinor: feesMinor[fee],
  settlementCurrency,
})

/** The fee for the settlement of a merchant, and that for the month on its last day. */
function merchantFeesOf(rows: readonly SettlementRow[], businessDay: string): readonly SettlementRow[] {
  const [first] = rows
  if (first === undefined) return []
  const { clearingMerchantId, settlementId, settledOn } = first
  const row = { clearingMerchantId, settlementId, settledOn, status: 'SUCCESS', line: 0 } as const
  const isLastOfMonth = addDays(businessDay, 1).slice(0, 7) !== businessDay.slice(0, 7)
  return [{ ...row, ...feeOf('BATCH') }, ...(isLastOfMonth ? [{ ...row, ...feeOf('MONTHLY') }] : [])]
}

/** The members of a row that follow from its transaction; undefined: its currency is not known. */
function baseRowOf({ transaction, businessDay, atMs }: Booking, amountMinor: number): SettlementRow | undefined {
  const currency = currencyCodes.get(transaction.currency)
  if (currency === undefined) return undefined
  const { merchant, terminal, networkId, approvalCode = '', clearingSequence, kind, descriptor = '' } = transaction
  const clearingMerchantId = printable(merchant) ?? UNNAMED
  const bin = /^\d{6}/.exec(transaction.card.masked)?.[0]
  return {
    kind: 'SETTLED',
    type: typeOf(transaction),
    cashflow: 'POS',
    clearingMerchantId,
    ...connectorIdsOf(transaction),
    approvalCode: /^[0-9A-Za-z]{1,6}$/.exec(approvalCode)?.[0],
    networkTransactionId: printable(networkId),
    clearingSequence: clearingSequence || (kind === 'sale' ? 1 : undefined),
    terminalId: printable(terminal),
    amountMinor,
    currency,
    ...convert(amountMinor, currency),
    presentedAtMs: atMs,
    ...settlementOf(clearingMerchantId, businessDay),
    status: 'SUCCESS',
    brand: bin && brandOfPrefix(bin),
    descriptor: printable(descriptor)?.slice(0, DESCRIPTOR_CHARS),
    bin,
    last4: /\d{4}$/.exec(transaction.card.masked)?.[0],
    line: 0,
  }
}

/** Funds are settled on the day after the business day. */
export const settledOnOf = (businessDay: string): string => addDays(businessDay, 1)

/** The settlement of a merchant's business day: its id and its day. */
export function settlementOf(merchant: string, businessDay: string): Pick<SettlementRow, 'settlementId' | 'settledOn'> {
  const settledOn = settledOnOf(businessDay)
  return { settlementId: `S${settledOn.replaceAll('-', '')}-${merchant}`, settledOn }
}

/**
 * The references of a transaction as the gateway's connector returns them in `resultDetails`: ConnectorTxID1 is the
 * retrieval reference number, ConnectorTxID2 the original data (field 90), ConnectorTxID3 the approval code.
 */
const connectorIdsOf = ({ rrn, reference, approvalCode = '' }: HostTransaction) => ({
  connectorTxId1: printable(rrn),
  connectorTxId2: printable(originalDataOf(reference)),
  connectorTxId3: printable(approvalCode),
})

/** The original data in the name of a message. */
export const originalDataOf = (reference: string): string => reference.split(' ', 1)[0] ?? ''

/** A refund that names no payment is a credit, like a payout. */
function typeOf({ kind, rootId }: HostTransaction): 'DEBIT' | 'CREDIT' | 'REFUND' {
  if (kind === 'payout') return 'CREDIT'
  if (kind === 'refund') return rootId === undefined ? 'CREDIT' : 'REFUND'
  return 'DEBIT'
}

/** Merchants may leave field 42 blank. */
const UNNAMED = 'unnamed'
/** The shortest field for it in a format of files. */
const DESCRIPTOR_CHARS = 40

/** A text of a message without control characters; undefined if nothing else is in it. */
const printable = (text: string): string | undefined => text.replaceAll(/\p{Cc}/gu, ' ').trim() || undefined

const currencyCodes: ReadonlyMap<string, CurrencyCode> = new Map(
  Object.keys(currencies)
    .filter(isCurrency)
    .map((code) => [currencies[code].numeric, code]),
)
