import type { Storage, Unit } from '@tollgate/storage'
import type { TombstoneLog } from './tombstone-log.ts'

/**
 * A storage with a tombstone log: each erasure is logged before its commit, so that the next start completes it if the
 * process ends in between. An erasure that was certainly not committed is logged as `kept`.
 */
export function withTombstones(storage: Storage, log: TombstoneLog): Storage {
  async function erase(unit: Unit, accounts: readonly string[]) {
    await log.append('erased', accounts)
    const result = await storage.commit(unit).catch(async (error: unknown) => {
      // If the outcome of the commit is unknown, the next start erases the account.
      const isUnknown = error instanceof Error && 'kind' in error && error.kind === 'unknown'
      if (!isUnknown) await log.append('kept', accounts)
      throw error
    })
    if (result.kind !== 'committed') await log.append('kept', accounts)
    return result
  }

  return {
    ...storage,
    // This method is not async, because most commits erase nothing and must not wait for another promise.
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
