import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { removeContentOf } from './file-content.ts'

/** Removes the content of files some time after their delivery. The delivery is no longer repeated then. */
export const eraseDelivered = (context: Pick<Context, 'storage' | 'ids' | 'clock'>): BackgroundTask => ({
  name: 'delivered files',
  everyMs: limits.deliveredEraseEveryMs,
  pauseMs: limits.deliveriesPauseMs,
  async step() {
    const nowMs = context.clock.now()
    const before = nowMs - limits.deliveredKeptMs
    const delivered = await context.storage.sftpDeliveriesIn('delivered', before, limits.deliveredErasedPerStep)
    for (const from of delivered) {
      // First the state, so that no repetition reads a content of which parts are gone.
      const to = { ...from, state: 'erasing', changed_at_ms: nowMs }
      await commitChange(context, { compareAndSets: [{ table: 'sftp_delivery', from, to }] })
    }
    const erasing = await context.storage.sftpDeliveriesIn('erasing', Number.MAX_SAFE_INTEGER, 1)
    for (const from of erasing) {
      await removeContentOf(context, from)
      const to = { ...from, state: 'erased' }
      await commitChange(context, { compareAndSets: [{ table: 'sftp_delivery', from, to }] })
    }
    return delivered.length + erasing.length > 0 ? 'more' : 'done'
  },
})
