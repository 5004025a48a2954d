import { type Echo, echoOf } from '@tollgate/contract'
import type { VelocityRow } from '@tollgate/storage'
import type { Head } from '../request-head.ts'
import type { Outcome } from '../records/outcome.ts'
import type { RiskCheck } from './check-risk.ts'

/**
 * The structures that an answer echoes, with the result of the risk check. Defaults are echoed like sent values:
 * "risk.brand: defaults to paymentBrand. risk.orderTimestamp: defaults to the time the service sets."
 *
 * @param check undefined: no risk check was made
 * @param echo the echoed structures, without the result of the check
 */
export function echoWithRisk(
  { parameters, atMs }: Pick<Head, 'parameters' | 'atMs'>,
  check: RiskCheck | undefined,
  echo: Echo = echoOf(parameters),
): Echo {
  if (!check) return echo
  const { brand } = check
  const defaults = {
    score: String(check.score),
    ...(brand !== undefined && { brand }),
    orderTimestamp: timestamp(atMs),
  }
  return { ...echo, risk: Object.assign(defaults, echo['risk']) }
}

/** `yyyy-MM-dd HH:mm:ss` */
const timestamp = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

/** The details of a result, with the names of the rules that matched and of the parameters that were not checked. */
export function detailsWithRisk(
  details: Outcome['resultDetails'],
  check: RiskCheck | undefined,
): Outcome['resultDetails'] {
  const { hits = [], notChecked = [] } = check ?? {}
  if (hits.length === 0 && notChecked.length === 0) return details
  return {
    ...details,
    ...(hits.length > 0 && { RiskHits: hits.join(', ') }),
    ...(notChecked.length > 0 && { NotChecked: notChecked.join(', ') }),
  }
}

/**
 * The rows that later checks count.
 *
 * @param approvedMinor 0 if the payment was refused or declined
 */
export const entriesOf = (check: RiskCheck, approvedMinor: number): readonly VelocityRow[] =>
  check.entries.map((entry) => ({ ...entry, amount_minor: approvedMinor }))
