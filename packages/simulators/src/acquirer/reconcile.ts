import type { AnsweredTotals, HostAnswer } from './host-answer.ts'
import type { HostMessage } from './host-message.ts'
import {
  type Batch,
  type Change,
  type HostState,
  openBatchOf,
  type Total,
  type TotalItem,
  totalItems,
} from './host-state.ts'

/** Batches whose totals a client compares: of one terminal, or of all terminals of its merchant. */
interface ReconciledBatches {
  readonly batches: readonly Batch[]
  readonly totals: Readonly<Record<TotalItem, Total>>
}

/** The open batches of a merchant in a currency. @param terminal undefined: all terminals */
function batchesToReconcile(
  state: HostState,
  merchant: string,
  currency: string,
  terminal: string | undefined,
): ReconciledBatches {
  const batches =
    terminal !== undefined
      ? [openBatchOf(state, { merchant, terminal, currency })]
      : [...state.batches.values()].filter((batch) => batch.merchant === merchant && batch.currency === currency)
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

/** The decision about a reconciliation: in balance, it closes the batches; out of balance, they stay open. */
export function decideReconciliation(
  state: HostState,
  message: HostMessage,
): { readonly answer: HostAnswer; readonly changes: readonly Change[] } {
  const { fields } = message
  const { batches, totals } = batchesToReconcile(state, fields[42] ?? '', fields[50] ?? '', fields[41])
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
