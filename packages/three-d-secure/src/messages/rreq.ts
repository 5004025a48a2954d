import type { Condition } from '../field.ts'
import { app, is, optional, payment, required, requiredIf, shopper, since220 } from '../field.ts'
import { codes, digits, extensibleCodes, uuid } from '../format.ts'
import { acsRenderingType, authenticationType, header, ids, outcome } from './common.ts'

/** Decoupled authentication (04) has no interactions. */
const interactive: Condition = ({ fields }) => fields['authenticationType'] !== '04'

/**
 * Results request, ACS to directory server to 3DS server, when a challenge or decoupled authentication has ended: only
 * this message proves the result. EMV 3-D Secure, table B.8.
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
  /** Number of the cardholder's attempts. */
  interactionCounter: requiredIf(interactive, digits(2, 2), shopper),
  /**
   * Reason for an early end: 01 cancelled by the cardholder, 03 timeout of decoupled authentication, 04 timeout at the
   * ACS, 05 no challenge request, 06 an error, 07 unknown, 08 timeout at the SDK.
   */
  challengeCancel: optional(extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08')),
}
