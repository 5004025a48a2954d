import type { CompareAndSet, SettlementMatchingRow, Storage, Unit } from '@tollgate/storage'

const ID = 'all'

/**
 * The version of all matches. Processes and operators match rows at the same time, and each reads first which rows a
 * transaction has. It reads the version before, and its unit changes it: of two units that were decided on one version,
 * the second one conflicts.
 */
export const matchingVersion = async ({
  storage,
}: {
  readonly storage: Pick<Storage, 'settlementMatching'>
}): Promise<SettlementMatchingRow> => (await storage.settlementMatching(ID)) ?? { id: ID, changes: 0 }

/** A change of the version, as parts of the unit that stores the matches. */
export interface VersionChange {
  readonly to: SettlementMatchingRow
  readonly compareAndSets: readonly CompareAndSet[]
  readonly rows: Pick<Unit['rows'], 'settlement_matching'>
}

/** The change to the next version. The first one adds the row, which fails if another process has added it. */
export function nextVersion(from: SettlementMatchingRow): VersionChange {
  const to = { ...from, changes: from.changes + 1 }
  if (from.changes === 0) return { to, compareAndSets: [], rows: { settlement_matching: [to] } }
  return { to, compareAndSets: [{ table: 'settlement_matching', from, to }], rows: {} }
}
