import { InvariantError, type RequestParameters } from '@tollgate/contract'
import { isTexts } from './stored-json.ts'

/** Parameters that concern the request, and not the payment. */
const ofRequest: ReadonlySet<string> = new Set(['entityId', 'integrity'])

/** The parameters of a form as they are stored. */
export const storedParameters = (
  { values }: RequestParameters,
  before: Readonly<Record<string, string>> = {},
): string => JSON.stringify({ ...before, ...Object.fromEntries([...values].filter(([name]) => !ofRequest.has(name))) })

/** Stored parameters, by name. */
export function readTexts(text: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(text)
  if (!isTexts(value)) throw new InvariantError('stored parameters have an unknown shape')
  return value
}
