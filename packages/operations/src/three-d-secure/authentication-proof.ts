import { type IssuerSchemeData, parametersOf, type RequestParameters } from '@tollgate/contract'
import type { AccountRequest } from '../parameters/account-request.ts'
import { foundBy } from './authentication-result.ts'
import type { Authenticating } from '../records/session-record.ts'

/** The parameters with the proof of an authentication, and for acquirers the data of the French network's issuer. */
export function provenParameters(parameters: RequestParameters, authenticating: Authenticating): RequestParameters {
  const proved = parametersOf(proofOf(authenticating), parameters)
  return { ...proved, values: new Map([...proved.values, ...schemeDataOf(authenticating)]) }
}

/** The request with the proof of an authentication. */
export const withProof = (request: AccountRequest, authenticating: Authenticating): AccountRequest => ({
  ...request,
  parameters: provenParameters(request.parameters, authenticating),
})

/** The proof in the form of an external 3DS server: acquirers process both alike. */
const proofOf = (authenticating: Authenticating): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(foundBy(authenticating)).map(([name, value]) => [`threeDSecure.${name}`, value]))

/** "CB-AVALGO, CB-EXEMPTION, CB-SCORE; these go into the authorisation" (domain notes, 3.3). */
function schemeDataOf({ cartesBancaires }: Authenticating): readonly (readonly [IssuerSchemeData, string])[] {
  const { algorithm, exemption, score } = cartesBancaires ?? {}
  const data = [
    ['threeDSecure.schemeData[CB-AVALGO]', algorithm],
    ['threeDSecure.schemeData[CB-EXEMPTION]', exemption],
    ['threeDSecure.schemeData[CB-SCORE]', score],
  ] as const
  return data.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}
