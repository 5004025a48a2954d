import { mayEraseNumber, retentionEndsAtMs } from '@tollgate/domain'
import type { AccountRow, TransactionRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { shreddedAccount } from '../records/account-record.ts'
import { REVERSAL_JOB } from '../records/timers.ts'
import { accountExpiresAtMs } from '../records/registration-record.ts'
import type { BackgroundTask } from '../background-task.ts'

/**
 * Erases the numbers of payments whose retention has ended, and the keys to these numbers. The masked account is kept,
 * and refunds by reference remain possible. A number that an open message to an acquirer needs is kept until the
 * message is answered. The number of a registration is erased when the registration ends.
 */
export function eraseNumbers(dependencies: Dependencies): BackgroundTask {
  const { storage, directory, clock } = dependencies
  let cursor = ''

  /** The root transactions of the accounts' trees, by account id. They are read together and not tree by tree. */
  async function rootsOf(accounts: readonly AccountRow[]): Promise<ReadonlyMap<string, TransactionRow>> {
    if (accounts.length === 0) return new Map()
    const rows = await storage.transactions(accounts.map(({ id }) => id))
    const rootIds = rows.filter(({ id, root_id: root }) => id !== root).map(({ root_id: root }) => root)
    const roots = rootIds.length === 0 ? [] : await storage.transactions(rootIds)
    const byId = new Map([...rows, ...roots].map((row) => [row.id, row]))
    const entries = rows.flatMap(({ id, root_id: rootId }) => {
      const root = byId.get(rootId)
      return root ? [[id, root] as const] : []
    })
    return new Map(entries)
  }

  /** @param needed ids of accounts that open messages need */
  function mayErase(account: AccountRow, root: TransactionRow | undefined, needed: ReadonlySet<string>): boolean {
    if (!root || root.type === 'RG') return false
    const retentionDays = directory.channel(root.channel)?.settings.retentionDays
    const state = { endsAtMs: endsAtMs(account, retentionDays), hasOpenMessage: needed.has(account.id) }
    return mayEraseNumber(state, clock.now())
  }

  /**
   * The accounts that open messages to acquirers need, including those of dead-lettered jobs; undefined if there are
   * too many, as in a long outage of an acquirer. Then no number is erased before the next sweep.
   */
  async function neededAccounts(): Promise<ReadonlySet<string> | undefined> {
    const jobs = await storage.jobsBefore(REVERSAL_JOB, '', AFTER_ALL_IDS, limits.openMessagesRead)
    if (jobs.length === limits.openMessagesRead) return undefined
    const rows = jobs.length === 0 ? [] : await storage.transactions(jobs.map(({ subject_id: id }) => id))
    return new Set(rows.flatMap(({ account_id: id }) => (id === null ? [] : [id])))
  }

  /** A filter for the few accounts whose retention may have ended, before their transactions are read. */
  function retentionFilter(): (account: AccountRow) => boolean {
    const days = directory.entities().flatMap(({ settings }) => settings.retentionDays ?? [])
    const shortest = days.length === 0 ? undefined : Math.min(...days)
    return (account) => Math.min(endsAtMs(account), endsAtMs(account, shortest)) <= clock.now()
  }

  return {
    name: 'retention',
    everyMs: limits.retentionEveryMs,
    pauseMs: limits.retentionPauseMs,
    async step() {
      const page = await storage.accountsAfter(cursor, limits.retentionAccountsPerStep)
      const candidates = page.filter((account) => account.sealed !== null).filter(retentionFilter())
      const roots = await rootsOf(candidates)
      const needed = candidates.length === 0 ? undefined : await neededAccounts()
      const compareAndSets = candidates
        .filter((from) => needed && mayErase(from, roots.get(from.id), needed))
        .map((from) => ({ table: 'account' as const, from, to: shreddedAccount(from) }))
      // If one of the accounts was changed in the meantime, the page is read again.
      if (compareAndSets.length > 0 && !(await commitChange(dependencies, { compareAndSets, erases: true })))
        return 'more'
      cursor = page.at(-1)?.id ?? ''
      return cursor === '' ? 'done' : 'more'
    },
  }
}

type Dependencies = Pick<Context, 'storage' | 'directory' | 'clock' | 'ids'>

/** Ids are hexadecimal digits. */
const AFTER_ALL_IDS = 'g'

const endsAtMs = (account: AccountRow, retentionDays?: number): number =>
  retentionEndsAtMs({ accountExpiresAtMs: accountExpiresAtMs(account), usedAtMs: account.created_at_ms }, retentionDays)
