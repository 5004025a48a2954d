import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import type { Work } from './workers.ts'

/** Erases what no rule can look back to any more: addresses and fingerprints are kept no longer than they count. */
export const forgetVelocity = ({ storage, clock, ids }: Parts): Work => ({
  name: 'velocity',
  everyMs: limits.retentionEveryMs,
  pauseMs: limits.retentionPauseMs,
  async step() {
    const beforeMs = clock.now() - limits.riskSecondsMax * 1000
    if (!(await storage.hasVelocityBefore(beforeMs))) return 'done'
    await storage.commit({ id: ids.ordered(), guards: [], forgetVelocityBeforeMs: beforeMs, rows: {} })
    return 'more'
  },
})

type Parts = Pick<Gateway, 'storage' | 'clock' | 'ids'>
