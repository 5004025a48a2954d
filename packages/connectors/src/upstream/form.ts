import { findParameter, type ParameterName } from '@tollgate/contract'
import type { FormPair } from './encode-form.ts'
import { upstreamParameters } from './parameters.ts'
import { type FormSource, replacedParameters } from './replaced-parameters.ts'

/** The parameters of a request to an upstream gateway: first those with a value of this gateway. */
export function formOf(source: FormSource): readonly FormPair[] {
  const pairs: FormPair[] = []
  for (const [name, { valueOf }] of replacedParameters) {
    const value = valueOf(source)
    if (value !== undefined) pairs.push([name, value])
  }
  const { parameters, secrets } = source.request
  for (const [name, value] of parameters) if (isForwarded(name)) pairs.push([name, value])
  for (const [name, value] of secrets) if (isForwarded(name)) pairs.push([name, value])
  return pairs
}

function isForwarded(name: ParameterName): boolean {
  const row = findParameter('payment', name)?.row
  return row !== undefined && upstreamParameters.get(row.name)?.kind === 'forwarded'
}
