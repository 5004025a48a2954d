import type { AccessTokenRow, EntityRow } from '@tollgate/storage'
import type { EntitySettings } from './entity-settings.ts'

/** The ids of the sandbox. They are the same in every test environment, so that examples work unchanged. */
export const sandboxIds = {
  psp: '70119a7e5eed000000000000000000f0',
  division: '70119a7e5eed000000000000000000d0',
  merchant: '70119a7e5eed000000000000000000e0',
  /** 3-D Secure for enrolled cards, in requests that allow a redirect; terminals are allowed. */
  channel: '70119a7e5eed00000000000000000c00',
  /** 3-D Secure for every card. */
  secureChannel: '70119a7e5eed00000000000000000c3d',
  /** `compatibility: legacy`, for clients of older platforms. */
  legacyChannel: '70119a7e5eed00000000000000000c1e',
  /** Legacy, with 3-D Secure for every card. */
  secureLegacyChannel: '70119a7e5eed00000000000000001e3d',
  /** Legacy, with the brand MASTER only. */
  mastercardChannel: '70119a7e5eed00000000000000000c0a',
  user: '70119a7e5eed000000000000000000ee',
} as const

const ids: ReadonlySet<string> = new Set(Object.values(sandboxIds))

/** Whether an entity or token has one of the published ids. Entities that were added below the sandbox do not. */
export const isOfSandbox = ({ id }: { readonly id: string }): boolean => ids.has(id)

/** base64 of `userId|password`, the format of access tokens. */
export const sandboxToken = Buffer.from(`${sandboxIds.user}|sandbox`).toString('base64')

interface SandboxEntity {
  readonly id: string
  readonly parent: string | null
  readonly kind: EntityRow['kind']
  readonly name: string
  readonly settings: EntitySettings
}

/** A published example of an IBAN, with its BIC. */
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
  channel(sandboxIds.channel, 'Sandbox', { threeDSecure: 'enrolled', pointOfSale: true, offlineSales: true }),
  channel(sandboxIds.secureChannel, 'Sandbox 3-D Secure', { threeDSecure: 'always' }),
  channel(sandboxIds.legacyChannel, 'Sandbox legacy', { compatibility: 'legacy' }),
  channel(sandboxIds.secureLegacyChannel, 'Sandbox legacy 3-D Secure', {
    compatibility: 'legacy',
    threeDSecure: 'always',
  }),
  channel(sandboxIds.mastercardChannel, 'Sandbox Mastercard', { compatibility: 'legacy', brands: ['MASTER'] }),
]

function channel(id: string, name: string, settings: EntitySettings): SandboxEntity {
  return { id, parent: sandboxIds.merchant, kind: 'channel', name, settings }
}

/** Creates the rows of the sandbox. @param hash computes the keyed hash under which a token is stored */
export function createSandboxRows(
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
