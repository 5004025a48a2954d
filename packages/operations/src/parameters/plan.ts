import type { RequestParameters } from '@tollgate/contract'

/** The parameters that the row of a plan has columns for. */
const ofRow: ReadonlySet<string> = new Set(['entityId', 'registrationId'])

/** The parameters that a plan stores, by canonical names; `checkForm` has seen to it that no secret is among them. */
export const readPlanParameters = ({ values }: RequestParameters): Readonly<Record<string, string>> =>
  Object.fromEntries([...values].filter(([name]) => !ofRow.has(name)))
