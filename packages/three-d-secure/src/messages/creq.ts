import { app, browser, optional, required, since220 } from '../field.ts'
import { codes, digits, extensibleCodes, text, url, uuid } from '../format.ts'
import { header, ids } from './common.ts'

/** Challenge request, browser or SDK to ACS. EMV 3-D Secure, table B.3. */
export const creq = {
  ...header,
  threeDSServerTransID: ids.server,
  acsTransID: ids.acs,
  challengeWindowSize: required(codes('01', '02', '03', '04', '05'), browser),

  sdkTransID: required(uuid, app),
  sdkCounterStoA: required(digits(3, 3), app),
  challengeCancel: optional(extensibleCodes('01', '04', '05', '06', '07', '08'), app),
  challengeDataEntry: optional(text(1, 45), app),
  challengeHTMLDataEntry: optional(text(1, 256), app),
  challengeNoEntry: optional(codes('Y'), { ...app, ...since220 }),
  oobContinue: optional(codes('true'), app),
  resendChallenge: optional(codes('Y', 'N'), app),
  threeDSRequestorAppURL: optional(url(256), { ...app, ...since220 }),
  whitelistingDataEntry: optional(codes('Y', 'N'), { ...app, ...since220 }),
}
