import { optional, required, since220 } from '../field.ts'
import { codes, digits, extensibleCodes, list, object, pattern, text, url } from '../format.ts'
import { limits } from '../limits.ts'
import { header, ids } from './common.ts'

/** A version, also an unsupported version such as 2.3.1. */
const protocolVersion = pattern(/^[0-9]\.[0-9]{1,2}\.[0-9]{1,2}$/)

/** A range of card numbers and the capabilities of its issuer's ACS. */
const cardRange = object({
  startRange: required(digits(13, 19)),
  endRange: required(digits(13, 19)),
  /** A added (default), M modified, D deleted. */
  actionInd: optional(codes('A', 'M', 'D')),
  acsStartProtocolVersion: required(protocolVersion),
  acsEndProtocolVersion: required(protocolVersion),
  dsStartProtocolVersion: optional(protocolVersion),
  dsEndProtocolVersion: optional(protocolVersion),
  threeDSMethodURL: optional(url(256)),
  /** 01 authentication, 02 attempts, 03 decoupled authentication, 04 lists of trusted merchants. */
  acsInfoInd: optional(list(extensibleCodes('01', '02', '03', '04'), 99), since220),
})

/** Preparation response, directory server to 3DS server. EMV 3-D Secure, table B.7. */
export const pres = {
  ...header,
  threeDSServerTransID: ids.server,
  dsTransID: ids.ds,
  dsStartProtocolVersion: required(protocolVersion),
  dsEndProtocolVersion: required(protocolVersion),
  serialNum: optional(text(1, 20)),
  cardRangeData: optional(list(cardRange, limits.cardRangesMax)),
}
