import type { RequestParameters } from '@tollgate/contract'
import { isTestMode } from '@tollgate/domain'
import { known } from '../narrow.ts'

/** How the merchant and the shopper's statement name a transaction, and the address of its notification. */
export type ReferenceData = Readonly<ReturnType<typeof readReferenceData>>

export function readReferenceData({ values }: RequestParameters) {
  return {
    merchantTransactionId: values.get('merchantTransactionId'),
    /** For reports alone. */
    merchantMemo: values.get('merchantMemo'),
    /** "descriptor: part of the statement descriptor; merchant.name can override it." */
    descriptor: values.get('merchant.name') ?? values.get('descriptor'),
    /** undefined: INTERNAL, or that of the transaction referred to. */
    testMode: known(isTestMode, values.get('testMode')),
    notificationUrl: values.get('notificationUrl'),
    shopperResultUrl: values.get('shopperResultUrl'),
  }
}
