import { app, both, either, is, optional, required, requiredIf, since220 } from '../field.ts'
import type { Condition } from '../field.ts'
import { codes, digits, extensibleCodes, json, list, text, url, uuid } from '../format.ts'
import { header, ids } from './common.ts'

const isFinal = is('challengeCompletionInd', 'Y')
const isContinued = is('challengeCompletionInd', 'N')
/** A browser receives only the final response, so its response always has a `transStatus`. */
const isBrowser: Condition = ({ deviceChannel }) => deviceChannel === '02'
const isHtml = both(isContinued, is('acsUiType', '05'))

/** Challenge response, ACS to browser or SDK. EMV 3-D Secure, tables B.4 and B.5. */
export const cres = {
  ...header,
  threeDSServerTransID: ids.server,
  acsTransID: ids.acs,
  challengeCompletionInd: required(codes('Y', 'N')),
  transStatus: requiredIf(either(isFinal, isBrowser), codes('Y', 'N')),

  sdkTransID: required(uuid, app),
  acsCounterAtoS: required(digits(3, 3), app),
  acsUiType: requiredIf(isContinued, extensibleCodes('01', '02', '03', '04', '05'), app),
  acsHTML: requiredIf(isHtml, text(1, 100_000), app),
  acsHTMLRefresh: optional(text(1, 100_000), app),
  challengeAddInfo: optional(text(1, 256), app),
  challengeInfoHeader: optional(text(1, 45), app),
  challengeInfoLabel: optional(text(1, 45), app),
  challengeInfoText: optional(text(1, 350), app),
  challengeInfoTextIndicator: optional(codes('Y', 'N'), app),
  challengeSelectInfo: optional(list(json(4_096), 99), app),
  expandInfoLabel: optional(text(1, 45), app),
  expandInfoText: optional(text(1, 256), app),
  issuerImage: optional(json(8_192), app),
  oobAppURL: optional(url(256), app),
  oobAppLabel: optional(text(1, 45), app),
  oobContinueLabel: optional(text(1, 45), app),
  psImage: optional(json(8_192), app),
  resendInformationLabel: optional(text(1, 45), app),
  submitAuthenticationLabel: optional(text(1, 45), app),
  whitelistingInfoText: optional(text(1, 64), { ...app, ...since220 }),
  whyInfoLabel: optional(text(1, 45), app),
  whyInfoText: optional(text(1, 256), app),
}
