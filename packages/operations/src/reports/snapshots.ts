import { createHash } from 'node:crypto'
import type { ReportPageRow, ReportSnapshotRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { ReportRequest } from '../requests.ts'

type Dependencies = Pick<Context, 'storage' | 'ids' | 'clock'>

/** The items of a report, of which a snapshot is made. */
export interface SnapshotSource {
  /** What the report contains; two sources with equal texts have the same items. */
  readonly key: string
  /** The changes so far of the sums of the report. */
  changes(): Promise<number>
  /** The items, in the order of the report. */
  items(): AsyncIterable<readonly object[]>
}

/** A page of a snapshot: the JSON of its items. */
interface SnapshotPage {
  readonly items: string
  /** The number of pages. */
  readonly pages: number
}

/**
 * A page of a report, from the snapshot that its first page has fixed. Clients send only the number of a page, so there
 * is one snapshot for each caller and set of parameters. It is stored, because another process may read the next page.
 * The first page takes a new snapshot, unless one of the last minute is still current; a later page takes one only if
 * there is none.
 *
 * @returns the number of pages if the page is beyond them; undefined if the report has too many items
 */
export async function pageOfSnapshot(
  dependencies: Dependencies,
  { caller, report: { pageNo } }: ReportRequest,
  source: SnapshotSource,
): Promise<SnapshotPage | number | undefined> {
  const id = createHash('sha256')
    .update(JSON.stringify([caller.tokenId, source.key]))
    .digest('hex')
  const stored = await dependencies.storage.reportSnapshot(id)
  const isKept = stored !== undefined && (await isUsable(dependencies, stored, source, pageNo))
  const snapshot = isKept ? stored : await takeSnapshot(dependencies, id, source)
  if (!snapshot) return undefined
  if (pageNo > snapshot.pages) return snapshot.pages
  const page = await dependencies.storage.reportPage(snapshot.content_id, pageNo)
  return { items: page?.items ?? '[]', pages: snapshot.pages }
}

async function isUsable(
  { clock }: Dependencies,
  snapshot: ReportSnapshotRow,
  source: SnapshotSource,
  pageNo: number,
): Promise<boolean> {
  const nowMs = clock.now()
  if (pageNo > 1) return nowMs < snapshot.expires_at_ms
  return nowMs < snapshot.created_at_ms + limits.reportSnapshotReuseMs && (await source.changes()) === snapshot.changes
}

async function takeSnapshot(
  dependencies: Dependencies,
  id: string,
  source: SnapshotSource,
): Promise<ReportSnapshotRow | undefined> {
  const nowMs = dependencies.clock.now()
  // A change during the reads makes the next first page take a new snapshot.
  const changes = await source.changes()
  const contentId = dependencies.ids.ordered()
  const expiresAtMs = nowMs + limits.reportSnapshotMs
  const pageOf = (number: number, items: readonly object[]): ReportPageRow => ({
    content_id: contentId,
    number,
    items: JSON.stringify(items),
    expires_at_ms: expiresAtMs,
  })
  let pages = 0
  let unwritten: ReportPageRow[] = []
  for await (const items of pagesOf(source)) {
    pages += 1
    if (pages > limits.reportSnapshotItemsMax / limits.reportPageItems) return undefined
    unwritten.push(pageOf(pages, items))
    if (unwritten.length < limits.reportPagesPerCommit) continue
    await commitChange(dependencies, { rows: { report_page: unwritten } })
    unwritten = []
  }
  const snapshot: ReportSnapshotRow = {
    id,
    content_id: contentId,
    pages: Math.max(1, pages),
    changes,
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
  }
  await commitChange(dependencies, { rows: { report_page: unwritten, report_snapshot: [snapshot] } })
  return snapshot
}

/** The items in pages of the length that clients expect. */
async function* pagesOf(source: SnapshotSource): AsyncGenerator<readonly object[]> {
  let page: object[] = []
  for await (const items of source.items()) {
    for (const item of items) {
      page.push(item)
      if (page.length < limits.reportPageItems) continue
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}
