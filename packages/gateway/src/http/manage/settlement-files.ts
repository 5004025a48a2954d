import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ageingBucketOf, dayAt, isBreak } from '@tollgate/domain'
import {
  acceptStatement,
  type AcceptResult,
  matchByHand,
  type MatchResult,
  receiveFile,
  recordLines,
  rowIn,
  undoMatch,
} from '@tollgate/operations'
import type { SettlementFileRow, SettlementRowRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { existingEntity } from './entities.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById, Id, strictObject } from './schemas.ts'

const Day = Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' })
const RowPath = Type.Object({ id: Id, number: Type.String({ pattern: '^[1-9][0-9]{0,9}$' }) })
const After = Type.Optional(Type.String({ pattern: '^[0-9]{1,10}$' }))
const Reason = Type.String({ minLength: 1, maxLength: limits.matchReasonCharsMax })
const Match = strictObject({
  transactionId: Id,
  reason: Reason,
  differingAmount: Type.Optional(Type.Boolean()),
})

/** The types of files, by which a body is read as a stream. */
const FILE_TYPES = ['text/csv', 'text/plain', 'application/xml', 'text/xml', 'application/octet-stream']

/**
 * Receives settlement files, shows them with their rows, matches rows by hand, and writes the reconciliation file of a
 * merchant.
 */
export function settlementFileRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage, clock } = gateway

  async function existingFile(id: string): Promise<SettlementFileRow> {
    const file = await storage.settlementFile(id)
    if (file) return file
    throw new ManageError(404, `There is no settlement file ${id}.`)
  }
  async function existingRow({ id, number }: { readonly id: string; readonly number: string }) {
    const row = await storage.settlementRow((await existingFile(id)).id, Number(number))
    if (row) return row
    throw new ManageError(404, `The settlement file ${id} has no row ${number}.`)
  }

  return async (server) => {
    server.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload))
    server.post(
      '/settlement-files',
      {
        schema: {
          querystring: strictObject({ name: Type.Optional(Type.String({ maxLength: 255 })) }),
          body: Type.Any(),
        },
      },
      async ({ query, body }, reply) => {
        if (!(body instanceof Readable))
          throw new ManageError(415, `Send the file as the body, with one of the types ${FILE_TYPES.join(', ')}.`)
        const received = await receiveFile(gateway, { name: query.name ?? '', arrivedBy: 'upload', chunks: body })
        if (!('file' in received)) throw uploadRefusals[received.kind]
        return reply.code(received.kind === 'received' ? 201 : 200).send(fileView(received.file))
      },
    )
    server.get(
      '/settlement-files',
      { schema: { querystring: strictObject({ before: Type.Optional(Id) }) } },
      async ({ query }) => {
        const before = query.before === undefined ? undefined : await existingFile(query.before)
        const [atMs, id] = before ? [before.created_at_ms, before.id] : [Number.MAX_SAFE_INTEGER, '']
        const files = await storage.settlementFilesBefore(atMs, id, limits.listMax)
        return { files: files.map(fileView), next: files.length === limits.listMax ? files.at(-1)?.id : undefined }
      },
    )
    server.get('/settlement-files/:id', { schema: { params: ById } }, async ({ params }) =>
      fileView(await existingFile(params.id)),
    )
    server.post(
      '/settlement-files/:id/accept',
      { schema: { params: ById, body: strictObject({ reason: Reason }) } },
      async ({ params, body }) => accepted(await acceptStatement(gateway, await existingFile(params.id), body.reason)),
    )
    server.get(
      '/settlement-files/:id/rows',
      { schema: { params: ById, querystring: strictObject({ after: After }) } },
      async ({ params, query }) => {
        const { id } = await existingFile(params.id)
        const rows = await storage.settlementRowsAfter(id, Number(query.after ?? 0), limits.listMax)
        return { rows: rows.map(rowView), next: rows.length === limits.listMax ? rows.at(-1)?.number : undefined }
      },
    )
    server.put(
      '/settlement-files/:id/rows/:number/match',
      { schema: { params: RowPath, body: Match } },
      async ({ params, body }) => changed(await matchByHand(gateway, await existingRow(params), body)),
    )
    server.delete(
      '/settlement-files/:id/rows/:number/match',
      { schema: { params: RowPath, body: strictObject({ reason: Reason }) } },
      async ({ params, body }) => changed(await undoMatch(gateway, await existingRow(params), body.reason)),
    )
    server.get(
      '/settlement-breaks',
      { schema: { querystring: strictObject({ after: Type.Optional(Type.String({ pattern: BREAK_POSITION })) }) } },
      async ({ query }) => {
        const [day = '', file = '', number = '0'] = query.after?.split('/') ?? []
        const rows = await storage.openSettlementRowsAfter(day, file, Number(number), limits.listMax)
        const today = dayAt(clock.now())
        return {
          breaks: rows.map((row) => ({
            file: row.file_id,
            ...rowView(row),
            age: ageingBucketOf(row.settled_on, today),
            isBreak: isBreak(row.settled_on, today),
          })),
          next: rows.length === limits.listMax ? positionOf(rows.at(-1)) : undefined,
        }
      },
    )
    server.get(
      '/reconciliation-records/:id',
      {
        schema: {
          params: ById,
          querystring: strictObject({
            from: Day,
            to: Day,
            merchantReferences: Type.Optional(Type.Enum(['true', 'false'])),
            merchantMemo: Type.Optional(Type.Enum(['true', 'false'])),
          }),
        },
      },
      async ({ params, query }, reply) => {
        const { id: merchant, kind } = existingEntity(gateway, params.id)
        if (kind !== 'merchant') throw new ManageError(400, `The entity ${merchant} is a ${kind}: name a merchant.`)
        const { from, to } = query
        const options = {
          merchantReferences: query.merchantReferences === 'true',
          merchantMemo: query.merchantMemo === 'true',
        }
        if (from > to) throw new ManageError(400, 'querystring/to must not be before from')
        const lines = recordLines(gateway, { merchant, from, to, ...options })
        return reply.header('content-type', 'text/csv; charset=utf-8').send(Readable.from(lines, { objectMode: false }))
      },
    )
  }
}

