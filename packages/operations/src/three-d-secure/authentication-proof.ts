import { type IssuerSchemeData, parametersOf, type RequestParameters } from '@tollgate/contract'
import type { AccountRequest } from '../parameters/account-request.ts'
import { resultParameters } from './authentication-result.ts'
import type { AuthenticationState } from '../records/session-record.ts'

/**
 * The parameters with the proof of an authentication and, for acquirers, with the scheme data of a Cartes Bancaires
 * issuer.
 */
export function provenParameters(parameters: RequestParameters, state: AuthenticationState): RequestParameters {
  const parametersWithProof = parametersOf(proofOf(state), parameters)
  return { ...parametersWithProof, values: new Map([...parametersWithProof.values, ...schemeDataOf(state)]) }
}

/** The request with the proof of an authentication. */
export const withProof = (request: AccountRequest, state: AuthenticationState): AccountRequest => ({
  ...request,
  parameters: provenParameters(request.parameters, state),
})

/**
 * The proof, in the parameters in which a merchant sends the proof of an external 3DS server, so that acquirers process
 * it in the same way.
 */
const proofOf = (state: AuthenticationState): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(resultParameters(state)).map(([name, value]) => [`threeDSecure.${name}`, value]))

/** "CB-AVALGO, CB-EXEMPTION, CB-SCORE; these go into the authorisation" (domain notes, 3.3). */
function schemeDataOf({ cartesBancaires }: AuthenticationState): readonly (readonly [IssuerSchemeData, string])[] {
  const { algorithm, exemption, score } = cartesBancaires ?? {}
  const data = [
    ['threeDSecure.schemeData[CB-AVALGO]', algorithm],
    ['threeDSecure.schemeData[CB-EXEMPTION]', exemption],
    ['threeDSecure.schemeData[CB-SCORE]', score],
  ] as const
  return data.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}
