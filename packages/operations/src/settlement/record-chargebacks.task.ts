import { type ChargebackReason, InvariantError, isCurrency, parametersOf } from '@tollgate/contract'
import {
  formatAmount,
  hasTwoDecimals,
  isPaymentType,
  type Money,
  type SettlementRow,
  settledPart,
} from '@tollgate/domain'
import {
  type CompareAndSet,
  listOf,
  type SettlementRowRow,
  type StoredTree,
  type TransactionRow,
} from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { type DisputeDetails, movementsOf, standingChargeback } from '../records/dispute-record.ts'
import { errorFields } from '../error-fields.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'
import { followUpRequest } from '../parameters/follow-up-request.ts'
import { referToPayment } from '../payments/refer-to-payment.ts'
import { mapOutcome } from '../pending-unit.ts'
import { systemHead } from '../system-head.ts'
import { statedResult } from './chargeback-result.ts'
import { heldFor, holdBack } from './held-chargebacks.ts'
import { rowIn } from './stored-row.ts'

/**
 * Records the chargebacks of matched rows, and their reversals, as transactions of their payments (contract,
 * ChargebackId: "created by the service after a chargeback record is matched"). The transaction and its id in the row
 * are one unit. A chargeback that was recorded before, by a caller with the right to do so, is not recorded again. A
 * row that the payment refuses is held back (`holdBack`). A row that fails does not stop the others.
 */
export function recordChargebacks(context: Context): BackgroundTask {
  /** The last row that this sweep has tried. */
  let last: Pick<SettlementRowRow, 'settled_on' | 'kind' | 'file_id' | 'number'> | undefined
  return {
    name: 'chargebacks',
    everyMs: limits.settlementEveryMs,
    pauseMs: limits.settlementPauseMs,
    async step() {
      const { settled_on: day, kind, file_id: file, number } = last ?? BEFORE_ALL
      const rows = await context.storage.unrecordedChargebacks(day, kind, file, number, limits.chargebacksPerStep)
      for (const row of rows) await tryChargeback(context, row)
      last = rows.at(-1)
      return last ? 'more' : 'done'
    },
  }
}

const BEFORE_ALL = { settled_on: '', kind: '', file_id: '', number: 0 }

async function tryChargeback(context: Context, from: SettlementRowRow): Promise<void> {
  try {
    await recordChargeback(context, from)
  } catch (error) {
    context.log.error({ settlementFile: from.file_id, row: from.number, ...errorFields(error) })
  }
}

async function recordChargeback(context: Context, from: SettlementRowRow): Promise<void> {
  const { storage } = context
  const row = rowIn(from)
  if (row.status === 'FAILED') return close(context, from, '')
  const tree = from.transaction_id === null ? undefined : await storage.treeOf(from.transaction_id)
  const settled = tree?.transactions.find(({ id }) => id === from.transaction_id)
  if (!tree || !settled) throw new InvariantError('the transaction of a matched row is stored')
  const movements = movementsOf(tree, settled.id)
  const money = moneyOf(row, settled)
  const type = row.kind === 'CHARGEBACK' ? 'CB' : 'CR'
  const rowsOf = await storage.settlementRowsOf(listOf([settled.id]))
  // The nth row belongs to the nth chargeback.
  const own = movements.find((each) => each.type === type && rowsOf.every((other) => other.chargeback_id !== each.id))
  if (own && own.amount_minor !== money.minor) return holdBack(context, from, heldFor.amountDiffers)
  if (own) return close(context, from, own.id)
  const referenced = type === 'CB' ? (lastOf(movements) ?? settled) : standingChargeback(movements)
  if (!referenced) return holdBack(context, from, heldFor.noChargeback)
  if (!hasTwoDecimals(money.minor, money.currency)) return holdBack(context, from, heldFor.decimals)
  return execute(context, from, referenced, parametersFor(row, statedResult(row, settled, transactionIn(tree)), money))
}

const transactionIn =
  ({ transactions }: StoredTree) =>
  (id: string): TransactionRow | undefined =>
    transactions.find((row) => row.id === id)

/** The movement to which no other one refers. */
const lastOf = (movements: readonly TransactionRow[]): TransactionRow | undefined =>
  movements.findLast(({ id }) => movements.every((row) => row.referenced_id !== id))

/** The amount of a row in the currency of its transaction. */
const moneyOf = (row: SettlementRow, { type, amount_minor: minor, currency }: TransactionRow): Money =>
  settledPart(row, {
    type: narrow(isPaymentType, type),
    minor: minor ?? 0,
    currency: narrow(isCurrency, currency ?? ''),
  })

async function execute(
  context: Context,
  from: SettlementRowRow,
  referenced: TransactionRow,
  parameters: ReturnType<typeof parametersFor>,
): Promise<void> {
  const channel = context.directory.channel(referenced.channel)
  if (!channel) return holdBack(context, from, heldFor.noChannel)
  const mark = { requestId: context.ids.ordered(), atMs: context.clock.now() }
  const request = followUpRequest(systemHead(mark, channel, parameters), referenced.id)
  const decide = async () =>
    mapOutcome(await referToPayment(context, request, { dispute: detailsOf(rowIn(from)) }), (unit, transaction) =>
      transaction
        ? { ...unit, compareAndSets: [...(unit.compareAndSets ?? []), recorded(context, from, transaction.id)] }
        : unit,
    )
  const { code, status } = await context.commands.execute(request, undefined, decide, { mutexKey: referenced.id })
  if (status === 200) return
  if (code.startsWith(REFUSED)) return holdBack(context, from, code)
  context.log.error({ settlementFile: from.file_id, row: from.number, chargeback: code })
}

/** The result codes of refusals by the rules of payments. Other requests that fail are tried again. */
const REFUSED = '700.'

const detailsOf = ({ kind, reason, settledOn, dueOn }: SettlementRow): DisputeDetails => ({
  by: 'file',
  receivedOn: settledOn,
  ...(kind === 'CHARGEBACK' && { reason, dueOn }),
})

function parametersFor(row: SettlementRow, { resultCode }: ChargebackReason, { minor, currency }: Money) {
  const money = { amount: formatAmount(minor, currency), currency }
  if (row.kind === 'CHARGEBACK REVERSAL') return parametersOf({ paymentType: 'CR', ...money })
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
