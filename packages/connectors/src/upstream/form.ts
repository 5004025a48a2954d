import { findParameter, type ParameterName, type Row } from '@tollgate/contract'
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
  for (const [name, value] of parameters) if (forwardedRow(name)?.format.accepts(value)) pairs.push([name, value])
  for (const [name, value] of secrets) if (forwardedRow(name)) pairs.push([name, value])
  return pairs
}

/**
 * The row of a parameter that is forwarded. Its format is that of strict channels: the upstream would refuse a payment
 * with a value that only a legacy channel accepts, such as a phone number with letters.
 */
function forwardedRow(name: ParameterName): Row | undefined {
  const row = findParameter('payment', name)?.row
  return row !== undefined && upstreamParameters.get(row.name)?.kind === 'forwarded' ? row : undefined
}
