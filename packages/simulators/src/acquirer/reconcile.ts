import { dayOfField15 } from './business-day.ts'
import type { AnsweredTotals, HostAnswer } from './host-answer.ts'
import type { HostMessage } from './host-message.ts'
import {
  type Batch,
  type BatchKey,
  batchKeyOf,
  type Change,
  type HostState,
  openBatchOf,
  type Total,
} from './host-state.ts'
import { type TotalItem, totalItems } from './transaction.ts'

/** Selects batches. An undefined member selects all. */
interface BatchSelection extends Pick<BatchKey, 'merchant' | 'currency'> {
  readonly terminal: string | undefined
  readonly businessDay: string | undefined
}

const isSelectedBy =
  ({ merchant, currency, terminal, businessDay }: BatchSelection) =>
  (batch: Batch): boolean =>
    batch.merchant === merchant &&
    batch.currency === currency &&
    (terminal ?? batch.terminal) === batch.terminal &&
    (businessDay ?? batch.businessDay) === batch.businessDay

function openBatches(state: HostState, selection: BatchSelection): readonly Batch[] {
  const { terminal, businessDay } = selection
  if (terminal !== undefined && businessDay !== undefined)
    return [openBatchOf(state, { ...selection, terminal, businessDay })]
  return [...state.batches.values()].filter(isSelectedBy(selection))
}

/** The newest closed batch, with transactions, of each terminal and business day. */
function newestClosedBatches(state: HostState, selection: BatchSelection): readonly Batch[] {
  const isSelected = isSelectedBy(selection)
  const closed = [...state.closedBatches.values()].filter((batch) => isSelected(batch) && !isEmpty(batch.totals))
  return [...new Map(closed.map((batch) => [batchKeyOf(batch), batch])).values()]
}

type Totals = Batch['totals']

function sumOf(batches: readonly Batch[]): Totals {
  const sum = (item: TotalItem): Total => ({
    count: batches.reduce((count, { totals }) => count + totals[item].count, 0),
    amountMinor: batches.reduce((amountMinor, { totals }) => amountMinor + totals[item].amountMinor, 0),
  })
  return {
    credits: sum('credits'),
    creditReversals: sum('creditReversals'),
    debits: sum('debits'),
    debitReversals: sum('debitReversals'),
  }
}

const isEmpty = (totals: Totals): boolean => totalItems.every((item) => totals[item].count === 0)

/** The net amount: positive if the merchant owes more credits than it has debits. */
export const netMinorOf = ({ credits, creditReversals, debits, debitReversals }: Totals): number =>
  credits.amountMinor - creditReversals.amountMinor - debits.amountMinor + debitReversals.amountMinor

const FORMAT_ERROR = '30'
/** Field 66. */
const IN_BALANCE = '1'
const OUT_OF_BALANCE = '2'

/**
 * The decision about a reconciliation: in balance, it closes the batches; out of balance, they stay open. It is about
 * the business day that field 15 names, or about everything since the last reconciliation without field 15. A client
 * whose answer was lost compares a day again: with its closed batches, unless a new one has begun.
 *
 * @param currentDay the business day now
 */
export function decideReconciliation(
  state: HostState,
  { fields }: HostMessage,
  currentDay: string,
): { readonly answer: HostAnswer; readonly changes: readonly Change[] } {
  const { 15: monthAndDay, 41: terminal, 42: merchant = '', 50: currency = '' } = fields
  const businessDay = monthAndDay === undefined ? undefined : dayOfField15(monthAndDay, currentDay)
  if (monthAndDay !== undefined && businessDay === undefined) return { answer: { code: FORMAT_ERROR }, changes: [] }
  const selection = { merchant, currency, terminal, businessDay }
  const open = openBatches(state, selection)
  const totals = sumOf(open)
  if (areTotalsIn(fields, totals)) {
    const changes = open.map((batch) => ({ kind: 'close' as const, batch, by: 'client' as const }))
    return { answer: { code: '00', totals: answeredTotalsOf(totals, IN_BALANCE) }, changes }
  }
  const isClosed = businessDay !== undefined && isEmpty(totals)
  const compared = isClosed ? sumOf(newestClosedBatches(state, selection)) : totals
  return areTotalsIn(fields, compared)
    ? { answer: { code: '00', totals: answeredTotalsOf(compared, IN_BALANCE) }, changes: [] }
    : { answer: { code: '95', totals: answeredTotalsOf(compared, OUT_OF_BALANCE) }, changes: [] }
}

/** Whether a message has these totals. */
function areTotalsIn(fields: HostMessage['fields'], totals: Totals): boolean {
  const counts = [fields[74], fields[75], fields[76], fields[77]]
  const amounts = [fields[86], fields[87], fields[88], fields[89]]
  return (
    totalItems.every(
      (item, index) =>
        Number(counts[index]) === totals[item].count && Number(amounts[index]) === totals[item].amountMinor,
    ) && signedMinorOf(fields[97] ?? '') === netMinorOf(totals)
  )
}

/** C for credit, D for debit, then digits. */
function signedMinorOf(net: string): number {
  const amountMinor = Number(net.slice(1))
  // Not -0, which is another value for comparisons of objects.
  return net.startsWith('D') && amountMinor > 0 ? -amountMinor : amountMinor
}

function answeredTotalsOf(totals: Totals, code: typeof IN_BALANCE | typeof OUT_OF_BALANCE): AnsweredTotals {
  const count = (item: TotalItem): string => String(totals[item].count)
  const amount = (item: TotalItem): string => String(totals[item].amountMinor)
  const netMinor = netMinorOf(totals)
  return {
    code,
    counts: [count('credits'), count('creditReversals'), count('debits'), count('debitReversals')],
    amounts: [amount('credits'), amount('creditReversals'), amount('debits'), amount('debitReversals')],
    net: `${netMinor < 0 ? 'D' : 'C'}${String(Math.abs(netMinor)).padStart(16, '0')}`,
  }
}
