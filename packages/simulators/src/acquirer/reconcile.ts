import { dayOfField15 } from './business-day.ts'
import type { AnsweredTotals, HostAnswer } from './host-answer.ts'
import type { HostMessage } from './host-message.ts'
import { type Batch, type BatchKey, type Change, type HostState, openBatchOf, type Total } from './host-state.ts'
import { type TotalItem, totalItems } from './transaction.ts'

/** Batches whose totals a client compares: of one terminal or all of its merchant, of one business day or all. */
interface ReconciledBatches {
  readonly batches: readonly Batch[]
  readonly totals: Readonly<Record<TotalItem, Total>>
}

/** Selects open batches. An undefined member selects all. */
interface BatchSelection extends Pick<BatchKey, 'merchant' | 'currency'> {
  readonly terminal: string | undefined
  readonly businessDay: string | undefined
}

function batchesToReconcile(state: HostState, selection: BatchSelection): ReconciledBatches {
  const { merchant, currency, terminal, businessDay } = selection
  const batches =
    terminal !== undefined && businessDay !== undefined
      ? [openBatchOf(state, { merchant, terminal, currency, businessDay })]
      : [...state.batches.values()].filter(
          (batch) =>
            batch.merchant === merchant &&
            batch.currency === currency &&
            (terminal ?? batch.terminal) === batch.terminal &&
            (businessDay ?? batch.businessDay) === batch.businessDay,
        )
  const sum = (item: TotalItem): Total => ({
    count: batches.reduce((count, { totals }) => count + totals[item].count, 0),
    amountMinor: batches.reduce((amountMinor, { totals }) => amountMinor + totals[item].amountMinor, 0),
  })
  return {
    batches,
    totals: {
      credits: sum('credits'),
      creditReversals: sum('creditReversals'),
      debits: sum('debits'),
      debitReversals: sum('debitReversals'),
    },
  }
}

/** The net amount: positive if the merchant owes more credits than it has debits. */
export const netMinorOf = ({ credits, creditReversals, debits, debitReversals }: ReconciledBatches['totals']): number =>
  credits.amountMinor - creditReversals.amountMinor - debits.amountMinor + debitReversals.amountMinor

const FORMAT_ERROR = '30'

/**
 * The decision about a reconciliation: in balance, it closes the batches; out of balance, they stay open. It is about
 * the business day that field 15 names, or about everything since the last reconciliation without field 15.
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
  const { batches, totals } = batchesToReconcile(state, { merchant, currency, terminal, businessDay })
  const counts = [fields[74], fields[75], fields[76], fields[77]]
  const amounts = [fields[86], fields[87], fields[88], fields[89]]
  const isInBalance =
    totalItems.every(
      (item, index) =>
        Number(counts[index]) === totals[item].count && Number(amounts[index]) === totals[item].amountMinor,
    ) && signedMinorOf(fields[97] ?? '') === netMinorOf(totals)
  return {
    answer: { code: isInBalance ? '00' : '95', totals: answeredTotalsOf(totals, isInBalance ? '1' : '2') },
    changes: isInBalance ? batches.map((batch) => ({ kind: 'close', batch, by: 'client' })) : [],
  }
}

/** C for credit, D for debit, then digits. */
function signedMinorOf(net: string): number {
  const amountMinor = Number(net.slice(1))
  // Not -0, which is another value for comparisons of objects.
  return net.startsWith('D') && amountMinor > 0 ? -amountMinor : amountMinor
}

function answeredTotalsOf(totals: ReconciledBatches['totals'], code: '1' | '2'): AnsweredTotals {
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
