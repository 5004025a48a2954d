import { errorCodes } from '../codes/error-codes.ts'
import { optional, required } from '../field.ts'
import { codes, text, uuid } from '../format.ts'
import { limits } from '../limits.ts'
import { protocolVersions } from '../versions.ts'

/** Error message: the answer to a message with a fault. EMV 3-D Secure, table B.10. */
export const erro = {
  messageVersion: required(codes(...protocolVersions)),
  threeDSServerTransID: optional(uuid),
  acsTransID: optional(uuid),
  dsTransID: optional(uuid),
  sdkTransID: optional(uuid),
  errorCode: required(codes(...errorCodes)),
  /** C the SDK, S the 3DS server, D the directory server, A the ACS. */
  errorComponent: required(codes('C', 'S', 'D', 'A')),
  errorDescription: required(text(1, 2_048)),
  errorDetail: required(text(1, limits.errorDetailCharsMax)),
  errorMessageType: optional(codes('AReq', 'ARes', 'CReq', 'CRes', 'PReq', 'PRes', 'RReq', 'RRes')),
}
