import type { BackgroundTask } from '../background-task.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { ledgerRowsOf } from './ledger-rows.ts'
import { createTransactionFeed } from './transaction-feed.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'clock' | 'ids'>

/**
 * Posts the approved transactions of all merchants to the ledger, and adds all decided transactions to the daily sums.
 *
 * The rows of a page and the new position of the feed are one unit. A process that is killed loses the unit as a whole,
 * and of two processes that read the same page one writes it.
 */
export function postTransactions(dependencies: Dependencies): BackgroundTask {
  const feed = createTransactionFeed(dependencies)
  return {
    name: 'ledger',
    everyMs: limits.ledgerEveryMs,
    pauseMs: limits.ledgerPauseMs,
    async step() {
      const page = await feed.nextPage()
      if (!page) return 'done'
      await page.commit(await ledgerRowsOf(dependencies, page))
      return 'more'
    },
  }
}
