import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TextRequest } from '../http/server.ts'
import { limits } from '../limits.ts'
import type { AcquirerCounters } from './connection.ts'
import { type FaultSwitch, knobs, parseFaults } from './faults.ts'
import type { AcquirerHost } from './host.ts'
import { batchViewOf, hasTransactions, newestTransactions, type TransactionFilter } from './views.ts'

type ViewRequest = FastifyRequest<{ Querystring: TransactionFilter & { readonly limit?: string } }>

/** Adds the views of the host for tests and developers, JSON over HTTP. */
export function acquirerRoutes(
  server: FastifyInstance,
  { host, faults, counters }: { host: AcquirerHost; faults: FaultSwitch; counters: AcquirerCounters },
): void {
  const totals = () => {
    const { batches, closedBatches } = host.state
    return {
      open: [...batches.values()].filter(hasTransactions).slice(-limits.acquirerRowsMax).map(batchViewOf),
      closed: [...closedBatches.values()].toReversed().slice(0, limits.acquirerRowsMax).map(batchViewOf),
    }
  }
  const effects = Object.fromEntries(Object.entries(knobs).map(([name, { effect }]) => [name, effect]))
  const sendFaults = (reply: FastifyReply): FastifyReply => reply.send({ faults: faults.list(), knobs: effects })

  server.get('/acquirer/transactions', async ({ query: { limit, ...filter } }: ViewRequest, reply) => {
    const max = limit !== undefined && /^[0-9]{1,6}$/.test(limit) ? Number(limit) : limits.acquirerRowsMax
    const transactions = newestTransactions(host.state, filter, Math.min(max, limits.acquirerTransactionRowsMax))
    return reply.send({ count: host.state.transactions.size, transactions })
  })
  server.get('/acquirer/totals', async (_request, reply) => reply.send({ ...totals(), counters }))
  server.get('/acquirer/faults', async (_request, reply) => sendFaults(reply))
  server.put('/acquirer/faults', async ({ body }: TextRequest, reply) => {
    const parsed = parseFaults(body)
    if ('problem' in parsed) return reply.code(400).send({ code: 'invalidFaults', message: parsed.problem })
    faults.replace(parsed.faults)
    return sendFaults(reply)
  })
  server.delete('/acquirer/faults', async (_request, reply) => {
    faults.replace([])
    return sendFaults(reply)
  })
  server.post('/acquirer/settle', async (_request, reply) => {
    const open = [...host.state.batches.values()].filter(hasTransactions)
    await host.closeBatches(open)
    return reply.send({ closed: open.slice(-limits.acquirerRowsMax).map(batchViewOf) })
  })
}
