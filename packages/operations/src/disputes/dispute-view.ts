import { isResultCode, resultCodes } from '@tollgate/contract'
import {
  chargeOf,
  dayAt,
  disputeFlowOf,
  disputeNetworkOf,
  disputeStateOf,
  evidenceFor,
  formatAmount,
  isLiabilityShifted,
  statedReasonOf,
  stepsOf,
} from '@tollgate/domain'
import type { DisputeRow, StoredTree, TransactionRow } from '@tollgate/storage'
import { narrow } from '../narrow.ts'
import { eciOf } from '../records/authenticated-eci.ts'
import { disputeFactsOf, historyOf, movementsOf, stageIn } from '../records/dispute-record.ts'
import { paymentTree } from '../records/payment-record.ts'
import { amountOf } from '../records/transaction-view.ts'
import { daysUntil } from './due-days.ts'

/** The view of a dispute for operators: its stored stage, and what follows from the transactions of the payment. */
export function disputeView(row: DisputeRow, stored: StoredTree, nowMs: number) {
  const disputed = stored.transactions.find(({ id }) => id === row.id)
  if (!disputed) return undefined
  const movements = movementsOf(stored, row.id)
  const stage = stageIn(row)
  const facts = disputeFactsOf(disputed, row.reason)
  const network = disputeNetworkOf(facts)
  const stated = statedReasonOf(facts)
  const eci = eciOf(disputed, (id) => stored.transactions.find((each) => each.id === id))
  const resultCode = movements.findLast(({ type }) => type === 'CB')?.result_code ?? stated?.resultCode
  return {
    id: row.id,
    merchantId: row.merchant,
    channelId: row.channel,
    paymentId: disputed.root_id,
    paymentType: disputed.type,
    brand: disputed.brand,
    network: network ?? null,
    flow: disputeFlowOf(facts, network),
    state: disputeStateOf(stage),
    stage,
    steps: stepsOf(stage).filter((step) => step !== 'expire'),
    reason: row.reason,
    resultCode: resultCode ?? null,
    meaning: stated?.text ?? (resultCode ? resultCodes[narrow(isResultCode, resultCode)].text : null),
    amount: disputedAmount(stored, disputed, movements),
    currency: disputed.currency,
    receivedOn: row.received_on,
    dueOn: row.due_on,
    dueInDays: row.due_on === null ? null : daysUntil(row.due_on, nowMs),
    isLiabilityShifted: isLiabilityShifted(network, eci, {
      reason: row.reason ?? undefined,
      resultCode: resultCode ?? undefined,
    }),
    wantedEvidence: evidenceFor(resultCode ?? undefined),
    transactions: movements.map((each) => ({
      id: each.id,
      referencedId: each.referenced_id,
      type: each.type,
      resultCode: each.result_code,
      amount: amountOf(each) ?? null,
      createdAt: new Date(each.created_at_ms).toISOString(),
    })),
    history: historyOf(row).map(({ atMs, ...entry }) => ({ ...entry, at: new Date(atMs).toISOString() })),
    openedOn: dayAt(row.created_at_ms),
    changedAt: new Date(row.changed_at_ms).toISOString(),
  }
}

export type DisputeView = NonNullable<ReturnType<typeof disputeView>>

/** The amount that is charged back; if there is none, that of the last chargeback, or of the whole transaction. */
function disputedAmount(
  stored: StoredTree,
  disputed: TransactionRow,
  movements: readonly TransactionRow[],
): string | null {
  const tree = paymentTree(stored)
  const transaction = tree?.transactions.find(({ id }) => id === disputed.id)
  const openMinor = tree && transaction ? chargeOf(tree, transaction).chargedBackMinor : 0
  if (transaction && openMinor > 0) return formatAmount(openMinor, transaction.currency)
  return amountOf(movements.findLast(({ type }) => type === 'CB') ?? disputed) ?? null
}
