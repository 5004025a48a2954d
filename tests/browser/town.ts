import { sandboxIds } from '@tollgate/gateway'
import { type Body, bodyOf } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { authorization, cardPayment, type Form, post } from '../support/payments.ts'
import { startGateway, temporaryFolder } from '../support/process.ts'

/**
 * The program as its users start it, with the sample shop beside it and the banks and issuers, each on an origin of its
 * own. All of them go by one clock.
 */
export interface Town {
  readonly shopUrl: string
  /** A card payment of the shop's server, with changes. */
  readonly pay: (changes: Form) => Promise<Body>
  /** The gateway's answer to the shop's server at a `resourcePath`. */
  readonly read: (resourcePath: string) => Promise<Body>
  /** Every payment of an order of the shop's. */
  readonly paymentsOf: (orderId: string) => Promise<readonly Body[]>
  /** Puts the clock forward; what falls due on the way has been done when it resolves. */
  readonly pass: (minutes: number) => Promise<void>
}

/** Starts them; `cleanUp` ends them. */
export async function startTown(): Promise<Town> {
  const gateway = await startGateway({ data: temporaryFolder() })
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
    pass: async (minutes) => void (await manage(gateway, 'POST', '/clock', { advance: `PT${minutes}M` })),
  }
}
