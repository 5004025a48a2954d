import { isCurrency, parametersOf } from '@tollgate/contract'
import {
  disputeFlowOf,
  disputeNetworkOf,
  type DisputeStep,
  formatAmount,
  reversibleMinorOf,
  stageAfterStep,
} from '@tollgate/domain'
import type { CompareAndSet, DisputeRow, StoredTree, TransactionRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { followUpRequest } from '../parameters/follow-up-request.ts'
import { referToPayment } from '../payments/refer-to-payment.ts'
import { disputeFactsOf, movedDispute, movementsOf, stageIn } from '../records/dispute-record.ts'
import { paymentTree } from '../records/payment-record.ts'
import { systemHead } from '../system-head.ts'

/** A step of an operator. The end of a period is not theirs. */
export type OperatorStep = Exclude<DisputeStep, 'expire'>

/**
 * taken: the dispute as it is stored now. stale: it was changed concurrently. notPermitted: its stage does not permit
 * the step. noEvidence: there is no file to send. refused: the reversal of the chargeback is not permitted. Otherwise
 * nothing was changed.
 */
export type StepResult =
  | { readonly kind: 'taken'; readonly row: DisputeRow }
  | { readonly kind: 'stale' | 'notPermitted' | 'noEvidence' }
  | { readonly kind: 'refused'; readonly code: string }

interface Step {
  readonly step: OperatorStep
  readonly note: string | undefined
}

/**
 * Takes a step of a dispute, for the audit log with a note. To win a dispute whose amount is charged back records the
 * reversal of the chargeback (CR); a second chargeback is final, and its amount is returned by other means.
 */
export async function takeStep(context: Context, from: DisputeRow, step: Step): Promise<StepResult> {
  const stored = await context.storage.treeOf(from.id)
  const disputed = stored?.transactions.find(({ id }) => id === from.id)
  const stage = disputed && stageAfter(from, disputed, step.step)
  if (!stored || !disputed || !stage) return { kind: 'notPermitted' }
  const open = step.step === 'win' ? reversibleChargeback(stored, from.id) : undefined
  if (open) return recordReversal(context, from, open, step)
  const sent = step.step === 'submit' ? await evidenceToSend(context, from.id) : []
  if (step.step === 'submit' && sent.length === 0) return { kind: 'noEvidence' }
  const to = movedDispute(from, disputed, {
    event: step.step,
    stage,
    by: 'operator',
    note: step.note,
    atMs: context.clock.now(),
  })
  const compareAndSets: CompareAndSet[] = [{ table: 'dispute', from, to }, ...sent]
  if (!(await commitChange(context, { compareAndSets }))) return { kind: 'stale' }
  audit(context.log, 'dispute changed', { dispute: to.id, step: step.step, stage: to.stage })
  return { kind: 'taken', row: to }
}

function stageAfter(from: DisputeRow, disputed: TransactionRow, step: OperatorStep) {
  const facts = disputeFactsOf(disputed, from.reason)
  return stageAfterStep(stageIn(from), step, disputeFlowOf(facts, disputeNetworkOf(facts)))
}

/** The files that were not sent before, marked as sent: from then on they are kept. */
async function evidenceToSend({ storage, clock }: Context, disputeId: string): Promise<readonly CompareAndSet[]> {
  const unsent = (await storage.evidenceOf(disputeId)).filter((row) => row.stored === 1 && row.sent_at_ms === null)
  const nowMs = clock.now()
  return unsent.map((from) => ({ table: 'dispute_evidence', from, to: { ...from, sent_at_ms: nowMs } }))
}

/** A first chargeback, and the part of it that is not reversed. */
interface OpenChargeback {
  readonly row: TransactionRow
  readonly amountMinor: number
}

/** The last chargeback of a transaction, if it is a first one and not fully reversed. */
function reversibleChargeback(stored: StoredTree, disputedId: string): OpenChargeback | undefined {
  const row = movementsOf(stored, disputedId).findLast(({ type }) => type === 'CB')
  const tree = paymentTree(stored)
  const chargeback = tree?.transactions.find(({ id }) => id === row?.id)
  const referenced = stored.transactions.find(({ id }) => id === row?.referenced_id)
  if (!row || !tree || !chargeback || referenced?.type === 'CR') return undefined
  const amountMinor = reversibleMinorOf(tree, chargeback)
  return amountMinor > 0 ? { row, amountMinor } : undefined
}

/** Records the reversal, whose unit also moves the dispute. */
async function recordReversal(
  context: Context,
  from: DisputeRow,
  { row, amountMinor }: OpenChargeback,
  { step, note }: Step,
): Promise<StepResult> {
  const channel = context.directory.channel(row.channel)
  if (!channel) return { kind: 'notPermitted' }
  const currency = narrow(isCurrency, row.currency ?? '')
  const mark = { requestId: context.ids.ordered(), atMs: context.clock.now() }
  const parameters = parametersOf({ paymentType: 'CR', amount: formatAmount(amountMinor, currency), currency })
  const request = followUpRequest(systemHead(mark, channel, parameters), row.id)
  const decide = () => referToPayment(context, request, { dispute: { by: 'operator', note } })
  const { code, status } = await context.commands.execute(request, undefined, decide, { mutexKey: row.id })
  const changed = await context.storage.dispute(from.id)
  if (status !== 200 || !changed) return { kind: 'refused', code }
  audit(context.log, 'dispute changed', { dispute: from.id, step, stage: changed.stage })
  return { kind: 'taken', row: changed }
}
