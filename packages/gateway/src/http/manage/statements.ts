import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { monthIn, statementOf, statementRows, statementView } from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { Id } from './schemas.ts'
import { accepts } from '../accepts.ts'
import { sendReport } from './send-report.ts'
import { statementPage, statementPolicy } from './statement-page.ts'

const Params = Type.Object({ merchantId: Id, month: Type.String({ maxLength: 7 }) })

/** Shows the statement of a merchant for a month: as JSON, as CSV, or as a page to print. */
export function statementRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/statements/:merchantId/:month', { schema: { params: Params } }, async (request, reply) => {
      const { merchantId, month } = request.params
      const merchant = existingEntity(gateway, merchantId)
      if (merchant.kind !== 'merchant')
        throw new ManageError(404, `${merchantId} is a ${merchant.kind}, not a merchant.`)
      const range = monthIn(month)
      if (!range) throw new ManageError(404, 'The path ends with a month such as 2027-01.')
      const statement = await statementOf(gateway, merchant, range)
      if (accepts(request, 'text/csv')) return sendReport(gateway, request, reply, statementRows(statement))
      reply.header('vary', 'accept')
      if (!accepts(request, 'text/html')) return statementView(statement)
      return reply
        .header('content-security-policy', statementPolicy)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(statementPage(statementView(statement)))
    })
  }
}
