import type { TransactionRow } from '@tollgate/storage'
import { outcomeWith } from '../records/outcome.ts'
import { type AcquirerResponse, statusOfResponse } from './acquirer-response.ts'

/** The row of a transaction whose request had no result, with its later result. */
export function withOutcome(row: TransactionRow, response: AcquirerResponse): TransactionRow {
  const status = statusOfResponse(response, response.code)
  return {
    ...row,
    status,
    amount_minor: status === 'ACK' ? response.amountMinor : row.amount_minor,
    result_code: response.code,
    outcome: outcomeWith(row.outcome, response),
  }
}
