import { findThreeDSecureCard, findThreeDSecureFaultCard } from '@tollgate/connectors'
import { type BrandCode, detectBrand, type Secret } from '@tollgate/contract'
import { type fault, type MessageOf, readSimulatorOptions, writeMessage } from '@tollgate/three-d-secure'
import { newSession } from '../acs/new-session.ts'
import { contextOf } from '../acs/sessions.ts'
import { drawUuid, type ThreeDSecureEnvironment } from '../environment.ts'
import { simulatorCavvKey } from '../cavv.ts'
import { answerFor } from './answer.ts'
import { decide } from './decide.ts'
import { applyFault, erro, wrongKey } from './faults.ts'

/**
 * Answers an authentication request, as directory server and as ACS.
 *
 * @returns an ARes or an Erro, altered by the fault of a fault card; for the fault `silence`, a promise that never
 *   resolves
 */
export async function authenticate(environment: ThreeDSecureEnvironment, areq: MessageOf<'AReq'>): Promise<Uint8Array> {
  const number = areq.acctNumber
  const faultCard = findThreeDSecureFaultCard(number)
  const card = findThreeDSecureCard(number) ?? faultCard
  const decision = decide(card, readSimulatorOptions(areq.messageExtension), areq)
  const dsTransID = drawUuid(environment)
  const refuse = (...faultParameters: Parameters<typeof fault>): Uint8Array => {
    number.wipe()
    return erro({ areq, dsTransID }, ...faultParameters)
  }
  // "Cardholder account number is not in a range belonging to an issuer that takes part"
  if (decision.kind === 'notEnrolled') return refuse('305', 'acctNumber')
  if (faultCard?.fault === 'oldVersion' && areq.messageVersion !== '2.1.0') return refuse('102', 'messageVersion')

  const session = newSession(environment, areq, {
    dsTransID,
    brand: card?.brand ?? brandOf(number),
    fault: faultCard?.fault,
    state: statesByDecision[decision.kind],
  })
  const key = faultCard?.fault === 'wrongProof' ? wrongKey : simulatorCavvKey
  const ares = writeMessage('ARes', answerFor(environment, session, decision, key), contextOf(session))
  if (decision.kind === 'answer') number.wipe()
  else environment.sessions.add(session)
  return faultCard ? applyFault(faultCard.fault, ares, session) : ares
}

const statesByDecision = { answer: 'ended', challenge: 'waiting', decoupled: 'decoupled' } as const

/** The brand of an unlisted number, by default VISA. The brand determines the ECI. */
const brandOf = (number: Secret): BrandCode =>
  number.use((digits) => detectBrand(Buffer.from(digits.subarray(0, 8)).toString('latin1'), digits.length)) ?? 'VISA'
