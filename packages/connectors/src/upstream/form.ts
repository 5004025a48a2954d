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
  const { parameters, secrets, redirected } = source.request
  const isNamed = nameParameters.every((name) => isAccepted(name, parameters.get(name)))
  const isComplete = (name: string): boolean =>
    isNamed || !name.startsWith('customer.') || (redirected === true && name === 'customer.email')
  for (const [name, value] of parameters) if (isAccepted(name, value) && isComplete(name)) pairs.push([name, value])
  for (const [name, value] of secrets) if (forwardedRow(name)) pairs.push([name, value])
  return pairs
}

/**
 * "givenName and surname are required whenever any other customer field is sent": legacy channels accept a customer
 * without them, and the upstream would refuse the payment. A provider with pages of its own needs only the address.
 */
const nameParameters = ['customer.givenName', 'customer.surname'] as const

/**
 * Whether a parameter is forwarded with a value. The formats are those of strict channels: the upstream would refuse a
 * payment with a value that only a legacy channel accepts, such as a phone number with letters.
 */
const isAccepted = (name: ParameterName, value: string | undefined): boolean =>
  value !== undefined && forwardedRow(name)?.format.accepts(value) === true

/** The row of a parameter that is forwarded. */
function forwardedRow(name: ParameterName): Row | undefined {
  const row = findParameter('payment', name)?.row
  return row !== undefined && upstreamParameters.get(row.name)?.kind === 'forwarded' ? row : undefined
}
