import { createHash } from 'node:crypto'
import { disputeStateOf, type EvidenceKind, evidenceTypeOf } from '@tollgate/domain'
import type { DisputeEvidenceRow, DisputeRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { stageIn } from '../records/dispute-record.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids' | 'vault' | 'log'>

/** A file as it was uploaded. */
export interface UploadedEvidence {
  readonly kind: EvidenceKind
  /** The name of the file, for people: at most `limits.evidenceNameCharsMax` characters. */
  readonly name: string
  /** The type that the upload states; undefined: none. */
  readonly statedType: string | undefined
  /** At most `limits.evidenceBytesMax` bytes, which are erased. */
  readonly content: Uint8Array
}

/**
 * added: the file is stored. Otherwise nothing is: the dispute is closed, the file is empty, an archive, of a type that
 * is not accepted or not the stated one, the dispute has too many files or bytes, or was changed concurrently too
 * often.
 */
export type EvidenceResult =
  | { readonly kind: 'added'; readonly row: DisputeEvidenceRow }
  | { readonly kind: 'closed' | 'empty' | 'archive' | 'otherType' | 'tooMany' | 'tooLarge' | 'stale' }
  | { readonly kind: 'mismatch'; readonly type: string }

/**
 * Seals a file of evidence and stores it in parts. The row of the file comes first, so that the parts of an upload that
 * was broken off are found and erased; it counts as stored once all parts are.
 */
export async function addEvidence(
  dependencies: Dependencies,
  dispute: DisputeRow,
  upload: UploadedEvidence,
): Promise<EvidenceResult> {
  try {
    const type = typeOf(upload)
    if (typeof type !== 'string') return type
    let result = await tryToAdd(dependencies, dispute, upload, type)
    // Several files of a dispute may arrive at the same moment.
    for (let tries = 1; result.kind === 'stale' && tries < limits.evidenceTriesMax; tries += 1) {
      const changed = await dependencies.storage.dispute(dispute.id)
      if (changed) result = await tryToAdd(dependencies, changed, upload, type)
    }
    return result
  } finally {
    upload.content.fill(0)
  }
}

/** @param type of the content */
async function tryToAdd(
  dependencies: Dependencies,
  dispute: DisputeRow,
  { content, kind, name }: UploadedEvidence,
  type: string,
): Promise<EvidenceResult> {
  const { storage, clock, ids, vault } = dependencies
  if (disputeStateOf(stageIn(dispute)) === 'closed') return { kind: 'closed' }
  const others = await storage.evidenceOf(dispute.id)
  if (others.length >= limits.evidenceFilesMax) return { kind: 'tooMany' }
  const totalBytes = others.reduce((sum, { size_bytes: bytes }) => sum + bytes, content.length)
  if (totalBytes > limits.evidenceTotalBytesMax) return { kind: 'tooLarge' }
  const id = ids.ordered()
  const { sealed, wrappedKey, keyId } = vault.sealDocument(content, ownerOf({ id, merchant: dispute.merchant }))
  const row: DisputeEvidenceRow = {
    id,
    dispute_id: dispute.id,
    kind,
    name,
    content_type: type,
    size_bytes: content.length,
    digest: createHash('sha256').update(content).digest('hex'),
    parts: Math.ceil(sealed.length / limits.evidencePartBytes),
    wrapped_key: wrappedKey,
    key_id: keyId,
    stored: 0,
    sent_at_ms: null,
    created_at_ms: clock.now(),
  }
  return store(dependencies, dispute, row, sealed)
}

/** The type of the content, if it is accepted and the stated one. */
function typeOf({ content, statedType }: UploadedEvidence): string | EvidenceResult {
  if (content.length === 0) return { kind: 'empty' }
  if (content.length > limits.evidenceBytesMax) return { kind: 'tooLarge' }
  const type = evidenceTypeOf(content)
  if (type === 'archive') return { kind: 'archive' }
  if (type === undefined) return { kind: 'otherType' }
  return statedType === undefined || statedType === type ? type : { kind: 'mismatch', type }
}

async function store(
  dependencies: Dependencies,
  from: DisputeRow,
  row: DisputeEvidenceRow,
  sealed: Uint8Array,
): Promise<EvidenceResult> {
  const isBegun = await commitChange(dependencies, {
    rows: { dispute_evidence: [row] },
    compareAndSets: [{ table: 'dispute', from, to: { ...from, version: from.version + 1 } }],
  })
  if (!isBegun) return { kind: 'stale' }
  for (let number = 1; number <= row.parts; number += 1) {
    const bytes = sealed.slice((number - 1) * limits.evidencePartBytes, number * limits.evidencePartBytes)
    await commitChange(dependencies, { rows: { dispute_evidence_part: [{ evidence_id: row.id, number, bytes }] } })
  }
  const to = { ...row, stored: 1 }
  const isStored = await commitChange(dependencies, {
    compareAndSets: [{ table: 'dispute_evidence', from: row, to }],
  })
  if (!isStored) return { kind: 'stale' }
  audit(dependencies.log, 'evidence changed', { dispute: row.dispute_id, evidence: row.id, change: 'added' })
  return { kind: 'added', row: to }
}

/**
 * Decrypts a file of evidence.
 *
 * @returns undefined if a part is missing, because the file is being erased
 * @throws VaultError if the keys do not open it
 */
export async function readEvidence(
  { storage, vault }: Pick<Dependencies, 'storage' | 'vault'>,
  row: DisputeEvidenceRow,
  merchant: string,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  for (let number = 1; number <= row.parts; number += 1) {
    const part = await storage.evidencePart(row.id, number)
    if (!part) return undefined
    parts.push(part.bytes)
  }
  const record = { sealed: Buffer.concat(parts), wrappedKey: row.wrapped_key, keyId: row.key_id }
  const document = vault.unseal(record, ownerOf({ id: row.id, merchant }))
  try {
    return document.use((bytes) => Buffer.from(bytes))
  } finally {
    document.wipe()
  }
}

/** sent: the file was sent to the issuer, and is kept. */
export type RemovalResult = 'removed' | 'sent' | 'stale'

/** Erases a file that was not sent yet. */
export async function removeEvidence(dependencies: Dependencies, row: DisputeEvidenceRow): Promise<RemovalResult> {
  if (row.sent_at_ms !== null) return 'sent'
  const from = { ...row, stored: 0 }
  const change = { compareAndSets: [{ table: 'dispute_evidence' as const, from: row, to: from }] }
  if (row.stored !== 0 && !(await commitChange(dependencies, change))) return 'stale'
  await eraseEvidenceFile(dependencies, from)
  audit(dependencies.log, 'evidence changed', { dispute: row.dispute_id, evidence: row.id, change: 'removed' })
  return 'removed'
}

/** Removes the parts of a file, the last one first, and then its row, with its key. */
export async function eraseEvidenceFile(
  dependencies: Pick<Dependencies, 'storage' | 'ids'>,
  row: DisputeEvidenceRow,
): Promise<void> {
  for (let number = row.parts; number > 0; number -= 1) {
    const from = await dependencies.storage.evidencePart(row.id, number)
    if (from) await commitChange(dependencies, { compareAndSets: [{ table: 'dispute_evidence_part', from, to: null }] })
  }
  await commitChange(dependencies, {
    compareAndSets: [{ table: 'dispute_evidence', from: row, to: null }],
    erases: true,
  })
}

/** The row with its data key wrapped under the vault's current key. */
export function rewrappedEvidence(vault: Vault, row: DisputeEvidenceRow): DisputeEvidenceRow {
  const { wrappedKey, keyId } = vault.rewrap({
    sealed: new Uint8Array(),
    wrappedKey: row.wrapped_key,
    keyId: row.key_id,
  })
  return { ...row, wrapped_key: wrappedKey, key_id: keyId }
}

/** A file is bound to its id and its merchant. The prefix tells it from the numbers of accounts. */
const ownerOf = ({ id, merchant }: { readonly id: string; readonly merchant: string }) => ({
  id: `evidence-${id}`,
  merchant,
})
