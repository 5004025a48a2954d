import { mayEraseNumber, retentionEndsAtMs } from '@tollgate/domain'
import type { AccountRow, TransactionRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { shreddedAccount } from '../records/account-record.ts'
import { accountExpiresAtMs } from '../records/registration-record.ts'
import type { BackgroundTask } from '../background-task.ts'
import { createOpenMessages } from './open-messages.ts'

/**
 * Erases the numbers of payments whose retention has ended, and the keys to these numbers. The masked account is kept,
 * and refunds by reference remain possible. A number that an open message to an acquirer needs is kept until the
 * message is answered. The number of a registration is erased when the registration ends.
 */
export function eraseNumbers(dependencies: Dependencies): BackgroundTask {
  const { storage, directory, clock } = dependencies
  const openMessages = createOpenMessages(dependencies)
  let cursor = ''
  let isSweeping = false

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

  function mayErase(account: AccountRow, root: TransactionRow | undefined): boolean {
    if (!root || root.type === 'RG') return false
    const retentionDays = directory.channel(root.channel)?.settings.retentionDays
    const state = { endsAtMs: endsAtMs(account, retentionDays), hasOpenMessage: openMessages.needs(account.id) }
    return mayEraseNumber(state, clock.now())
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
      if (!isSweeping) openMessages.begin()
      isSweeping = true
      const page = await storage.accountsAfter(cursor, limits.retentionAccountsPerStep)
      const candidates = page.filter((account) => account.sealed !== null).filter(retentionFilter())
      // The messages are read for the first accounts that may be erased, and those that were added before each further
      // erasure. While a page of them is missing, the step is repeated.
      const read = candidates.length === 0 ? 'known' : await openMessages.read()
      if (read === 'more') return 'more'
      const roots = await rootsOf(read === 'known' ? candidates : [])
      const compareAndSets = candidates
        .filter((from) => mayErase(from, roots.get(from.id)))
        .map((from) => ({ table: 'account' as const, from, to: shreddedAccount(from) }))
      // If one of the accounts was changed in the meantime, the page is read again.
      if (compareAndSets.length > 0 && !(await commitChange(dependencies, { compareAndSets, erases: true })))
        return 'more'
      cursor = page.at(-1)?.id ?? ''
      isSweeping = cursor !== ''
      return isSweeping ? 'more' : 'done'
    },
  }
}

type Dependencies = Pick<Context, 'storage' | 'directory' | 'clock' | 'ids'>

const endsAtMs = (account: AccountRow, retentionDays?: number): number =>
  retentionEndsAtMs({ accountExpiresAtMs: accountExpiresAtMs(account), usedAtMs: account.created_at_ms }, retentionDays)
