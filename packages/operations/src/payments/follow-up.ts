import type { AccountRow } from '@tollgate/storage'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { UniquenessConstraint } from '../pending-unit.ts'
import type { OnFile } from './card-on-file.ts'

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
