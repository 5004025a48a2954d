import type { RequestParameters } from '@tollgate/contract'
import { isTestMode } from '@tollgate/domain'
import { narrow } from '../narrow.ts'

/** The merchant's references of a transaction, its descriptor on the shopper's statement, and the merchant's URLs. */
export type ReferenceData = Readonly<ReturnType<typeof readReferenceData>>

export function readReferenceData({ values }: RequestParameters) {
  return {
    merchantTransactionId: values.get('merchantTransactionId'),
    /** A note of the merchant, which only reports contain. */
    merchantMemo: values.get('merchantMemo'),
    /** "descriptor: part of the statement descriptor; merchant.name can override it." */
    descriptor: values.get('merchant.name') ?? values.get('descriptor'),
    /** undefined: INTERNAL, or the mode of the referenced transaction. */
    testMode: narrow(isTestMode, values.get('testMode')),
    notificationUrl: values.get('notificationUrl'),
    shopperResultUrl: values.get('shopperResultUrl'),
  }
}
