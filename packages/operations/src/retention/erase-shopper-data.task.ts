import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { BackgroundTask } from '../background-task.ts'

/** Erases checkouts and sessions once nothing can come of them any more: they hold what shoppers sent. */
export const forgetShoppers = (parts: Parts): BackgroundTask => ({
  name: 'shoppers',
  everyMs: limits.retentionEveryMs,
  pauseMs: limits.retentionPauseMs,
  async step() {
    const { storage, clock } = parts
    const nowMs = clock.now()
    const checkouts = await storage.checkoutsBefore(nowMs - limits.checkoutKeptMs, limits.forgottenAtOnce)
    const sessions = await storage.visitsBefore(nowMs, limits.forgottenAtOnce)
    if (checkouts.length + sessions.length === 0) return 'done'
    const compareAndSets = [
      ...checkouts.map((from) => ({ table: 'checkout' as const, from, to: null })),
      ...sessions.map((from) => ({ table: 'visit' as const, from, to: null })),
    ]
    await commitChange(parts, { compareAndSets })
    return 'more'
  },
})

type Parts = Pick<Context, 'storage' | 'clock' | 'ids'>
