import type { BackgroundTask } from '../background-task.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { ledgerRowsOf } from './ledger-rows.ts'
import { createTransactionFeed, type FeedPage } from './transaction-feed.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'acquirers' | 'clock' | 'ids'>

/**
 * The pause after a page: next to none while no payment is being committed. Otherwise payments come first, and the
 * ledger takes a hundredth of the time, or a tenth if it is far behind, so that it never stays behind.
 */
function pauseAfter({ transactions, late }: FeedPage, { storage, clock }: Dependencies): number {
  if (storage.depth() === 0) return limits.ledgerPauseMs
  const oldest = transactions[0]
  const isBehind = oldest !== undefined && clock.now() - oldest.created_at_ms > limits.ledgerBehindMs
  const perTransactionMs = isBehind ? limits.ledgerBehindPauseMs : limits.ledgerBusyPauseMs
  return limits.ledgerPauseMs + (transactions.length + late.length) * perTransactionMs
}

/**
 * Posts the approved transactions of all merchants to the ledger, and adds all decided transactions to the daily sums.
 *
 * The rows of a page and the new position of the feed are one unit. A process that is killed loses the unit as a whole,
 * and of two processes that read the same page one writes it.
 */
export function postTransactions(dependencies: Dependencies): BackgroundTask {
  const feed = createTransactionFeed(dependencies)
  let pauseMs: number = limits.ledgerPauseMs
  return {
    name: 'ledger',
    everyMs: limits.ledgerEveryMs,
    get pauseMs() {
      return pauseMs
    },
    async step() {
      const page = await feed.nextPage()
      if (!page) return 'done'
      await page.commit(await ledgerRowsOf(dependencies, page))
      pauseMs = pauseAfter(page, dependencies)
      return 'more'
    },
  }
}
