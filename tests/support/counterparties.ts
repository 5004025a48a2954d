import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createThreeDSecureSimulator,
  type RunningSimulators,
  type Simulator,
  type SimulatorEnvironment,
  startSimulators,
} from '@tollgate/simulators'
import type { GatewayProcess } from './process.ts'

/** A payment at the bank of these tests, which sends notifications only as requests of the test. */
interface BankPayment {
  readonly id: string
  readonly order: { readonly reference: string; readonly returnUrl: string; readonly amount: string }
  state: 'open' | 'paid' | 'cancelled'
  /** The number of requests that opened the payment. */
  opened: number
  /** The number of requests that refunded the payment. */
  refunds: number
}

/** Bank, issuers and shop in the process of the test, and the requests that they received. */
export interface Counterparties {
  readonly url: string
  /** The address of the shop, which checkouts contain as `shopperResultUrl`. */
  readonly shopUrl: string
  /** The number of requests to the shop, by path and query. */
  readonly shopRequests: ReadonlyMap<string, number>
  readonly bankPayments: readonly BankPayment[]
  /** The gateways to which issuers send each result, several times. */
  notifiedGateways: readonly GatewayProcess[]
  close(): Promise<void>
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** The number of times that an issuer sends the same notification. */
const NOTIFICATIONS = 10

export async function startCounterparties(): Promise<Counterparties> {
  const shopRequests = new Map<string, number>()
  const bankPayments: BankPayment[] = []
  const shop = createServer(({ url = '' }, response) => {
    shopRequests.set(url, (shopRequests.get(url) ?? 0) + 1)
    response.end()
  })
  const shopUrl = await listen(shop)
  const notifyGateways = async (_url: string, body: string): Promise<string | undefined> => {
    const sending = Array.from({ length: NOTIFICATIONS }, (_, index) => {
      const request = { method: 'POST', path: '/pages/authentications/results', headers: JSON_TYPE, body }
      return gatewayOf(counterparties.notifiedGateways, index).client.send(request)
    })
    return (await Promise.all(sending)).find(({ status }) => status === 200)?.text
  }
  const running: RunningSimulators = await startSimulators({
    host: '127.0.0.1',
    port: 0,
    create: (environment) => [
      bankOf(environment, bankPayments),
      createThreeDSecureSimulator(environment, notifyGateways),
    ],
  })
  const counterparties: Counterparties = {
    url: running.url,
    shopUrl,
    shopRequests,
    bankPayments,
    notifiedGateways: [],
    async close() {
      shop.closeAllConnections()
      shop.close()
      await running.close()
    },
  }
  return counterparties
}

/** Starts the shop's server. @returns its `shopperResultUrl` */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  return `http://127.0.0.1:${port}/done`
}

function bankOf(environment: SimulatorEnvironment, payments: BankPayment[]): Simulator {
  const view = ({ id, order, state }: BankPayment) => ({
    ...order,
    id,
    state,
    redirectUrl: `${environment.url}/bank/${id}`,
  })

  function open(order: BankPayment['order']) {
    const existing = payments.find((payment) => payment.order.reference === order.reference)
    const payment: BankPayment = existing ?? { id: `b${payments.length}`, order, state: 'open', opened: 0, refunds: 0 }
    payment.opened += 1
    if (!existing) payments.push(payment)
    return view(payment)
  }

  return {
    register(server) {
      const find = ({ params }: { params: { id: string } }) => payments.find(({ id }) => id === params.id)
      server.post<{ Body: string }>('/bank/payments', async ({ body }, reply) =>
        reply.code(201).send(open(JSON.parse(body))),
      )
      server.get<{ Params: { id: string } }>('/bank/payments/:id', async (request, reply) => {
        const payment = find(request)
        return payment ? reply.send(view(payment)) : reply.code(404).send()
      })
      server.post<{ Params: { id: string } }>('/bank/payments/:id/refunds', async (request, reply) => {
        const payment = find(request)
        if (!payment) return reply.code(404).send()
        payment.refunds += 1
        return reply.code(201).send(view(payment))
      })
    },
    advance: async () => undefined,
  }
}

/** The gateway at an index, modulo the length of the list. */
export const gatewayOf = (gateways: readonly GatewayProcess[], index: number): GatewayProcess => {
  const gateway = gateways[index % gateways.length]
  if (!gateway) throw new Error('the list of gateways is empty')
  return gateway
}
