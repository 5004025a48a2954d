import { optional, required } from '../field.ts'
import { text } from '../format.ts'
import { header, ids } from './common.ts'

/** Preparation request, 3DS server to directory server: which cards take part. EMV 3-D Secure, table B.6. */
export const preq = {
  ...header,
  threeDSServerTransID: ids.server,
  threeDSServerRefNumber: required(text(1, 32)),
  threeDSServerOperatorID: optional(text(1, 32)),
  /** Of the answer that the 3DS server has; the next one tells only what has changed since, or nothing. */
  serialNum: optional(text(1, 20)),
}
