import type { JobRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { timePartOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { AFTER_ALL_IDS, REVERSAL_JOB } from '../records/timers.ts'

/** The accounts that open messages to acquirers need, as a sweep knows them. */
export interface OpenMessages {
  /** Begins a sweep: forgets what the previous one has read. */
  begin(): void
  /**
   * Reads a page of the open messages: first all of them, from the newest to the oldest, then those that were added.
   *
   * @returns more: the step is over, because there is another page. known: all are known. tooMany: there are more than
   *   a sweep reads
   */
  read(): Promise<'more' | 'known' | 'tooMany'>
  /** Whether an open message needs the number of the account. */
  needs(accountId: string): boolean
}

/** Creates the reader of the open messages of a task. Those of dead-lettered jobs are among them. */
export function createOpenMessages({ storage, clock }: Pick<Context, 'storage' | 'clock'>): OpenMessages {
  let accounts = new Set<string>()
  let count = 0
  /** The id below which the next page is read. */
  let before = AFTER_ALL_IDS
  /** The messages with ids below are known; '' while they are read for the first time. */
  let knownBelow = ''
  let passBegunAtMs = 0

  async function addAccountsOf(jobs: readonly JobRow[]): Promise<void> {
    const rows = jobs.length === 0 ? [] : await storage.transactions(jobs.map(({ subject_id: id }) => id))
    for (const { account_id: id } of rows) if (id !== null) accounts.add(id)
  }

  return {
    begin() {
      accounts = new Set()
      count = 0
      before = AFTER_ALL_IDS
      knownBelow = ''
    },
    async read() {
      if (count >= limits.openMessagesMax) return 'tooMany'
      if (before === AFTER_ALL_IDS) passBegunAtMs = clock.now()
      const page = await storage.jobsBefore(REVERSAL_JOB, '', before, limits.openMessagesRead)
      const added = page.filter(({ id }) => id >= knownBelow)
      await addAccountsOf(added)
      count += knownBelow === '' ? added.length : 0
      const last = added.at(-1)
      if (last && added.length === limits.openMessagesRead) {
        before = last.id
        return 'more'
      }
      before = AFTER_ALL_IDS
      // A job may be committed some time after its id was made, perhaps by a process whose clock is behind.
      knownBelow = timePartOf(passBegunAtMs - limits.openMessagesOverlapMs)
      return 'known'
    },
    needs: (accountId) => accounts.has(accountId),
  }
}
