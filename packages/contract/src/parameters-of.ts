import type { RequestParameters } from './form.ts'
import { InvariantError } from './invariant-error.ts'
import { type Known, knownName } from './names.ts'

/**
 * Stored parameters as a request, completed by the parameters of the current request; stored ones take precedence.
 *
 * @param stored canonical names of the surface `payment` with their values; no secret is among them
 * @param sent its owner wipes it
 */
export function parametersOf(
  stored: Readonly<Record<string, string>>,
  sent: RequestParameters = NOTHING,
): RequestParameters {
  const values = new Map(sent.values)
  const known: Known[] = []
  for (const [name, value] of Object.entries(stored)) {
    const one = knownName('payment', name)
    if (!one) throw new InvariantError('a stored parameter is unknown')
    known.push(one)
    values.set(one.name, value)
  }
  for (const one of sent.sent) if (!Object.hasOwn(stored, one.name)) known.push(one)
  return { sent: known, values, secrets: sent.secrets }
}

const NOTHING: RequestParameters = { sent: [], values: new Map(), secrets: new Map() }
