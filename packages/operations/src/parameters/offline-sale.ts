import { offlineApprovalIn } from '@tollgate/connectors'
import type { RequestParameters } from '@tollgate/contract'

/** A sale that card and terminal have approved without the issuer, with the terminal's reference. */
export type OfflineSale = NonNullable<ReturnType<typeof readOfflineSale>>

/**
 * Whether a sale may be stored and forwarded later: it has no block that only the acquirer can decrypt, because such
 * blocks are never stored.
 */
export const mayStoreOfflineSale = ({ secrets }: Pick<RequestParameters, 'secrets'>): boolean =>
  !secrets.has('pos.encryptedSred.data') && !secrets.has('pos.encryptedPin.data')

/**
 * The sale that a terminal approved offline and sends later. No parameter marks it: the data of the chip contain the
 * card's approval.
 */
export function readOfflineSale({ values, secrets }: RequestParameters) {
  const chipData = secrets.get('pos.iccDataRequest')
  const approval = chipData && offlineApprovalIn(chipData)
  if (!approval) return undefined
  return {
    approval,
    terminalId: values.get('pos.terminalId') ?? '',
    /** The terminal's number of the sale, by which a second upload is recognised. */
    sequenceNumber: values.get('pos.transactionSequenceNumber'),
  }
}
