import { currencies, isCurrency } from '@tollgate/contract'
import { type ClearingFacts, type ClearingEntry, type Presentment, readClearingFile } from '@tollgate/settlement-files'
import { isOpenHold } from '../authorise.ts'
import { nextIdOf } from '../decision.ts'
import type { AcquirerHost } from '../host.ts'
import { type Change, type HostState, openBatchOf } from '../host-state.ts'
import type { HostTransaction } from '../transaction.ts'

/** The result of a clearing file. */
export interface ClearingReceipt {
  readonly fileId: string
  readonly sequence: number
  readonly accepted: number
  /** Presentments of earlier files. */
  readonly repeated: number
  /** The presentments that were not posted, with response codes. */
  readonly rejected: readonly { readonly presentmentId: string; readonly code: string }[]
}

/**
 * Reads a clearing file, and posts the captured amounts in the batches of its business day. A presentment is posted
 * once, in however many files it is. A file with a fault has no effect.
 *
 * @param today the business day of the host, whose settlement file contains the amounts
 */
export async function receiveClearingFile(
  host: AcquirerHost,
  bytes: Uint8Array,
  today: string,
): Promise<ClearingReceipt | Extract<ClearingEntry, { readonly kind: 'fault' }>> {
  const presentments: Presentment[] = []
  let summary: Exclude<ClearingEntry, { readonly kind: 'presentment' }> | undefined
  for await (const entry of readClearingFile([bytes])) {
    if (entry.kind === 'presentment') presentments.push(entry.presentment)
    else summary = entry
  }
  if (summary === undefined) throw new Error('invariant: a clearing file ends with a summary or a fault')
  if (summary.kind === 'fault') return summary
  const rejected: ClearingReceipt['rejected'][number][] = []
  let [accepted, repeated] = [0, 0]
  for (const presentment of presentments) {
    const decided = decide(host.state, presentment, summary, today)
    if (decided === 'repeated') repeated += 1
    else if ('code' in decided) rejected.push({ presentmentId: presentment.presentmentId, code: decided.code })
    else {
      await host.change(decided.changes)
      accepted += 1
    }
  }
  return { fileId: summary.fileId, sequence: summary.sequence, accepted, repeated, rejected }
}

type Decision = 'repeated' | { readonly code: string } | { readonly changes: readonly Change[] }

const UNKNOWN = '25'
const CLOSED = '12'
const TOO_HIGH = '64'

function decide(
  state: HostState,
  presentment: Presentment,
  { businessDay }: Pick<ClearingFacts, 'businessDay'>,
  today: string,
): Decision {
  const { presentmentId, originalData, terminalId, clearingMerchantId, currency, amountMinor } = presentment
  const reference = `file ${presentmentId}`
  if (state.byReference.has(reference)) return 'repeated'
  const root = state.transactions.get(state.byReference.get(`${originalData} ${terminalId} ${clearingMerchantId}`) ?? 0)
  if (root === undefined || root.currency !== numericOf(currency)) return { code: UNKNOWN }
  if (!isOpenHold(root)) return { code: CLOSED }
  const openMinor = root.authorisedMinor - root.capturedMinor
  if (amountMinor > openMinor) return { code: TOO_HIGH }
  const isFinal = presentment.captureSequence === presentment.captureCount
  const availableMinor = state.balances.get(root.account)
  const batch = { merchant: root.merchant, terminal: root.terminal, currency: root.currency, businessDay }
  const transaction = captureOf(state, root, presentment, reference, businessDay)
  const release: readonly Change[] =
    isFinal && availableMinor !== undefined && amountMinor < openMinor
      ? [{ kind: 'balance', account: root.account, availableMinor: availableMinor + openMinor - amountMinor }]
      : []
  return {
    changes: [
      { kind: 'add', transaction },
      { kind: 'update', id: root.id, amounts: { capturedMinor: root.capturedMinor + amountMinor, isFinal } },
      { kind: 'post', id: transaction.id, batch, item: 'debits', amountMinor, businessDay: today },
      ...release,
    ],
  }
}

const numericOf = (currency: string): string => (isCurrency(currency) ? currencies[currency].numeric : currency)

function captureOf(
  state: HostState,
  root: HostTransaction,
  { reference: rrn, amountMinor, approvalCode, captureSequence }: Presentment,
  reference: string,
  businessDay: string,
): HostTransaction {
  return {
    ...root,
    id: nextIdOf(state),
    kind: 'capture',
    type: '0220',
    reference,
    rootId: root.id,
    rrn,
    stan: rrn.slice(-6),
    requestedMinor: amountMinor,
    responseCode: '00',
    approvalCode: approvalCode ?? root.approvalCode,
    clearingSequence: captureSequence,
    authorisedMinor: 0,
    capturedMinor: amountMinor,
    refundedMinor: 0,
    reversedMinor: 0,
    isReversed: false,
    isFinal: false,
    businessDay,
    batch: openBatchOf(state, { ...root, businessDay }).number,
  }
}
