import { Readable } from 'node:stream'
import { errorFields, type Report } from '@tollgate/operations'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { accepts, CSV_TYPE } from '../accepts.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Streams a report as JSON, or as CSV if the header `Accept` names `text/csv`. */
export function sendReport(
  { log }: Pick<Gateway, 'log'>,
  request: FastifyRequest,
  reply: FastifyReply,
  report: Report,
): FastifyReply {
  const isCsv = accepts(request, 'text/csv')
  const stream = Readable.from(isCsv ? report.csv() : report.json(), { objectMode: false })
  // After an error the connection is closed, which shows the client that the report is incomplete.
  stream.on('error', (error) => {
    const operation = `manage ${request.method} ${request.routeOptions.url}`
    log.error({ requestId: request.id, operation, ...errorFields(error) })
  })
  return reply
    .header('vary', 'accept')
    .type(isCsv ? CSV_TYPE : JSON_TYPE)
    .send(stream)
}