/** The answers to files that are not stored. */
const uploadRefusals = {
  tooLarge: new ManageError(413, 'The file is too large: ask for smaller files.'),
  empty: new ManageError(400, 'The file is empty.'),
  archive: new ManageError(400, 'The file is an archive or compressed: send the file that it contains.'),
}

const BREAK_POSITION = '^[0-9-]{10}/[0-9a-f]{32}/[0-9]{1,10}$'

const positionOf = (row: SettlementRowRow | undefined): string | undefined =>
  row && `${row.settled_on}/${row.file_id}/${row.number}`

/** The answers to results that change nothing. */
const refusals: Readonly<Record<Exclude<MatchResult['kind'], 'changed'>, ManageError>> = {
  stale: new ManageError(
    409,
    'The row or its transaction was matched concurrently: read the row again and retry in a minute.',
  ),
  noCandidate: new ManageError(404, 'There is no approved transaction with this id at the institute of the row.'),
  isMatched: new ManageError(409, 'The row is matched: undo the match first.'),
  otherType: new ManageError(409, 'The transaction is of another type than the row.'),
  otherCurrency: new ManageError(409, 'The transaction is in another currency, and the row states no rate.'),
  amountDiffers: new ManageError(
    409,
    'The amounts differ: to match the row nevertheless, set differingAmount to true.',
  ),
  alreadyMatched: new ManageError(409, 'The transaction is matched to another row: undo that match first.'),
  notByHand: new ManageError(409, 'Only a match by hand can be undone.'),
  isChargedBack: new ManageError(409, 'The row has charged the payment back: record the reversal (CR) first.'),
}

function changed(result: MatchResult) {
  if (result.kind === 'changed') return rowView(result.row)
  throw refusals[result.kind]
}

/** The answers to statements that are not accepted. */
const acceptRefusals: Readonly<Record<Exclude<AcceptResult['kind'], 'changed'>, ManageError>> = {
  notWaiting: new ManageError(
    409,
    'Only a statement that is quarantined for its number or balance can be accepted, if its fileId is not repeated.',
  ),
  stale: new ManageError(409, 'The file was changed concurrently: read it again and retry.'),
}

function accepted(result: AcceptResult) {
  if (result.kind === 'changed') return fileView(result.file)
  throw acceptRefusals[result.kind]
}

const fileView = (file: SettlementFileRow) => ({
  id: file.id,
  name: file.name,
  arrivedBy: file.arrived_by,
  state: file.state,
  format: file.format,
  institute: file.institute,
  fileId: file.file_id,
  facts: file.facts === null ? null : (JSON.parse(file.facts) as unknown),
  fault: file.fault === null ? null : (JSON.parse(file.fault) as unknown),
  sizeBytes: file.size_bytes,
  rows: file.rows,
  rowsRead: file.rows_read,
  sha256: file.digest,
  createdAt: timeOf(file.created_at_ms),
  changedAt: timeOf(file.changed_at_ms),
})

const rowView = (row: SettlementRowRow) => ({
  number: row.number,
  matching: row.status,
  reason: row.reason,
  transactionId: row.transaction_id,
  candidates: row.candidates === null ? [] : (JSON.parse(row.candidates) as unknown),
  chargebackId: row.chargeback_id,
  settled: rowIn(row),
})
