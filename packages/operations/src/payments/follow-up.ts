import type { Go } from '@tollgate/domain'
import type { AccountRow, StoredTree } from '@tollgate/storage'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { FollowUpRequest } from '../parameters/follow-up-request.ts'
import type { UniquenessConstraint } from '../pending-unit.ts'
import type { OnFile } from './card-on-file.ts'

/** A decided move that refers to a payment: it may be made. */
export interface FollowUp {
  readonly request: FollowUpRequest
  readonly id: string
  readonly go: Go
  readonly channel: Channel
  readonly descriptor: string
  readonly stored: StoredTree
  /** The account of the original. */
  readonly account: AccountRow | undefined
}

/**
 * Outcome of a move that refers to a payment; of one that charges an account also its record, its agreement and its
 * uniqueness constraint.
 */
export interface FollowUpOutcome {
  readonly response: AcquirerResponse
  readonly account?: AccountRow
  readonly agreed?: OnFile
  readonly unique?: UniquenessConstraint | undefined
}
