import { retentionEndsAtMs } from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { shredded } from '../payments/records/account-record.ts'
import { endOf } from '../payments/registrations/registration-record.ts'
import type { Work } from './workers.ts'

/**
 * Erases the numbers of payments whose retention has ended: the number and the key to it; what may be shown of them
 * stays, and refunds go on by reference. Registrations end by themselves, and with them what they store.
 */
export function retention({ storage, directory, clock, ids }: Parts): Work {
  let after = ''

  async function isOver(account: AccountRow): Promise<boolean> {
    if (!account.sealed) return false
    const root = (await storage.treeOf(account.id))?.transactions[0]
    if (!root || root.type === 'RG') return false
    const life = { accountEndsAtMs: endOf(account), usedAtMs: account.created_at_ms }
    return retentionEndsAtMs(life, directory.channel(root.channel)?.settings.retentionDays) <= clock.now()
  }

  return {
    name: 'retention',
    everyMs: limits.retentionEveryMs,
    pauseMs: limits.retentionPauseMs,
    async step() {
      const page = await storage.accountsAfter(after, limits.retentionAccounts)
      const swaps = []
      for (const from of page)
        if (await isOver(from)) swaps.push({ table: 'account' as const, from, to: shredded(from) })
      if (swaps.length > 0) {
        const { kind } = await storage.commit({ id: ids.ordered(), guards: [], swaps, rows: {}, erases: true })
        // One of them was changed meanwhile: the page is read again.
        if (kind !== 'committed') return 'more'
      }
      after = page.at(-1)?.id ?? ''
      return after === '' ? 'done' : 'more'
    },
  }
}

type Parts = Pick<Gateway, 'storage' | 'directory' | 'clock' | 'ids'>
