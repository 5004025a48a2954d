import type { Condition } from '../field.ts'
import { app, is, optional, payment, required, requiredIf, shopper, since220 } from '../field.ts'
import { codes, digits, extensibleCodes, uuid } from '../format.ts'
import { acsRenderingType, authenticationType, header, ids, outcome } from './common.ts'

/** There are no interactions where the ACS reached the cardholder by itself (04, decoupled). */
const interactive: Condition = ({ fields }) => fields['authenticationType'] !== '04'

/**
 * Results request, ACS to directory server to 3DS server, once a challenge has ended: the authority on how it ended.
 * EMV 3-D Secure, table B.8.
 */
export const rreq = {
  ...header,
  messageCategory: required(extensibleCodes('01', '02')),
  threeDSServerTransID: ids.server,
  acsTransID: ids.acs,
  dsTransID: ids.ds,
  sdkTransID: required(uuid, { ...app, ...since220 }),

  transStatus: requiredIf(payment, codes('Y', 'N', 'U', 'A', 'R')),
  ...outcome,
  authenticationType: requiredIf(is('transStatus', 'Y', 'N'), authenticationType),
  authenticationMethod: optional(extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08', '09', '10')),
  acsRenderingType: requiredIf(interactive, acsRenderingType, app),
  /** How often the cardholder tried. */
  interactionCounter: requiredIf(interactive, digits(2, 2), shopper),
  /**
   * Why a challenge ended early: 01 the cardholder, 03 the time of decoupled authentication, 04 that of the ACS, 05 no
   * challenge request came, 06 an error, 07 unknown, 08 the time of the SDK.
   */
  challengeCancel: optional(extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08')),
}
