import { sandboxIds } from '@tollgate/gateway'
import { type Body, bodyOf } from '../support/http.ts'
import { authorization, cardPayment, type Form, post } from '../support/payments.ts'
import { type GatewayKind, startPublicGateway } from '../support/public-gateways.ts'

/**
 * The program as its users start it, with the sample shop, the banks and the issuers, each on its own origin. All have
 * the clock of the gateway.
 */
export interface ShopEnvironment {
  readonly shopUrl: string
  /** Sends a card payment as the shop's server does, with changes of its form. */
  readonly pay: (changes: Form) => Promise<Body>
  /** Reads a `resourcePath` from the gateway as the shop's server does. */
  readonly read: (resourcePath: string) => Promise<Body>
  /** All payments of an order of the shop. */
  readonly paymentsOf: (orderId: string) => Promise<readonly Body[]>
  /** Fast-forwards the clock, and resolves when the jobs that became due have run. */
  readonly fastForward: (minutes: number) => Promise<void>
}

/** Starts the gateway of a kind, which `cleanUp` ends. */
export async function startShopEnvironment(kind: GatewayKind): Promise<ShopEnvironment> {
  const { gateway, advance } = await startPublicGateway(kind)
  const [, shopUrl = ''] = /sample shop +(\S+)/.exec(gateway.stdout()) ?? []
  const request = async (path: string): Promise<Body> =>
    bodyOf(await gateway.client.send({ method: 'GET', path, headers: authorization }))
  return {
    shopUrl,
    pay: async (changes) => bodyOf(await gateway.client.send(post('/v1/payments', cardPayment(changes)))),
    read: (resourcePath) => request(`${resourcePath}?entityId=${sandboxIds.channel}`),
    paymentsOf: async (orderId) => {
      const { payments } = await request(`/v1/query?entityId=${sandboxIds.channel}&merchantTransactionId=${orderId}`)
      return Array.isArray(payments) ? payments : []
    },
    fastForward: (minutes) => advance(`PT${minutes}M`),
  }
}
