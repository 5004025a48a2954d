import { firstFailure, type Refused, refused, type Unknown, unknown } from '../guard.ts'
import type { PaymentLimits } from '../limits.ts'
import type { Command, Decision, Move } from './command.ts'
import { pairGuards, referenceGuards } from './guards.ts'
import { methodGroupOf, methodOperationOf, methodRefusal, type MethodUse } from './method-operations.ts'
import { moves } from './moves.ts'
import type { PaymentType, Transaction, Tree } from './transaction.ts'

/**
 * Decides whether a move is legal, and for how much. It is called before a request to an acquirer, and again, with
 * the newer tree, after a version conflict.
 *
 * @param tree the payment that contains the transaction `referencedId`; undefined if it does not exist or the caller
 * may not see it
 * @param referencedId undefined if the command refers to no transaction
 * @returns go; refused (HTTP 400); unknown (HTTP 404)
 */
export function decide(
  tree: Tree | undefined,
  referencedId: string | undefined,
  command: Command,
  limits: PaymentLimits,
): Decision {
  const move = moves[command.type]
  if (referencedId === undefined) {
    const refusal = unsupportedRefusal(command.type, command)
    return refusal ?? move.begin?.(command) ?? refused('200.300.404', 'the id of the referenced payment is missing')
  }
  const referenced = tree?.transactions.find(({ id }) => id === referencedId)
  if (!tree || !referenced) return unknownReference(command.type)
  const reference = { tree, referenced, command, limits }
  const follow = move.after[referenced.type]
  return (
    firstFailure(referenceGuards, reference) ??
    missingRight(move, command) ??
    (follow
      ? (unsupportedRefusal(command.type, methodUseOf(referenced), referenced.type) ??
        firstFailure(pairGuards, reference) ??
        follow(reference))
      : wrongTypeRefusal(command.type, referenced.type))
  )
}

/** The refusal of an operation that the payment method does not support; undefined if it does. */
function unsupportedRefusal(type: PaymentType, use: MethodUse, referenced?: PaymentType): Refused | undefined {
  const operation = methodOperationOf(type, referenced)
  return operation && methodRefusal(methodGroupOf(use), operation)
}

const methodUseOf = ({ brand, facts: { redirected } }: Transaction): MethodUse => ({ brand, redirected })

/** The transaction does not exist or belongs to another merchant: the answer must not distinguish the two. */
export const unknownReference = (type: PaymentType): Unknown =>
  unknown(moves[type].unknown, 'there is no such transaction')

/**
 * The transaction exists, but is of a type that this move cannot refer to.
 *
 * @param referenced type of the referenced transaction; undefined for a registration
 */
export const wrongTypeRefusal = (type: PaymentType, referenced?: PaymentType): Refused =>
  (referenced && moves[type].wrongTypeRefusals?.[referenced]) ??
  refused(moves[type].wrongType, 'the referenced transaction is of another type than this operation requires')

function missingRight({ requiredRight }: Move, { rights = [] }: Command): Refused | undefined {
  if (!requiredRight || requiredRight.rights.some((right) => rights.includes(right))) return undefined
  const names = requiredRight.rights.join(' or ')
  return refused(requiredRight.code, `the operation needs an access token with the right ${names}`)
}
