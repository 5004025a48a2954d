import { outcomeOf, type ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import type { RiskVerdict } from './rules.ts'

/** Approved, but fraud is suspected. */
const REVIEW = '000.400.000'

/** A payment that the check has rejected, before any acquirer was asked. */
export const rejectedByRisk: Refused = refused('100.400.319', 'the risk check has rejected it')

/** The result of a check that stands alone. */
export const riskCheckCodes: Readonly<Record<RiskVerdict, ResultCode>> = {
  accept: '000.300.100',
  review: REVIEW,
  reject: rejectedByRisk.code,
}

/**
 * The result of a payment that the check let through.
 *
 * @param code what the acquirer answered: an approval is to be reviewed where the check says so, all else stays
 */
export const resultAfterCheck = (verdict: RiskVerdict, code: ResultCode): ResultCode =>
  verdict === 'review' && outcomeOf(code) === 'success' ? REVIEW : code
