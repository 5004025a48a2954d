import type { DisputeState, DisputeStage } from '@tollgate/domain'
import { disputeStateOf } from '@tollgate/domain'
import type { DisputeRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { stageIn } from '../records/dispute-record.ts'
import { type DisputeView, disputeView } from './dispute-view.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'clock'>

export interface DisputeFilter {
  readonly state?: DisputeState | undefined
  readonly stage?: DisputeStage | undefined
  /** An entity of any level. */
  readonly entityId?: string | undefined
  /** Only disputes whose answer is due up to this day, yyyy-MM-dd, in the order of these days. */
  readonly dueBefore?: string | undefined
}

/** A part of a list of disputes. */
export interface DisputePage {
  readonly disputes: readonly DisputeView[]
  /** The position after which the next page begins; undefined at the end of the list. */
  readonly next: string | undefined
}

/** The form of a position: the day or the time, and the id, of the last dispute of a page. */
export const DISPUTE_POSITION = '^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,16})/[0-9a-f]{32}$'

/**
 * The next disputes of a list: the newest first, or by the day on which the answer is due if the filter has such a day.
 * A page reads a bounded number of disputes, so that it may be empty and still have a successor.
 *
 * @param after the position of the last page; undefined: the first page
 */
export async function disputePage(
  dependencies: Dependencies,
  filter: DisputeFilter,
  after: string | undefined,
): Promise<DisputePage> {
  const { storage, clock } = dependencies
  const rows = await rowsAfter(storage, filter, after)
  const matching = rows.filter((row) => matches(dependencies, filter, row))
  const views = await Promise.all(
    matching.map(async (row) => {
      const stored = await storage.treeOf(row.id)
      return stored && disputeView(row, stored, clock.now())
    }),
  )
  const last = rows.length === limits.disputesPerPage ? rows.at(-1) : undefined
  return {
    disputes: views.filter((view) => view !== undefined),
    next: last && `${filter.dueBefore === undefined ? last.created_at_ms : last.due_on}/${last.id}`,
  }
}

function rowsAfter(
  storage: Dependencies['storage'],
  { dueBefore }: DisputeFilter,
  after: string | undefined,
): Promise<readonly DisputeRow[]> {
  const [place = '', id = ''] = after?.split('/') ?? []
  if (dueBefore !== undefined) return storage.disputesDueAfter(dueBefore, place, id, limits.disputesPerPage)
  const createdAtMs = place === '' ? Number.MAX_SAFE_INTEGER : Number(place)
  return storage.disputesBefore(createdAtMs, id, limits.disputesPerPage)
}

function matches({ directory }: Dependencies, { state, stage, entityId }: DisputeFilter, row: DisputeRow): boolean {
  if (stage !== undefined && row.stage !== stage) return false
  if (state !== undefined && disputeStateOf(stageIn(row)) !== state) return false
  return entityId === undefined || directory.reaches(entityId, row.channel)
}
