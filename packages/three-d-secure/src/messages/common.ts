import { both, is, optional, payment, required, requiredIf, since220 } from '../field.ts'
import { codes, digits, extensibleCodes, flag, json, list, object, pattern, text, uuid } from '../format.ts'
import { protocolVersions } from '../versions.ts'

/** An extension by a network or a market. A message with an unknown critical extension is refused. */
const messageExtension = object({
  name: required(text(1, 64)),
  id: required(text(1, 64)),
  criticalityIndicator: required(flag),
  data: required(json(8_059)),
})

/** Fields of every message except error messages, which have no extensions. No table contains `messageType`. */
export const header = {
  messageVersion: required(codes(...protocolVersions)),
  messageExtension: optional(list(messageExtension, 10)),
}

/** Ids of a transaction that the 3DS server, the ACS and the directory server assign. */
export const ids = {
  server: required(uuid),
  acs: required(uuid),
  ds: required(uuid),
}

/** ITU-E.164, in two parts. */
export const phone = object({ cc: required(digits(1, 3)), subscriber: required(digits(1, 15)) })

/** Interface of a challenge in an app. */
export const acsRenderingType = object({
  acsInterface: required(codes('01', '02')),
  acsUiTemplate: required(codes('01', '02', '03', '04', '05')),
})

/** Method of authentication: static, dynamic, out of band, decoupled. */
export const authenticationType = extensibleCodes('01', '02', '03', '04')

const proven = both(payment, is('transStatus', 'Y', 'A'))
const unproven = both(payment, is('transStatus', 'N', 'U', 'R'))

/** The outcome, in authentication responses and results requests. */
export const outcome = {
  /** CAVV or AAV. Networks use 20 bytes; the format allows more. */
  authenticationValue: requiredIf(proven, text(1, 4_000)),
  /**
   * The specification leaves the condition to the directory server ("DS specific"). Required with a proof, because
   * every network in `codes/eci.ts` has an indicator for a proof. The format allows letters for the indicators N0 and
   * N2 of Mastercard.
   */
  eci: requiredIf(proven, pattern(/^[0-9A-Z]{2}$/)),
  transStatusReason: requiredIf(unproven, digits(2, 2)),
  whiteListStatus: optional(codes('Y', 'N', 'E', 'P', 'R', 'U'), since220),
  whiteListStatusSource: optional(extensibleCodes('01', '02', '03'), since220),
}
