import type { Head } from '../request.ts'
import type { AccountOnFile } from './account-on-file.ts'
import { type AccountRequest, onFileRequest } from './account-request.ts'
import { type CaptureTerms, readCaptureTerms } from './capture.ts'
import { type Money, readMoney } from './money.ts'
import { type Purpose, readPurpose } from './purpose.ts'
import { readReferenceData, type ReferenceData } from './reference-data.ts'

/** A request that refers to a payment. */
export interface FollowUpRequest extends Head {
  /** The payment. */
  readonly id: string
  readonly money: Money
  readonly purpose: Purpose
  readonly reference: ReferenceData
  readonly capture: CaptureTerms
  /** Of a rebill: the same as the request of a charge of the account that paid. */
  readonly rebill: AccountRequest<AccountOnFile> | undefined
}

export function followUpRequest(head: Head, id: string): FollowUpRequest & { readonly kind: 'referToPayment' } {
  const { parameters } = head
  const purpose = readPurpose(parameters)
  return {
    kind: 'referToPayment',
    requestId: head.requestId,
    atMs: head.atMs,
    ndc: head.ndc,
    caller: head.caller,
    entityId: head.entityId,
    channels: head.channels,
    parameters,
    claim: head.claim,
    id,
    money: readMoney(parameters),
    purpose,
    reference: readReferenceData(parameters),
    capture: readCaptureTerms(parameters),
    rebill: purpose.sentType === 'RB' ? onFileRequest('referToPayment', head, undefined) : undefined,
  }
}
