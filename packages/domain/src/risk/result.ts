import { outcomeOf, type ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import type { RiskVerdict } from './rules.ts'

/** The result code of an approval that a person has to review, because fraud is suspected. */
const REVIEW = '000.400.000'

/** The refusal of a payment that the risk check rejected; no acquirer was involved. */
export const rejectedByRisk: Refused = refused('100.400.319', 'the risk check has rejected the payment')

/** The result of a standalone risk check. */
export const riskCheckCodes: Readonly<Record<RiskVerdict, ResultCode>> = {
  accept: '000.300.100',
  review: REVIEW,
  reject: rejectedByRisk.code,
}

/**
 * The result of a payment that the risk check did not reject.
 *
 * @param code the code of the acquirer; the verdict review replaces the code of an approval
 */
export const resultAfterCheck = (verdict: RiskVerdict, code: ResultCode): ResultCode =>
  verdict === 'review' && outcomeOf(code) === 'success' ? REVIEW : code
