import type { RequestParameters } from './form.ts'
import { InvariantError } from './invariant-error.ts'
import { type KnownParameter, findParameter } from './names.ts'

/**
 * Stored parameters as a request, completed by the parameters of the current request; stored ones take precedence.
 *
 * @param stored canonical names of the surface `payment` with their values; no secret is among them
 * @param sent the parameters of the current request, whose secrets the caller wipes
 */
export function parametersOf(
  stored: Readonly<Record<string, string>>,
  sent: RequestParameters = NO_PARAMETERS,
): RequestParameters {
  const values = new Map(sent.values)
  const parameters: KnownParameter[] = []
  for (const [name, value] of Object.entries(stored)) {
    const parameter = findParameter('payment', name)
    if (!parameter) throw new InvariantError('a stored parameter is unknown')
    parameters.push(parameter)
    values.set(parameter.name, value)
  }
  for (const parameter of sent.sent) if (!Object.hasOwn(stored, parameter.name)) parameters.push(parameter)
  return { sent: parameters, values, secrets: sent.secrets }
}

const NO_PARAMETERS: RequestParameters = { sent: [], values: new Map(), secrets: new Map() }
