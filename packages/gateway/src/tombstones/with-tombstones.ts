import type { Storage, Unit } from '@tollgate/storage'
import type { TombstoneLog } from './tombstone-log.ts'

/**
 * The storage, that notes what it erases before it does: whatever becomes of the process then, the number is erased,
 * now or when the data are next used. Where nothing was erased after all, that is noted, too.
 */
export function withTombstones(storage: Storage, log: TombstoneLog): Storage {
  async function erase(unit: Unit, accounts: readonly string[]) {
    await log.note('erased', accounts)
    const result = await storage.commit(unit).catch(async (error: unknown) => {
      // Where nobody knows whether it was written, it is erased when the data are next used.
      const isUnknown = error instanceof Error && 'kind' in error && error.kind === 'unknown'
      if (!isUnknown) await log.note('kept', accounts)
      throw error
    })
    if (result.kind !== 'committed') await log.note('kept', accounts)
    return result
  }

  return {
    ...storage,
    // Not async: where nothing is erased, which is most often, it must cost nothing.
    commit(unit) {
      if (!unit.erases) return storage.commit(unit)
      const accounts = erasedBy(unit)
      return accounts.length === 0 ? storage.commit(unit) : erase(unit, accounts)
    },
    async close() {
      await storage.close()
      await log.close()
    },
  }
}

const erasedBy = ({ compareAndSets = [] }: Unit): readonly string[] =>
  compareAndSets.flatMap(({ table, to }) => (table === 'account' && to.sealed === null ? [to.id] : []))
