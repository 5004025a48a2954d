import type { RequestParameters } from '@tollgate/contract'
import { storedReader, texts } from './stored-json.ts'

/** Parameters that concern the request, and not the payment. */
const unstoredParameters: ReadonlySet<string> = new Set(['entityId', 'integrity'])

/**
 * The parameters of a request as they are stored.
 *
 * @param earlier stored parameters, which those of the request complement or replace
 */
export const storedParameters = (
  { values }: RequestParameters,
  earlier: Readonly<Record<string, string>> = {},
): string =>
  JSON.stringify({ ...earlier, ...Object.fromEntries([...values].filter(([name]) => !unstoredParameters.has(name))) })

/** Reads the parameters of a request, by name, from their stored form. */
export const readStoredParameters: (text: string) => Readonly<Record<string, string>> = storedReader(texts)
