import type { ConnectorRow } from '@tollgate/storage'
import type { Rules } from '../target.ts'
import { ConnectorSettingsError, type PreparedConnector } from './connector-kind.ts'
import { connectorKinds } from './kinds.ts'

/**
 * Checks that no other connector has the same value of a member that an acquirer must see from one account alone, such
 * as a terminal id at an address: two accounts with one terminal id would draw equal trace numbers.
 *
 * @param others the stored connectors, without the checked one; deleted ones count no more
 * @throws ConnectorSettingsError with the path of the member
 */
export function checkExclusiveMembers(
  { exclusive }: PreparedConnector,
  others: readonly ConnectorRow[],
  rules: Rules,
): void {
  if (exclusive.length === 0) return
  for (const row of others) {
    if (row.deleted_at_ms !== null) continue
    const taken = new Set(exclusiveOf(row, rules).map(({ value }) => value))
    const shared = exclusive.find(({ value }) => taken.has(value))
    if (shared) throw new ConnectorSettingsError(`${shared.member} is also one of connector ${row.id} at this address`)
  }
}

/** The exclusive members of a stored connector; none if the rules permit its settings no more, as it does not run. */
function exclusiveOf({ kind, settings }: ConnectorRow, rules: Rules): PreparedConnector['exclusive'] {
  try {
    return connectorKinds.get(kind)?.prepare(JSON.parse(settings), rules).exclusive ?? []
  } catch (error) {
    if (error instanceof ConnectorSettingsError) return []
    throw error
  }
}
