import { outcomeOf, type ResultCode, type ResultOutcome } from '@tollgate/contract'
import type { Refused, Unknown } from './guard.ts'
import type { TransactionStatus } from './payment/transaction.ts'

/** The transaction status and the HTTP status of each outcome. A review is an approval that a person examines. */
const statusesByOutcome: Readonly<Record<ResultOutcome, { status: TransactionStatus; httpStatus: 200 | 400 }>> = {
  success: { status: 'ACK', httpStatus: 200 },
  review: { status: 'ACK', httpStatus: 200 },
  pending: { status: 'PENDING', httpStatus: 200 },
  chargeback: { status: 'ACK', httpStatus: 200 },
  rejected: { status: 'NOK', httpStatus: 400 },
}

/** The status of a transaction with this result. */
export const statusOf = (code: ResultCode): TransactionStatus => statusesByOutcome[outcomeOf(code)].status

/** "400 | Bad request: invalid parameters or values, and also a failed payment" (contract, Errors). */
export const httpStatusOf = (code: ResultCode): 200 | 400 => statusesByOutcome[outcomeOf(code)].httpStatus

/** The HTTP status of the answer to a refused request, by the kind of refusal. */
export const refusalHttpStatus: Readonly<Record<(Refused | Unknown)['kind'], 400 | 404>> = {
  refused: 400,
  unknown: 404,
}
