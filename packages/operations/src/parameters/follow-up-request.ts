import type { Head } from '../request-head.ts'
import { onFileRequest } from './account-request.ts'
import { readCaptureParameters } from './capture.ts'
import { readMoney } from './money.ts'
import { readPurpose } from './purpose.ts'
import { readReferenceData } from './reference-data.ts'

/** A request that refers to a payment. */
export type FollowUpRequest = Readonly<ReturnType<typeof followUpRequest>>

export function followUpRequest(head: Head, id: string) {
  const { parameters } = head
  const purpose = readPurpose(parameters)
  return {
    kind: 'referToPayment' as const,
    requestId: head.requestId,
    atMs: head.atMs,
    ndc: head.ndc,
    whileWaiting: head.whileWaiting,
    caller: head.caller,
    entityId: head.entityId,
    channels: head.channels,
    parameters,
    claim: head.claim,
    /** The id of the payment. */
    id,
    money: readMoney(parameters),
    purpose,
    reference: readReferenceData(parameters),
    capture: readCaptureParameters(parameters),
    /** The request as a charge of the payment's account; undefined unless it is a rebill. */
    rebill: purpose.sentType === 'RB' ? onFileRequest('referToPayment', head, undefined) : undefined,
  }
}
