import { disputeStateOf } from '@tollgate/domain'
import type { DisputeEvidenceRow } from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { stageIn } from '../records/dispute-record.ts'
import { eraseEvidenceFile } from './evidence.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids'>

/** Erases the evidence of disputes that were closed long ago, and of uploads that were broken off. */
export function eraseEvidence(dependencies: Dependencies): BackgroundTask {
  /** The id of the last file that was examined in this sweep. */
  let lastId = ''
  return {
    name: 'erase-evidence',
    everyMs: limits.retentionEveryMs,
    pauseMs: limits.retentionPauseMs,
    async step() {
      const rows = await dependencies.storage.evidenceAfter(lastId, limits.evidencePerStep)
      for (const row of rows) if (await isOver(dependencies, row)) await eraseEvidenceFile(dependencies, row)
      lastId = rows.at(-1)?.id ?? ''
      return rows.length > 0 ? 'more' : 'done'
    },
  }
}

async function isOver({ storage, clock }: Dependencies, row: DisputeEvidenceRow): Promise<boolean> {
  const nowMs = clock.now()
  if (row.stored === 0) return row.created_at_ms < nowMs - limits.evidenceUploadMsMax
  const dispute = await storage.dispute(row.dispute_id)
  if (!dispute || disputeStateOf(stageIn(dispute)) !== 'closed') return false
  return dispute.changed_at_ms < nowMs - limits.evidenceRetentionMs
}
