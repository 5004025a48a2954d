import type { RequestParameters } from '@tollgate/contract'

/** The parameters with columns of their own in the row of a plan. */
const withColumn: ReadonlySet<string> = new Set(['entityId', 'registrationId'])

/**
 * The stored parameters of a plan, by canonical name. The rules of the contract refuse a plan with secrets.
 */
export const readPlanParameters = ({ values }: RequestParameters): Readonly<Record<string, string>> =>
  Object.fromEntries([...values].filter(([name]) => !withColumn.has(name)))

/** The merchant's name for a stored plan. */
export const planNameIn = (stored: Readonly<Record<string, string>>): string | undefined => stored['job.name']
