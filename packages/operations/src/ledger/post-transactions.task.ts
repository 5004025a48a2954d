import type { BackgroundTask } from '../background-task.ts'
import { type BusyWatchParts, watchBusy } from '../busy-watch.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { ledgerRowsOf } from './ledger-rows.ts'
import { createTransactionFeed, type FeedPage } from './transaction-feed.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'acquirers' | 'clock' | 'ids'>

/**
 * The pause after a page while there are payments. They come first, and the ledger takes a hundredth of the time, or a
 * tenth if it is far behind, so that it never stays behind.
 */
function busyPauseAfter({ transactions, late }: FeedPage, { clock }: Dependencies): number {
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
export function postTransactions(dependencies: Dependencies & BusyWatchParts): BackgroundTask {
  const feed = createTransactionFeed(dependencies, (page) => ledgerRowsOf(dependencies, page))
  const nextPauseFactor = watchBusy(dependencies)
  let pauseMs: number = limits.ledgerPauseMs
  let isBusy = true
  return {
    name: 'ledger',
    everyMs: limits.ledgerEveryMs,
    get pauseMs() {
      return pauseMs
    },
    async step() {
      const max = isBusy ? limits.feedRowsPerStep : limits.feedRowsPerIdleStep
      const next = await feed.nextPage({ max, prepareNext: !isBusy })
      if (!next) return 'done'
      await next.commit()
      isBusy = nextPauseFactor() > 0
      pauseMs = isBusy ? busyPauseAfter(next.page, dependencies) : limits.ledgerPauseMs
      return 'more'
    },
  }
}
