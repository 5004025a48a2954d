import type { RequestParameters } from '@tollgate/contract'
import { isTestMode, type TestMode } from '@tollgate/domain'
import { known } from '../narrow.ts'

/** How the merchant and the shopper's statement name a transaction, and the address of its notification. */
export interface ReferenceData {
  readonly merchantTransactionId: string | undefined
  /** For reports alone. */
  readonly merchantMemo: string | undefined
  /** "descriptor: part of the statement descriptor; merchant.name can override it." */
  readonly descriptor: string | undefined
  /** undefined: INTERNAL, or that of the transaction referred to. */
  readonly testMode: NonNullable<TestMode> | undefined
  readonly notificationUrl: string | undefined
  readonly shopperResultUrl: string | undefined
}

export function readReferenceData({ values }: RequestParameters): ReferenceData {
  return {
    merchantTransactionId: values.get('merchantTransactionId'),
    merchantMemo: values.get('merchantMemo'),
    descriptor: values.get('merchant.name') ?? values.get('descriptor'),
    testMode: known(isTestMode, values.get('testMode')),
    notificationUrl: values.get('notificationUrl'),
    shopperResultUrl: values.get('shopperResultUrl'),
  }
}
