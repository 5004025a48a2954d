import { optional, required } from '../field.ts'
import { text } from '../format.ts'
import { header, ids } from './common.ts'

/** Preparation request, 3DS server to directory server: which cards are enrolled. EMV 3-D Secure, table B.6. */
export const preq = {
  ...header,
  threeDSServerTransID: ids.server,
  threeDSServerRefNumber: required(text(1, 32)),
  threeDSServerOperatorID: optional(text(1, 32)),
  /** Of the 3DS server's last answer; the next one contains the changes since then. */
  serialNum: optional(text(1, 20)),
}
