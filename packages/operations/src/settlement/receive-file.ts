import type { Chunks } from '@tollgate/settlement-files'
import type { SettlementFileRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { removeContent, storeContent } from './file-content.ts'

/** The ways in which settlement files arrive. */
export type Arrival = 'upload' | 'folder' | 'sftp'

export interface ArrivedFile {
  /** The name of the file, for people. */
  readonly name: string
  readonly arrivedBy: Arrival
  readonly chunks: Chunks
}

/**
 * received: the file is stored and will be read. repeated: its content was received before, and nothing changes.
 * tooLarge, empty, archive: it was refused.
 */
export type Received =
  | { readonly kind: 'received' | 'repeated'; readonly file: SettlementFileRow }
  | { readonly kind: 'tooLarge' | 'empty' | 'archive' }

type Dependencies = Pick<Context, 'storage' | 'ids' | 'clock'>

/** Stores a settlement file as it arrives. Files are the same if their contents are. */
export async function receiveFile(
  dependencies: Dependencies,
  { name, arrivedBy, chunks }: ArrivedFile,
): Promise<Received> {
  const { storage, clock } = dependencies
  const content = await storeContent(dependencies, chunks)
  if (content === 'tooLarge' || content === 'archive') return { kind: content }
  if (content.sizeBytes === 0) return { kind: 'empty' }
  const nowMs = clock.now()
  const row: SettlementFileRow = {
    id: content.digest.slice(0, ID_DIGITS),
    digest: content.digest,
    content_id: content.contentId,
    name: name.slice(0, limits.settlementFileNameCharsMax),
    arrived_by: arrivedBy,
    state: 'received',
    format: null,
    institute: null,
    file_id: null,
    facts: null,
    fault: null,
    size_bytes: content.sizeBytes,
    rows: 0,
    rows_read: 0,
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
    bank_entries_read: null,
    bank_entry_id: null,
    statement: null,
  }
  const stored = await storage.settlementFile(row.id)
  // Another process may add the file at the same moment: then the key exists.
  const isAdded = !stored && (await commitChange(dependencies, { rows: { settlement_file: [row] } }).catch(() => false))
  if (isAdded) return { kind: 'received', file: row }
  await removeContent(dependencies, content.contentId)
  const first = stored ?? (await storage.settlementFile(row.id))
  if (!first) throw new Error(`settlement file ${row.id} cannot be stored`)
  return { kind: 'repeated', file: first }
}

const ID_DIGITS = 32
