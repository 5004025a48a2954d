import type { AccessTokenRow, EntityRow } from '@tollgate/storage'
import type { EntitySettings } from './entity-settings.ts'

/** The merchant that every test environment starts with: the same on every machine, so that examples just work. */
export const sandboxIds = {
  psp: '70119a7e5eed000000000000000000f0',
  division: '70119a7e5eed000000000000000000d0',
  merchant: '70119a7e5eed000000000000000000e0',
  /** Everything on; 3-D Secure for enrolled cards on requests that can redirect. */
  channel: '70119a7e5eed00000000000000000c00',
  /** 3-D Secure always. */
  secureChannel: '70119a7e5eed00000000000000000c3d',
  /** For clients that send what older versions of this wire format allowed. */
  legacyChannel: '70119a7e5eed00000000000000000c1e',
  /** Legacy, and 3-D Secure always. */
  secureLegacyChannel: '70119a7e5eed00000000000000001e3d',
  /** MASTER only, legacy. */
  masterChannel: '70119a7e5eed00000000000000000c0a',
  user: '70119a7e5eed000000000000000000ee',
} as const

const ids: ReadonlySet<string> = new Set(Object.values(sandboxIds))

/** Whether an entity or a token is one that every sandbox has, whose token is published. */
export const isOfSandbox = ({ id }: { readonly id: string }): boolean => ids.has(id)

/** base64 of `userId|password`, as clients of this wire format build it. */
export const sandboxToken = Buffer.from(`${sandboxIds.user}|sandbox`).toString('base64')

interface SandboxEntity {
  readonly id: string
  readonly parent: string | null
  readonly kind: EntityRow['kind']
  readonly name: string
  readonly settings: EntitySettings
}

/** A published example of an IBAN, with the code of its bank. */
const bankAccount = {
  holder: 'Sandbox merchant',
  number: 'DE02701500000000594937',
  bic: 'SSKMDEMMXXX',
  country: 'DE',
} as const

const entities: readonly SandboxEntity[] = [
  { id: sandboxIds.psp, parent: null, kind: 'psp', name: 'Sandbox PSP', settings: {} },
  { id: sandboxIds.division, parent: sandboxIds.psp, kind: 'division', name: 'Sandbox division', settings: {} },
  {
    id: sandboxIds.merchant,
    parent: sandboxIds.division,
    kind: 'merchant',
    name: 'Sandbox merchant',
    settings: { bankAccount },
  },
  channel(sandboxIds.channel, 'Sandbox', { threeDSecure: 'enrolled', pointOfSale: true }),
  channel(sandboxIds.secureChannel, 'Sandbox 3-D Secure', { threeDSecure: 'always' }),
  channel(sandboxIds.legacyChannel, 'Sandbox legacy', { compatibility: 'legacy' }),
  channel(sandboxIds.secureLegacyChannel, 'Sandbox legacy 3-D Secure', {
    compatibility: 'legacy',
    threeDSecure: 'always',
  }),
  channel(sandboxIds.masterChannel, 'Sandbox Mastercard', { compatibility: 'legacy', brands: ['MASTER'] }),
]

function channel(id: string, name: string, settings: EntitySettings): SandboxEntity {
  return { id, parent: sandboxIds.merchant, kind: 'channel', name, settings }
}

/** The sandbox as rows. `hash` is the keyed hash under which access tokens are stored. */
export function sandbox(
  hash: (token: string) => Uint8Array,
  nowMs: number,
): { readonly entity: readonly EntityRow[]; readonly access_token: readonly AccessTokenRow[] } {
  return {
    entity: entities.map(({ id, parent, kind, name, settings }) => ({
      id,
      merchant: kind === 'merchant' || kind === 'channel' ? sandboxIds.merchant : '',
      parent_id: parent,
      kind,
      name,
      settings: JSON.stringify(settings),
      created_at_ms: nowMs,
    })),
    access_token: [
      {
        id: sandboxIds.user,
        entity_id: sandboxIds.merchant,
        user_id: sandboxIds.user,
        hash: hash(sandboxToken),
        rights: '',
        created_at_ms: nowMs,
        expires_at_ms: null,
        revoked_at_ms: null,
      },
    ],
  }
}
