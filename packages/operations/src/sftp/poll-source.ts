import { matchesPattern } from '@tollgate/domain'
import type { PulledFileRow, SftpAccountRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'
import type { SftpEntry, SftpFailureKind, SftpFault, SftpSession } from '../ports/sftp-client.ts'
import { openSftpCredentials } from './account-credentials.ts'
import { pathIn, type SourceSettings, sourceSettingsOf } from './account-settings.ts'
import { fetchSettlementFile } from './fetch-settlement-file.ts'
import type { TransferResult } from './leased-transfer.ts'
import type { SeenFiles } from './seen-files.ts'
import type { SftpContext } from './sftp-context.ts'

/** The result of a poll of a source. */
export interface SourcePoll extends TransferResult {
  /** Whether there are files that the next poll takes. */
  readonly isWaiting?: boolean
  /** The number of files that were stored or refused. */
  readonly taken?: number
  /** The fault of a file that was stored, and could not be moved. */
  readonly moveFault?: SftpFault | undefined
}

/** The parts of a poll of one source. */
interface Source {
  readonly account: SftpAccountRow
  readonly settings: SourceSettings
  readonly session: SftpSession
  readonly seen: SeenFiles
}

/** Connects to a source, and takes the new files of its folder. */
export async function pollSource(
  context: SftpContext,
  account: SftpAccountRow,
  seen: SeenFiles,
  signal: AbortSignal,
): Promise<SourcePoll> {
  const credentials = openSftpCredentials(context.vault, account)
  if (!credentials) return { fault: { kind: 'invalid', message: 'The source has no credentials.' } }
  const settings = sourceSettingsOf(account)
  const { value: session, error } = await context.sftp.connect(settings.server, credentials, signal)
  if (!session) return { fault: error }
  try {
    const { value: entries, error: listFault } = await session.list(settings.folder)
    return entries ? await takeFiles(context, { account, settings, session, seen }, entries) : { fault: listFault }
  } finally {
    await session.close()
  }
}

async function takeFiles(context: SftpContext, source: Source, entries: readonly SftpEntry[]): Promise<SourcePoll> {
  const { settings, seen } = source
  const matching = entries.filter((entry) => isOffered(entry, settings.names)).toSorted(byName)
  const unstable: SftpEntry[] = []
  let [taken, unmoved, isCutOff] = [0, 0, false]
  let moveFault: SftpFault | undefined
  for (const entry of matching) {
    isCutOff = taken + unmoved + unstable.length >= limits.pulledFilesMax
    if (isCutOff) break
    const outcome = await takeFile(context, source, entry)
    if (outcome === 'taken') taken += 1
    else if (outcome === 'unstable') unstable.push(entry)
    else if (outcome !== 'unchanged') {
      if (endsSession[outcome.fault.kind]) return { fault: outcome.fault }
      moveFault ??= outcome.fault
      unmoved += 1
    }
  }
  seen.keep(unstable)
  return { isWaiting: isCutOff || unstable.length > 0, taken, moveFault }
}

/** Hidden files and those of unfinished transfers are left alone, and so are folders. */
const isOffered = ({ name, kind }: SftpEntry, names: string): boolean =>
  kind !== 'folder' && !name.startsWith('.') && !/\.(?:part|tmp)$/i.test(name) && matchesPattern(names, name)

const byName = (one: SftpEntry, other: SftpEntry): number => (one.name < other.name ? -1 : 1)

/**
 * Takes a file, if it is new and does not change any more.
 *
 * @returns unchanged: this version was taken before; the fault of the session, or that of the move
 */
async function takeFile(
  context: SftpContext,
  source: Source,
  entry: SftpEntry,
): Promise<'taken' | 'unchanged' | 'unstable' | { readonly fault: SftpFault }> {
  const { account, settings, session, seen } = source
  const earlier = await context.storage.pulledFile(account.id, entry.name)
  if (earlier && isSameVersion(earlier, entry) && !isTriedAgain(earlier.outcome))
    return (await move(context, source, entry, earlier.outcome)) ?? 'unchanged'
  if (entry.kind === 'other') return record(context, source, entry, earlier, 'notRegular')
  if (!seen.isStable(entry, context.clock.now())) return 'unstable'
  const fetched = await fetchSettlementFile(context, session, pathIn(settings.folder, entry.name), entry)
  if ('fault' in fetched) {
    const { fault } = fetched
    return endsSession[fault.kind] ? { fault } : record(context, source, entry, earlier, fault.kind)
  }
  const { received } = fetched
  const fileId = 'file' in received ? received.file.id : null
  await record(context, source, entry, earlier, received.kind, fileId)
  return (await move(context, source, entry, received.kind)) ?? 'taken'
}

const isSameVersion = (row: PulledFileRow, { sizeBytes, modifiedAtMs }: SftpEntry): boolean =>
  row.size_bytes === sizeBytes && row.modified_at_ms === modifiedAtMs

/** Stores how the version of a file ended. A refusal that repeats itself is stored and logged once. */
async function record(
  context: SftpContext,
  { account }: Source,
  entry: SftpEntry,
  earlier: PulledFileRow | undefined,
  outcome: string,
  fileId: string | null = null,
): Promise<'taken' | 'unchanged'> {
  if (earlier?.outcome === outcome && isSameVersion(earlier, entry)) return 'unchanged'
  const row: PulledFileRow = {
    account_id: account.id,
    name: entry.name,
    size_bytes: entry.sizeBytes,
    modified_at_ms: entry.modifiedAtMs,
    outcome,
    file_id: fileId,
    pulled_at_ms: context.clock.now(),
  }
  await commitChange(context, { rows: { pulled_file: [row] } })
  if (fileId === null) context.log.error({ settlementSource: account.id, refused: outcome })
  return 'taken'
}

/** Moves a file that is stored, if the source says so. The name begins with the time, so that it replaces no file. */
async function move(
  { clock }: SftpContext,
  { settings: { folder, afterReading }, session }: Source,
  { name }: SftpEntry,
  outcome: string,
): Promise<{ readonly fault: SftpFault } | undefined> {
  if (afterReading === 'keep' || (outcome !== 'received' && outcome !== 'repeated')) return undefined
  const { error } = await session.rename(pathIn(folder, name), pathIn(afterReading.moveTo, `${clock.now()}-${name}`))
  return error && { fault: error }
}

/** Whether a file of the same version is tried again at the next poll, after it was refused for a reason. */
const isTriedAgain = (outcome: string): boolean => ['permission', 'refused', 'noSuchFile', 'changed'].includes(outcome)

/** Whether the session cannot be used after a fault. */
const endsSession: Readonly<Record<SftpFailureKind, boolean>> = {
  address: true,
  invalid: false,
  connection: true,
  hostKey: true,
  authentication: true,
  timeout: true,
  closed: true,
  cancelled: true,
  noSuchFile: false,
  permission: false,
  exists: false,
  noSpace: false,
  tooLarge: false,
  changed: false,
  refused: false,
  protocol: true,
}
