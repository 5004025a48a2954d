import type { CompareAndSet } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { BackgroundTask } from '../background-task.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids'>

/**
 * A task that erases old rows in steps.
 *
 * @param read reads the next old rows and returns their removals; an empty list if there are no old rows
 */
const erasureTask = (
  name: string,
  dependencies: Dependencies,
  read: (nowMs: number) => Promise<readonly CompareAndSet[]>,
): BackgroundTask => ({
  name,
  everyMs: limits.retentionEveryMs,
  pauseMs: limits.retentionPauseMs,
  async step() {
    const compareAndSets = await read(dependencies.clock.now())
    if (compareAndSets.length === 0) return 'done'
    await commitChange(dependencies, { compareAndSets })
    return 'more'
  },
})

/** Erases checkouts and sessions at the end of their retention, because they contain data of shoppers. */
export const eraseShopperData = (dependencies: Dependencies): BackgroundTask =>
  erasureTask('shoppers', dependencies, async (nowMs) => {
    const { storage } = dependencies
    const checkouts = await storage.checkoutsBefore(nowMs - limits.checkoutRetentionMs, limits.oldRowsErasedPerStep)
    const sessions = await storage.sessionsBefore(nowMs, limits.oldRowsErasedPerStep)
    return [
      ...checkouts.map((from) => ({ table: 'checkout' as const, from, to: null })),
      ...sessions.map((from) => ({ table: 'visit' as const, from, to: null })),
    ]
  })

/** Erases the declines of cards that limit no further attempt. */
export const eraseCardDeclines = (dependencies: Dependencies): BackgroundTask =>
  erasureTask('card declines', dependencies, async (nowMs) => {
    const old = await dependencies.storage.cardDeclinesBefore(nowMs, limits.oldRowsErasedPerStep)
    return old.map((from) => ({ table: 'card_declines', from, to: null }))
  })

/** Erases velocity entries that no rule can count any more, because they contain addresses and fingerprints. */
export const eraseVelocity = (dependencies: Dependencies): BackgroundTask =>
  erasureTask('velocity', dependencies, async (nowMs) => {
    const old = await dependencies.storage.velocityBefore(
      nowMs - limits.riskSecondsMax * 1000,
      limits.oldRowsErasedPerStep,
    )
    return old.map((from) => ({ table: 'velocity', from, to: null }))
  })

/** Erases the snapshots of reports that have expired. */
export const eraseReportSnapshots = (dependencies: Dependencies): BackgroundTask =>
  erasureTask('report snapshots', dependencies, async (nowMs) => {
    const { storage } = dependencies
    const snapshots = await storage.reportSnapshotsBefore(nowMs, limits.oldRowsErasedPerStep)
    const pages = await storage.reportPagesBefore(nowMs, limits.reportPagesPerCommit)
    return [
      ...snapshots.map((from) => ({ table: 'report_snapshot' as const, from, to: null })),
      ...pages.map((from) => ({ table: 'report_page' as const, from, to: null })),
    ]
  })
