import type { RequestParameters } from '@tollgate/contract'

/** The parameters that the row of a plan has columns for. */
const ofRow: ReadonlySet<string> = new Set(['entityId', 'registrationId'])

/** The parameters that a plan stores, by canonical names; the checks of the contract refuse secrets. */
export const readPlanParameters = ({ values }: RequestParameters): Readonly<Record<string, string>> =>
  Object.fromEntries([...values].filter(([name]) => !ofRow.has(name)))

/** The merchant's name for a stored plan. */
export const planNameIn = (stored: Readonly<Record<string, string>>): string | undefined => stored['job.name']
