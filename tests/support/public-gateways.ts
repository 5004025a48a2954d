import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { manage } from './manage.ts'
import { type GatewayProcess, startGateway, temporaryFolder } from './process.ts'

// The gateways on which the tests of the public API run: one that processes payments itself, and one that forwards
// them to another gateway.

/** Where a gateway has its payments processed. It authenticates cardholders itself. */
export const gatewayKinds = ['alone', 'behind another gateway'] as const

/** Those of `gatewayKinds`, and a gateway without 3-D Secure whose upstream authenticates cardholders. */
export const kindsByAuthentication = [...gatewayKinds, 'behind another gateway that authenticates'] as const

export type GatewayKind = (typeof kindsByAuthentication)[number]

/** A running gateway, with the one behind which it is. */
export interface PublicGateway {
  readonly gateway: GatewayProcess
  readonly upstream: GatewayProcess | undefined
  /** Advances the clocks by a duration such as `PT6M`; resolves when the jobs that became due have run. */
  readonly advance: (duration: string) => Promise<void>
}

/** Starts a gateway, and the one behind it. `cleanUp` ends both. */
export const startPublicGateway = (kind: GatewayKind): Promise<PublicGateway> => starts[kind]()

const starts: Readonly<Record<GatewayKind, () => Promise<PublicGateway>>> = {
  async alone() {
    const gateway = await startGateway({ data: temporaryFolder() })
    return { gateway, upstream: undefined, advance: (duration) => advance(gateway, duration) }
  },
  'behind another gateway': () => startBehind((_, upstream) => upstream),
  'behind another gateway that authenticates': () => startBehind((gateway) => gateway),
}

/** @param unauthenticated selects the gateway that has no 3-D Secure, so that no cardholder is authenticated twice */
async function startBehind(
  unauthenticated: (gateway: GatewayProcess, upstream: GatewayProcess) => GatewayProcess,
): Promise<PublicGateway> {
  const [gateway, upstream] = await Promise.all([
    startGateway({ data: temporaryFolder() }),
    startGateway({ data: temporaryFolder() }),
  ])
  await connectUpstream(gateway, upstream)
  const settings = { threeDSecure: 'off' }
  await manage(unauthenticated(gateway, upstream), 'PATCH', `/entities/${sandboxIds.channel}`, { settings })
  return {
    gateway,
    upstream,
    async advance(duration) {
      // The banks and issuers have the clock of the upstream.
      await advance(upstream, duration)
      await advance(gateway, duration)
    },
  }
}

const advance = async (gateway: GatewayProcess, duration: string): Promise<void> =>
  void (await manage(gateway, 'POST', '/clock', { advance: duration }))

/** The connector's name, and the path at which the gateway gets its notifications. */
const PROVIDER = 'provider'
export const NOTIFICATIONS = `/pages/connectors/${PROVIDER}/notifications`

/** The connector to an account of the sandbox at another gateway, as an operator creates it. */
export const providerConnector = (baseUrl: string, notificationKey: string) => ({
  name: PROVIDER,
  kind: 'upstream',
  settings: { baseUrl, entityId: sandboxIds.channel, verificationCurrency: 'EUR' },
  credentials: { accessToken: sandboxToken, notificationKey },
})

/** Routes all payments to the connector. */
export const providerRoutes = {
  routes: [{ name: 'all', when: { testModes: ['INTERNAL', 'EXTERNAL'] }, targets: [{ connector: PROVIDER }] }],
}

/**
 * Sends all payments of the sandbox merchant to another gateway, as an operator does: a webhook there, a connector with
 * its key here, and routes.
 *
 * @param baseUrl the upstream's address, or that of a proxy before it
 */
export async function connectUpstream(
  gateway: GatewayProcess,
  upstream: GatewayProcess,
  baseUrl: string = upstream.url,
): Promise<void> {
  const { id, key } = await manage<{ readonly id: string; readonly key: string }>(upstream, 'POST', '/webhooks', {
    entityId: sandboxIds.channel,
    url: gateway.url + NOTIFICATIONS,
  })
  await manage(gateway, 'POST', '/connectors', providerConnector(baseUrl, key))
  await manage(gateway, 'PUT', `/entities/${sandboxIds.merchant}/routes`, providerRoutes)
  // The first delivery, a test, activates the webhook.
  await manage(upstream, 'POST', `/webhooks/${id}/test`)
}
