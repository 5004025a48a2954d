import { app, both, browser, either, is, optional, payment, required, requiredIf, since220 } from '../field.ts'
import { byVersion, codes, json, text, url, uuid } from '../format.ts'
import { acsRenderingType, authenticationType, header, ids, outcome } from './common.ts'

const challenge = is('transStatus', 'C')
const decoupled = is('transStatus', 'D')

/** Authentication response, ACS to directory server to 3DS server. EMV 3-D Secure, table B.2. */
export const ares = {
  ...header,
  threeDSServerTransID: ids.server,
  acsTransID: ids.acs,
  dsTransID: ids.ds,
  sdkTransID: required(uuid, app),
  acsReferenceNumber: required(text(1, 32)),
  acsOperatorID: optional(text(1, 32)),
  dsReferenceNumber: required(text(1, 32)),

  transStatus: requiredIf(
    payment,
    byVersion({
      '2.1.0': codes('Y', 'N', 'U', 'A', 'C', 'R'),
      '2.2.0': codes('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I'),
    }),
  ),
  ...outcome,

  acsChallengeMandated: requiredIf(either(challenge, decoupled), codes('Y', 'N')),
  authenticationType: requiredIf(either(challenge, decoupled), authenticationType),
  acsURL: requiredIf(challenge, url(2_048), browser),
  acsRenderingType: requiredIf(challenge, acsRenderingType, app),
  /** JWS with the ACS's address and key, for the SDK. */
  acsSignedContent: requiredIf(challenge, text(1, 16_000), app),
  acsDecConInd: requiredIf(decoupled, codes('Y', 'N'), since220),
  /** Message to the shopper. In a decoupled authentication it tells them the next step. */
  cardholderInfo: requiredIf(both(decoupled, is('acsDecConInd', 'Y')), text(1, 128)),
  broadInfo: optional(json(4_096)),
}
