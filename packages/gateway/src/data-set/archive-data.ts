import { join } from 'node:path'
import { DAY_MS } from '@tollgate/contract'
import { type ArchivableTransaction, paymentLimits, type ReasonToStay, reasonToStay } from '@tollgate/domain'
import { type ArchivableRow, type Archive, openPostgresArchive } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { limits } from '../limits.ts'
import { dataError } from './data-error.ts'

/** A partition that was archived. */
export interface ArchivedPartition {
  readonly name: string
  readonly transactions: number
  /** The numbers of trees that were not archived, by reason. */
  readonly staying: Readonly<Partial<Record<ReasonToStay, number>>>
}

/**
 * Archives the partitions of a PostgreSQL database that end before a time, oldest first, while gateways use the
 * database. Trees that can still be changed stay. The next call continues an interrupted one.
 *
 * @param beforeMs epoch milliseconds; partitions in which each payment can still be changed are never archived
 * @throws ConfigError of one line if a partition cannot be archived; earlier ones are archived then
 */
export async function archiveData(
  { data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>,
  beforeMs: number,
  nowMs: number,
  report: (archived: ArchivedPartition) => void,
): Promise<void> {
  if (databaseUrl === undefined) {
    throw new ConfigError('TOLLGATE_DATABASE_URL must name a PostgreSQL database: a SQLite file has no partitions')
  }
  const endMs = Math.min(beforeMs, nowMs - paymentLimits.followUpWindowMs - DAY_MS)
  let archive: Archive | undefined
  try {
    archive = await openPostgresArchive(databaseUrl)
    for (let next = await archive.oldest(endMs); next; next = await archive.oldest(endMs)) {
      const { transactions, staying } = await examine(archive.rowsOf(next), nowMs)
      if (staying.size > limits.stayingTreesMax) throw new ConfigError(tooManyStay(next.name, staying))
      await archive.archive(next, [...staying.keys()])
      report({ name: next.name, transactions, staying: countsOf(staying) })
    }
  } catch (error) {
    throw dataError(error, databaseUrl, join(data, 'tollgate.db'))
  } finally {
    await archive?.close()
  }
}

/** Counts the transactions, and finds the trees that stay, by root id. */
async function examine(
  rows: AsyncIterable<ArchivableRow>,
  nowMs: number,
): Promise<{ readonly transactions: number; readonly staying: ReadonlyMap<string, ReasonToStay> }> {
  const staying = new Map<string, ReasonToStay>()
  let transactions = 0
  let rootId = ''
  let tree: ArchivableTransaction[] = []
  const endTree = () => {
    const reason = tree.length === 0 ? undefined : reasonToStay(tree, nowMs, paymentLimits)
    if (reason) staying.set(rootId, reason)
    tree = []
  }
  for await (const { root_id: root, type, status, created_at_ms: createdAtMs, isInUse } of rows) {
    if (root !== rootId) endTree()
    rootId = root
    transactions += 1
    tree.push({ type, status, createdAtMs, isInUse })
    if (staying.size > limits.stayingTreesMax) break
  }
  endTree()
  return { transactions, staying }
}

function countsOf(staying: ReadonlyMap<string, ReasonToStay>): ArchivedPartition['staying'] {
  const counts: Partial<Record<ReasonToStay, number>> = {}
  for (const reason of staying.values()) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

function tooManyStay(name: string, staying: ReadonlyMap<string, ReasonToStay>): string {
  const [[rootId, reason] = ['', '']] = staying
  return (
    `${name} cannot be archived, because more than ${limits.stayingTreesMax} of its payments and registrations have ` +
    `to stay, such as ${rootId} (${reason}); run the command again when they are fewer`
  )
}
