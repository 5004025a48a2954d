import { disputeStateOf } from '@tollgate/domain'
import type { DisputeRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { historyOf, movedDispute, stageIn } from '../records/dispute-record.ts'

/** A request of an issuer for documents, as the operator received it. Days are yyyy-MM-dd. */
export interface Inquiry {
  readonly transactionId: string
  readonly reason: string | undefined
  readonly receivedOn: string | undefined
  readonly dueOn: string | undefined
  readonly note: string | undefined
}

/**
 * opened: the dispute as it is stored now. noCharge: the transaction is no approved charge. isOpen: its dispute is
 * open. tooMany: its dispute has too many events. stale: the payment was changed concurrently.
 */
export type InquiryResult =
  | { readonly kind: 'opened'; readonly row: DisputeRow }
  | { readonly kind: 'noCharge' | 'isOpen' | 'tooMany' | 'stale' }

/** The types of charges that a shopper can dispute. */
const disputable: ReadonlySet<string> = new Set(['DB', 'CP', 'RB'])

/**
 * Opens the dispute of a transaction by an inquiry, which moves no money. The unit expects the version of the payment,
 * so that a chargeback at the same moment is decided before or after it.
 */
export async function openInquiry(context: Context, { transactionId, ...inquiry }: Inquiry): Promise<InquiryResult> {
  const { storage, clock, log } = context
  const stored = await storage.treeOf(transactionId)
  const disputed = stored?.transactions.find(({ id }) => id === transactionId)
  if (!stored || !disputed || disputed.status !== 'ACK' || !disputable.has(disputed.type)) return { kind: 'noCharge' }
  const from = await storage.dispute(transactionId)
  if (from && disputeStateOf(stageIn(from)) !== 'closed') return { kind: 'isOpen' }
  if (from && historyOf(from).length >= limits.disputeEventsMax) return { kind: 'tooMany' }
  const event = { event: 'inquiry', stage: 'inquiry', by: 'operator', atMs: clock.now(), ...inquiry } as const
  const to = movedDispute(from, disputed, event)
  const { id, merchant, version } = stored
  const isOpened = await commitChange(context, {
    expectedVersions: [{ id, merchant, version }],
    ...(from ? { compareAndSets: [{ table: 'dispute', from, to }] } : { rows: { dispute: [to] } }),
  })
  if (!isOpened) return { kind: 'stale' }
  audit(log, 'dispute changed', { dispute: to.id, step: 'inquiry', stage: to.stage })
  return { kind: 'opened', row: to }
}
