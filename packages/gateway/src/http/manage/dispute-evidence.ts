import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { evidenceKinds, evidenceTypes } from '@tollgate/domain'
import {
  addEvidence,
  type EvidenceResult,
  limits as operationLimits,
  readEvidence,
  removeEvidence,
  type RemovalResult,
} from '@tollgate/operations'
import type { DisputeEvidenceRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { existingDispute } from './disputes.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById, Id, strictObject } from './schemas.ts'

/** The type of an upload that states none. */
const ANY_TYPE = 'application/octet-stream'
/** The types of uploads, by which a body is read as a stream. */
const UPLOAD_TYPES = [...evidenceTypes, ANY_TYPE]

const EvidencePath = Type.Object({ id: Id, evidenceId: Id })
const Upload = strictObject({
  kind: Type.Enum([...evidenceKinds]),
  name: Type.String({ pattern: String.raw`^[^\p{C}/\\]{1,${operationLimits.evidenceNameCharsMax}}$` }),
})

/** Stores the evidence of disputes, lists, returns and erases it. */
export function disputeEvidenceRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage } = gateway
  /** Uploads and downloads in progress, each of which has its file in memory. */
  let transfers = 0

  async function transfer<Result>(work: () => Promise<Result>): Promise<Result> {
    if (transfers >= limits.evidenceTransfersMax)
      throw new ManageError(429, 'Too many files are being transferred: retry.')
    transfers += 1
    try {
      return await work()
    } finally {
      transfers -= 1
    }
  }

  async function existingEvidence(disputeId: string, id: string): Promise<DisputeEvidenceRow> {
    const rows = await storage.evidenceOf((await existingDispute(gateway, disputeId)).id)
    const row = rows.find((each) => each.id === id && each.stored === 1)
    if (row) return row
    throw new ManageError(404, `The dispute ${disputeId} has no evidence ${id}.`)
  }

  return async (server) => {
    server.removeAllContentTypeParsers()
    server.addContentTypeParser(UPLOAD_TYPES, (_request, payload, done) => done(null, payload))
    server.addContentTypeParser('*', (_request, _payload, done) =>
      done(new ManageError(415, `Send the file as the body, with one of the types ${UPLOAD_TYPES.join(', ')}.`)),
    )
    server.post(
      '/disputes/:id/evidence',
      { schema: { params: ById, querystring: Upload, body: Type.Any() } },
      async ({ params, query, body, headers }, reply) => {
        const dispute = await existingDispute(gateway, params.id)
        if (!(body instanceof Readable)) throw evidenceError({ kind: 'empty' })
        if (Number(headers['content-length'] ?? 0) > operationLimits.evidenceBytesMax) throw tooLarge()
        const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
        const statedType = type === ANY_TYPE ? undefined : type
        const result = await transfer(async () => {
          const content = await contentOf(body)
          return addEvidence(gateway, dispute, { ...query, statedType, content })
        })
        if (result.kind !== 'added') throw evidenceError(result)
        return reply.code(201).send(evidenceView(result.row))
      },
    )
    server.get('/disputes/:id/evidence', { schema: { params: ById } }, async ({ params }) => {
      const { id } = await existingDispute(gateway, params.id)
      const rows = await storage.evidenceOf(id)
      return { evidence: rows.filter(({ stored }) => stored === 1).map(evidenceView) }
    })
    server.get(
      '/disputes/:id/evidence/:evidenceId',
      { schema: { params: EvidencePath } },
      async ({ params }, reply) => {
        const row = await existingEvidence(params.id, params.evidenceId)
        const { merchant } = await existingDispute(gateway, params.id)
        const content = await transfer(() => readEvidence(gateway, row, merchant))
        if (!content) throw new ManageError(404, `The evidence ${row.id} is being deleted.`)
        return reply
          .header('content-disposition', `attachment; filename*=UTF-8''${fileNameOf(row)}`)
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'no-store')
          .type(row.content_type)
          .send(content)
      },
    )
    server.delete(
      '/disputes/:id/evidence/:evidenceId',
      { schema: { params: EvidencePath } },
      async ({ params }, reply) => {
        const result = await removeEvidence(gateway, await existingEvidence(params.id, params.evidenceId))
        if (result !== 'removed') throw removalErrors[result]
        return reply.code(204).send()
      },
    )
  }
}

/** The content of an upload. Beyond the maximum it is not read, but not destroyed either: the answer is sent first. */
async function contentOf(body: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > operationLimits.evidenceBytesMax) break
  }
  return Buffer.concat(chunks)
}

/** The name for a header: percent-encoded, so that it contains neither quotes nor line breaks. */
const fileNameOf = ({ name }: DisputeEvidenceRow): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

const MIB = 1024 * 1024

function tooLarge(): ManageError {
  const { evidenceBytesMax, evidenceTotalBytesMax } = operationLimits
  const [file, dispute] = [evidenceBytesMax / MIB, evidenceTotalBytesMax / MIB]
  const message = `A file has at most ${file} MiB, and the files of a dispute ${dispute} MiB.`
  return new ManageError(413, message)
}

const accepted = evidenceTypes.join(', ')

function evidenceError(result: Exclude<EvidenceResult, { kind: 'added' }>): ManageError {
  switch (result.kind) {
    case 'closed':
      return new ManageError(409, 'The dispute is closed: it accepts no evidence.')
    case 'empty':
      return new ManageError(400, 'The file is empty.')
    case 'archive':
      return new ManageError(415, `The file is an archive: unpack it, and send its documents as ${accepted}.`)
    case 'otherType':
      return new ManageError(415, `The content of the file is of another type than ${accepted}.`)
    case 'mismatch':
      return new ManageError(415, `The content of the file is ${result.type}: send it with this content type.`)
    case 'tooMany':
      return new ManageError(
        409,
        `A dispute has at most ${operationLimits.evidenceFilesMax} files: delete one, or join documents.`,
      )
    case 'tooLarge':
      return tooLarge()
    case 'stale':
      return new ManageError(409, 'The dispute was changed concurrently: read it again and retry.')
  }
}

const removalErrors: Readonly<Record<Exclude<RemovalResult, 'removed'>, ManageError>> = {
  sent: new ManageError(409, 'The file was sent to the issuer, and is kept.'),
  stale: new ManageError(409, 'The file was changed concurrently: read it again and retry.'),
}

const evidenceView = (row: DisputeEvidenceRow) => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  contentType: row.content_type,
  sizeBytes: row.size_bytes,
  sha256: row.digest,
  createdAt: timeOf(row.created_at_ms),
  sentAt: timeOf(row.sent_at_ms),
})
