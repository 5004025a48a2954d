import type { RequestParameters } from '@tollgate/contract'
import { storedReader, texts } from './stored-json.ts'

/** Parameters that concern the request, and not the payment. */
const unstoredParameters: ReadonlySet<string> = new Set(['entityId', 'integrity'])

/** The parameters of a request as they are stored. */
export const storedParameters = (
  { values }: RequestParameters,
  before: Readonly<Record<string, string>> = {},
): string =>
  JSON.stringify({ ...before, ...Object.fromEntries([...values].filter(([name]) => !unstoredParameters.has(name))) })

/** Stored parameters, by name. */
export const readTexts: (text: string) => Readonly<Record<string, string>> = storedReader(texts)
