import { type CurrencyCode, isBrand, isCurrency, parametersOf } from '@tollgate/contract'
import { chargebackReasonOf, formatAmount, type SettlementRow } from '@tollgate/domain'
import type { CompareAndSet, SettlementRowRow, StoredTree, TransactionRow } from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'
import { followUpRequest } from '../parameters/follow-up-request.ts'
import { referToPayment } from '../payments/refer-to-payment.ts'
import { mapOutcome } from '../pending-unit.ts'
import type { DisputeDetails } from '../records/dispute-record.ts'
import { systemHead } from '../system-head.ts'
import { rowIn } from './stored-row.ts'

/**
 * Records the chargebacks of matched rows, and their reversals, as transactions of their payments (contract,
 * ChargebackId: "created by the service after a chargeback record is matched"). The transaction and its id in the row
 * are one unit. A chargeback that was recorded before, by a caller with the right to do so, is not recorded again.
 */
export const recordChargebacks = (context: Context): BackgroundTask => ({
  name: 'chargebacks',
  everyMs: limits.settlementEveryMs,
  pauseMs: limits.settlementPauseMs,
  async step() {
    const rows = await context.storage.unrecordedChargebacks(limits.chargebacksPerStep)
    for (const row of rows) await recordChargeback(context, row)
    return rows.length > 0 ? 'more' : 'done'
  },
})

async function recordChargeback(context: Context, from: SettlementRowRow): Promise<void> {
  const row = rowIn(from)
  const tree = from.transaction_id === null ? undefined : await context.storage.treeOf(from.transaction_id)
  const settled = tree?.transactions.find(({ id }) => id === from.transaction_id)
  if (!tree || !settled || row.status === 'FAILED') return close(context, from, '')
  const disputes = disputesOf(tree, settled)
  const last = disputes.at(-1)
  const isRecorded = last?.type === (row.kind === 'CHARGEBACK' ? 'CB' : 'CR')
  if (last && isRecorded) return close(context, from, last.id)
  return execute(context, from, row, last ?? settled)
}

/** The chargebacks of a transaction and their reversals, each of which refers to the one before. */
function disputesOf({ transactions }: StoredTree, { id }: TransactionRow): readonly TransactionRow[] {
  const disputes: TransactionRow[] = []
  for (let referenced = id; ; ) {
    const next = transactions.findLast(
      ({ type, referenced_id: reference, status }) =>
        (type === 'CB' || type === 'CR') && reference === referenced && status === 'ACK',
    )
    if (!next) return disputes
    disputes.push(next)
    referenced = next.id
  }
}

async function execute(
  context: Context,
  from: SettlementRowRow,
  row: SettlementRow,
  referenced: TransactionRow,
): Promise<void> {
  const channel = context.directory.channel(referenced.channel)
  if (!channel) return close(context, from, '')
  const mark = { requestId: context.ids.ordered(), atMs: context.clock.now() }
  const request = followUpRequest(systemHead(mark, channel, parametersFor(row, referenced)), referenced.id)
  const decide = async () =>
    mapOutcome(await referToPayment(context, request, { dispute: detailsOf(row) }), (unit, transaction) => ({
      ...unit,
      compareAndSets: [...(unit.compareAndSets ?? []), recorded(context, from, transaction?.id ?? '')],
    }))
  const { code, status } = await context.commands.execute(request, undefined, decide, { mutexKey: referenced.id })
  if (status !== 200) context.log.error({ settlementFile: from.file_id, row: from.number, chargeback: code })
}

const detailsOf = ({ kind, reason, settledOn, dueOn }: SettlementRow): DisputeDetails => ({
  by: 'file',
  receivedOn: settledOn,
  ...(kind === 'CHARGEBACK' && { reason, dueOn }),
})

function parametersFor(row: SettlementRow, { brand }: TransactionRow) {
  const currency: CurrencyCode = narrow(isCurrency, row.currency)
  const money = { amount: formatAmount(row.amountMinor, currency), currency }
  if (row.kind === 'CHARGEBACK REVERSAL') return parametersOf({ paymentType: 'CR', ...money })
  const { resultCode } = chargebackReasonOf(narrow(isBrand, brand) ?? row.brand, row.reason)
  return parametersOf({ paymentType: 'CB', ...money, chargebackResultCode: resultCode })
}

const recorded = ({ clock }: Context, from: SettlementRowRow, chargebackId: string): CompareAndSet => ({
  table: 'settlement_row',
  from,
  to: { ...from, chargeback_id: chargebackId, changed_at_ms: clock.now() },
})

async function close(context: Context, from: SettlementRowRow, chargebackId: string): Promise<void> {
  await commitChange(context, { compareAndSets: [recorded(context, from, chargebackId)] })
}
