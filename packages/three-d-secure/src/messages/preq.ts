import { optional, required } from '../field.ts'
import { text } from '../format.ts'
import { header, ids } from './common.ts'

/** Preparation request, 3DS server to directory server, for the enrolled card ranges. EMV 3-D Secure, table B.6. */
export const preq = {
  ...header,
  threeDSServerTransID: ids.server,
  threeDSServerRefNumber: required(text(1, 32)),
  threeDSServerOperatorID: optional(text(1, 32)),
  /** Serial number of the last response; the next response contains the changes since then. */
  serialNum: optional(text(1, 20)),
}
