import { plain } from '../http/answers.ts'
import type { Simulator, SimulatorWorld } from '../http/exchange.ts'
import { routeOf, router } from '../http/routes.ts'
import { createCalls, type Send } from './calls.ts'
import { bankIcon, bankStyle } from './style.ts'
import { createBankPayments } from './payments.ts'
import { providerRoutes } from './provider-routes.ts'
import { shopperRoutes } from './shopper-routes.ts'

/**
 * Banks, wallets, vouchers and whoever else shoppers are sent to, in one: what they look like is told by the brand. As
 * time passes, payments end that were to end later, and calls are made again that failed. All is in memory.
 */
export function createBank({ url, clock, random, send }: SimulatorWorld & { readonly send: Send }): Simulator {
  const calls = createCalls(clock, send)
  const payments = createBankPayments(clock, random, ({ id, order }) => {
    if (order.notificationUrl === '') return
    calls.add({ method: 'POST', url: order.notificationUrl, body: JSON.stringify({ id }) }, true)
  })
  const routes = [
    ...providerRoutes(url, payments),
    routeOf(bankStyle),
    routeOf(bankIcon),
    ...shopperRoutes({ payments, clock, calls }),
  ]
  const route = router(routes, () => plain(404, 'there is nothing here\n'))
  const advance = async (): Promise<void> => {
    payments.settleDue()
    await calls.makeDue()
  }

  return {
    async handle(request) {
      payments.settleDue()
      const response = await route(request)
      // Whoever asked does not wait until somebody else has been told.
      void calls.makeDue()
      return response
    },
    advance,
  }
}
