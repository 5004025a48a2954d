import { serveAssets } from '../http/asset.ts'
import type { Simulator, SimulatorEnvironment } from '../simulator.ts'
import { createCalls, type Send } from './calls.ts'
import { createBankPayments } from './payments.ts'
import { providerRoutes } from './provider-routes.ts'
import { shopperRoutes } from './shopper-routes.ts'
import { bankIcon, bankStyle } from './style.ts'

/**
 * Creates one simulator of banks, wallets, vouchers and other providers with pages for shoppers. The brand of a payment
 * determines the look of its page. Pending payments are completed, and failed calls repeated, when they are due by the
 * clock. All state is in memory.
 */
export function createBank(environment: SimulatorEnvironment, send: Send): Simulator {
  const { clock, random } = environment
  const calls = createCalls(clock, send)
  const payments = createBankPayments(clock, random, ({ id, order }) => {
    if (order.notificationUrl === '') return
    calls.add({ method: 'POST', url: order.notificationUrl, body: JSON.stringify({ id }) }, true)
  })
  return {
    register(server) {
      server.addHook('onRequest', async () => payments.advance())
      server.addHook('onResponse', async () => void calls.sendDue())
      serveAssets(server, [bankStyle, bankIcon])
      providerRoutes(server, environment, payments)
      shopperRoutes(server, { payments, clock, calls })
    },
    async advance() {
      payments.advance()
      await calls.sendDue()
    },
  }
}
