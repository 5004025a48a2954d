import { positionAt } from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { removeContent } from './file-content.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids'>

/**
 * Removes stored parts of settlement files that belong to no file: the process was killed while the file arrived. The
 * id of a content has the time at which it began to arrive.
 */
export const removeBrokenUploads = (dependencies: Dependencies): BackgroundTask => ({
  name: 'broken uploads',
  everyMs: limits.retentionEveryMs,
  pauseMs: limits.retentionPauseMs,
  async step() {
    const { storage, clock } = dependencies
    const before = positionAt(clock.now() - limits.brokenUploadAgeMs)
    const [broken] = await storage.contentsWithoutFile('', before, 1)
    if (!broken) return 'done'
    await removeContent(dependencies, broken.content_id)
    return 'more'
  },
})
