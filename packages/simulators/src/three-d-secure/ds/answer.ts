import {
  cartesBancairesResponse,
  type MessageExtension,
  type MessageOf,
  readCartesBancairesItem,
} from '@tollgate/three-d-secure'
import type { Session } from '../acs/sessions.ts'
import { textsFor } from '../pages/texts.ts'
import { acsOperatorID, acsReferenceNumber, dsReferenceNumber } from '../reference-numbers.ts'
import type { ThreeDSecureEnvironment } from '../environment.ts'
import { authenticationValueOf } from './authentication-value.ts'
import type { Decision } from './decide.ts'
import { simulatedEciOf } from './eci.ts'

/** The authentication response to a decision. */
export function answerFor(
  environment: ThreeDSecureEnvironment,
  session: Session,
  decision: Exclude<Decision, { readonly kind: 'notEnrolled' }>,
  key: Uint8Array,
): MessageOf<'ARes'> {
  const { areq, acsTransID, dsTransID } = session
  const common = {
    messageVersion: areq.messageVersion,
    messageExtension: extensionsOf(session),
    threeDSServerTransID: areq.threeDSServerTransID,
    acsTransID,
    dsTransID,
    sdkTransID: areq.sdkTransID,
    acsReferenceNumber,
    acsOperatorID,
    dsReferenceNumber,
  }
  switch (decision.kind) {
    case 'answer':
      return {
        ...common,
        transStatus: decision.status,
        transStatusReason: decision.reason,
        eci: simulatedEciOf(session.brand, decision.status),
        authenticationValue: authenticationValueOf(session, decision.status, key),
      }
    case 'challenge':
      return {
        ...common,
        transStatus: 'C',
        acsChallengeMandated: areq.threeDSRequestorChallengeInd === '04' ? 'Y' : 'N',
        authenticationType: '02',
        ...(areq.deviceChannel === '01'
          ? {
              acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' },
              acsSignedContent: unsignedContent(environment, session),
            }
          : { acsURL: `${environment.url}/acs/challenge` }),
      }
    case 'decoupled':
      return {
        ...common,
        transStatus: 'D',
        acsChallengeMandated: 'Y',
        acsDecConInd: 'Y',
        authenticationType: '04',
        cardholderInfo: textsFor(areq.browserLanguage).decoupled,
      }
  }
}

/** The ACS of Cartes Bancaires adds its extension for its own cards, and in answers to requests with the extension. */
function extensionsOf({ areq, brand }: Session): readonly MessageExtension[] | undefined {
  const isRequested = readCartesBancairesItem(areq.messageExtension, 'CB-USECASE') !== undefined
  return brand === 'CARTEBANCAIRE' || isRequested
    ? cartesBancairesResponse({ algorithm: '4', exemption: 'AAAA', score: '10' })
    : undefined
}

/**
 * The address of the ACS for the SDK, as an unsecured JWS (RFC 7515, `alg` none): the simulator has no certificate of a
 * directory server, and exchanges unencrypted JSON with apps. A real SDK refuses it; the SDK in a test may accept it.
 */
function unsignedContent({ url }: ThreeDSecureEnvironment, { areq }: Session): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ acsURL: `${url}/acs/app`, sdkEphemPubKey: areq.sdkEphemPubKey })}.`
}
