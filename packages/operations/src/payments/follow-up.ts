import type { Go } from '@tollgate/domain'
import type { AccountRow, StoredTree, TransactionRow } from '@tollgate/storage'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { FollowUpRequest } from '../parameters/follow-up-request.ts'
import type { DisputeDetails } from '../records/dispute-record.ts'
import type { UniquenessConstraint } from '../pending-unit.ts'
import type { AcceptedInstruction } from './card-on-file.ts'

/** A permitted move that refers to a payment. */
export interface FollowUp {
  readonly request: FollowUpRequest
  /** The id of the new transaction; `request.id` is the id in the path of the request. */
  readonly id: string
  readonly go: Go
  readonly channel: Channel
  readonly descriptor: string
  readonly stored: StoredTree
  /** The transaction that the request refers to. */
  readonly original: TransactionRow
  /** The account of the original transaction. */
  readonly account: AccountRow | undefined
  /** The details of a chargeback or its reversal. */
  readonly dispute: DisputeDetails
}

/**
 * The outcome of a move that refers to a payment. The outcome of a move that charges an account also has the account
 * row, the accepted standing instruction and the uniqueness constraint.
 */
export interface FollowUpOutcome {
  readonly response: AcquirerResponse
  readonly account?: AccountRow
  readonly acceptedInstruction?: AcceptedInstruction
  readonly unique?: UniquenessConstraint | undefined
}
