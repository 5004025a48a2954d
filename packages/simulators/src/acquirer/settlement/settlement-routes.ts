import { isCalendarDate } from '@tollgate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TextRequest } from '../../http/server.ts'
import type { Clock } from '../../simulator.ts'
import type { AcquirerHost } from '../host.ts'
import type { DisputeStage } from './bookings.ts'
import { decideDispute, parseDispute } from './disputes.ts'
import type { receiveClearingFile } from './receive-clearing-file.ts'
import { fileFaults, isFileFaultName } from './row-faults.ts'
import {
  type FileRequest,
  type FileSource,
  hostFileFormats,
  isHostFileFormatName,
  type MissingFile,
  missingFileOf,
  settlementFileOf,
} from './settlement-file.ts'

/** A name that occurs several times has a list of values. */
interface FileQuery {
  readonly date?: string
  readonly format?: string
  readonly merchant?: string | readonly string[]
  readonly fault?: string
}

const missingFileTexts: Readonly<Record<MissingFile, string>> = {
  notEnded: 'the business day has not ended by the clock of the host; wait for its cut-off, or move the clock',
  beforeFirstDay: 'the host had no transactions until this day',
  forgotten: 'the host has too many transactions to remember those of this day',
}

interface RouteParts {
  readonly host: AcquirerHost
  readonly files: FileSource
  readonly clock: Clock
  /** Reads a clearing file. */
  readonly receive: (bytes: Uint8Array) => ReturnType<typeof receiveClearingFile>
}

/** Adds the settlement files of the host, the clearing files that it reads, and the chargebacks that appear in them. */
export function settlementRoutes(server: FastifyInstance, { host, files, clock, receive }: RouteParts): void {
  server.get(
    '/acquirer/settlement-files',
    async ({ query }: FastifyRequest<{ Querystring: FileQuery }>, reply): Promise<FastifyReply> => {
      const request = fileRequestOf(query)
      if ('problem' in request) return reply.code(400).send({ code: 'invalidRequest', message: request.problem })
      const missing = missingFileOf(files, request, clock.now())
      if (missing !== undefined) return reply.code(404).send({ code: missing, message: missingFileTexts[missing] })
      return sendFile(reply, files, request)
    },
  )

  server.post('/acquirer/clearing-files', async ({ body }: TextRequest, reply) => {
    if (host.isFull()) return reply.code(503).send({ code: 'journalFull', message: 'the journal of the host is full' })
    const received = await receive(Buffer.from(body))
    return 'kind' in received ? reply.code(400).send({ code: 'invalidFile', ...received }) : reply.send(received)
  })

  const dispute = (stage: DisputeStage) => async (request: TextRequest, reply: FastifyReply) => {
    if (host.isFull()) return reply.code(503).send({ code: 'journalFull', message: 'the journal of the host is full' })
    const parsed = parseDispute(request.body)
    if ('problem' in parsed) return reply.code(400).send({ code: 'invalidDispute', message: parsed.problem })
    const decided = decideDispute(host.state, stage, parsed, files.businessDays.dayOf(clock.now()))
    if ('status' in decided) return reply.code(decided.status).send({ code: decided.code, message: decided.message })
    await host.change([decided.change])
    return reply.code(201).send(decided.dispute)
  }
  server.post('/acquirer/chargebacks', dispute('CHARGEBACK'))
  server.post('/acquirer/chargeback-reversals', dispute('CHARGEBACK REVERSAL'))
}

function fileRequestOf({
  date = '',
  format = 'csv',
  merchant,
  fault,
}: FileQuery): FileRequest | { readonly problem: string } {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !isCalendarDate(date)) return { problem: 'date must be a day, yyyy-MM-dd' }
  if (!isHostFileFormatName(format))
    return { problem: `format must be one of ${Object.keys(hostFileFormats).join(', ')}` }
  if (merchant !== undefined && !isMerchantId(merchant))
    return { problem: 'merchant must be the id in field 42, of up to 15 characters' }
  if (fault !== undefined && !isFileFaultName(fault))
    return { problem: `fault must be one of ${Object.keys(fileFaults).join(', ')}` }
  return { day: date, format, merchant, fault }
}

const isMerchantId = (merchant: string | readonly string[]): merchant is string =>
  typeof merchant === 'string' && /^[\x21-\x7e]{1,15}$/.test(merchant)

/** Sends a file; 409 if the format cannot express its values. */
function sendFile(reply: FastifyReply, files: FileSource, request: FileRequest): FastifyReply {
  try {
    return reply.type(hostFileFormats[request.format].contentType).send(settlementFileOf(files, request))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return reply.code(409).type('application/json').send({ code: 'notExpressible', message: error.message })
  }
}
