import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { BackgroundTask } from '../background-task.ts'

/** Erases what no rule can look back to any more: addresses and fingerprints are kept no longer than they count. */
export const forgetVelocity = (parts: Parts): BackgroundTask => ({
  name: 'velocity',
  everyMs: limits.retentionEveryMs,
  pauseMs: limits.retentionPauseMs,
  async step() {
    const { storage, clock } = parts
    const beforeMs = clock.now() - limits.riskSecondsMax * 1000
    const old = await storage.velocityBefore(beforeMs, limits.forgottenAtOnce)
    if (old.length === 0) return 'done'
    const compareAndSets = old.map((from) => ({ table: 'velocity' as const, from, to: null }))
    await commitChange(parts, { compareAndSets })
    return 'more'
  },
})

type Parts = Pick<Context, 'storage' | 'clock' | 'ids'>
