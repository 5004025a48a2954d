import { Secret } from '@tollgate/contract'
import type { EntityRow, Unit } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import type { HostsConfig } from './config.ts'
import type { Endpoint, EndpointState } from './endpoints.ts'
import { routesTo } from './hosts/routes.ts'

/** A channel of a merchant, and the token of its requests. */
export interface Channel {
  readonly id: string
  readonly token: string
}

const id = (digits: string) => digits.padStart(32, '0')

const [firstMerchant, secondMerchant] = [id('a0'), id('b0')]
const tokenOf = (merchant: string) => Buffer.from(`${merchant}|simulated`).toString('base64')

/** The channels of two merchants. The last channel of the first merchant refuses duplicate merchantTransactionIds. */
export const channels: readonly Channel[] = [
  { id: id('a1'), token: tokenOf(firstMerchant) },
  { id: id('a2'), token: tokenOf(firstMerchant) },
  { id: id('b1'), token: tokenOf(secondMerchant) },
]

const entities: readonly (readonly [id: string, kind: EntityRow['kind'], parent: string | null, settings: object])[] = [
  [id('f0'), 'psp', null, {}],
  [id('d0'), 'division', id('f0'), {}],
  [firstMerchant, 'merchant', id('d0'), {}],
  [id('a1'), 'channel', firstMerchant, {}],
  [id('a2'), 'channel', firstMerchant, { uniqueMerchantTransactionId: true }],
  [secondMerchant, 'merchant', id('d0'), {}],
  [id('b1'), 'channel', secondMerchant, {}],
]

/** The webhooks, each subscribed to all events of its channels. */
export const webhooks: readonly { readonly id: string; readonly url: string; readonly channels: readonly string[] }[] =
  [
    { id: id('1a'), url: 'https://first.example/all', channels: [id('a1'), id('a2')] },
    { id: id('2a'), url: 'https://first.example/one', channels: [id('a1')] },
    { id: id('1b'), url: 'https://second.example/all', channels: [id('b1')] },
  ]

const entityOfWebhook = new Map([
  [id('1a'), firstMerchant],
  [id('2a'), id('a1')],
  [id('1b'), secondMerchant],
])

/** Whether the circuit breaker of an endpoint in this state stays closed. */
const isReliable = (state: EndpointState | undefined) => state === 'healthy' || state === 'slow'

export const endpointsIn = (states: readonly EndpointState[]): ReadonlyMap<string, Endpoint> =>
  new Map(
    webhooks.map(({ id: webhookId, url }, index) => [
      url,
      {
        webhookId,
        state: states[index] ?? 'healthy',
        isCircuitClosed: isReliable(states[index]),
        accepted: new Set(),
        unanswered: new Set(),
      },
    ]),
  )

const merchantOf = (entityId: string) =>
  entities.find(([storedId, kind]) => storedId === entityId && kind === 'channel')?.[2]

/** The unit with the merchants, tokens, webhooks and connectors that exist before the simulation begins. */
export async function initialUnit(vault: Vault, atMs: number, hosts: HostsConfig | undefined): Promise<Unit> {
  const keys = await Promise.all(
    webhooks.map(async ({ id: webhook_id }) => {
      const keyDigits = new Secret(Buffer.from(webhook_id.slice(-2).repeat(32), 'latin1'))
      const {
        sealed,
        wrappedKey: wrapped_key,
        keyId: key_id,
      } = await vault.seal(keyDigits, {
        id: webhook_id,
        merchant: webhook_id,
      })
      const times = { created_at_ms: atMs, starts_at_ms: atMs, ends_at_ms: null }
      return { id: webhook_id, merchant: '', webhook_id, sealed, wrapped_key, key_id, ...times }
    }),
  )
  return {
    id: 'initial',
    expectedVersions: [],
    rows: {
      entity: entities.map(([entityId, kind, parent_id, settings]) => ({
        id: entityId,
        merchant: kind === 'merchant' ? entityId : (merchantOf(entityId) ?? ''),
        parent_id,
        kind,
        name: `Simulated ${kind}`,
        settings: JSON.stringify(settings),
        created_at_ms: atMs,
      })),
      access_token: [firstMerchant, secondMerchant].map((merchant) => ({
        id: merchant,
        entity_id: merchant,
        user_id: merchant,
        hash: vault.mac('token', tokenOf(merchant)),
        rights: 'chargeback system',
        created_at_ms: atMs,
        expires_at_ms: null,
        revoked_at_ms: null,
      })),
      webhook: webhooks.map(({ id: webhookId, url }) => ({
        id: webhookId,
        merchant: '',
        entity_id: entityOfWebhook.get(webhookId) ?? '',
        url,
        settings: JSON.stringify({ types: ['PAYMENT', 'REGISTRATION'], fieldFilter: 'ALL', wrapper: 'text' }),
        state: 'active',
        created_at_ms: atMs,
        changed_at_ms: atMs,
        deleted_at_ms: null,
      })),
      webhook_key: keys,
      ...(hosts?.kind === 'routes' && routesTo(hosts, id('f0'), atMs)),
    },
  }
}
