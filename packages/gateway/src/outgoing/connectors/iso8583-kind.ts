import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { isCountry, parseUrl } from '@tollgate/contract'
import { isTimeZone, type RouteMethod } from '@tollgate/domain'
import { isHeaderName } from '@tollgate/iso8583'
import { narrow, type TargetMembers } from '@tollgate/operations'
import { type Static, Type } from 'typebox'
import { bracketed } from '../../config.ts'
import { limits } from '../../limits.ts'
import { tlsPolicy } from '../../tls/policy.ts'
import { createHostConnector, type HostAccount } from '../host-connector.ts'
import { hostRefusal, type Rules } from '../target.ts'
import { type ConnectorKind, ConnectorSettingsError, type PreparedConnector } from './connector-kind.ts'
import { costs, costsOf } from './costs.ts'
import { checkAuthorities, checked, CLOSED, orRefused, Pem, PinnedKey } from './settings-checks.ts'

const text = (lengthMax: number) => Type.String({ pattern: `^[\\x20-\\x7e]{1,${lengthMax}}$` })

const profile = Type.Object(
  {
    name: text(40),
    spec: Type.Enum(['ascii1987', 'binary1987']),
    header: Type.Enum(['binary2', 'bcd2', 'ascii4', 'vmlh', 'tpdu']),
    acquirerId: Type.String({ pattern: '^[0-9]{1,11}$' }),
    forwarderId: Type.Optional(Type.String({ pattern: '^[0-9]{1,11}$' })),
    country: Type.String({ pattern: '^[0-9]{3}$' }),
    merchantId: Type.String({ pattern: '^[A-Za-z0-9 ]{1,15}$' }),
    merchantCategory: Type.String({ pattern: '^[0-9]{4}$' }),
    merchantName: text(25),
    merchantCity: text(13),
    merchantCountry: Type.String({ pattern: '^[A-Z]{2}$' }),
    timeZone: Type.String({ maxLength: 64 }),
    presentation: Type.Enum(['host', 'file']),
    cutOff: Type.Optional(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })),
  },
  CLOSED,
)

/** The settings of an account at a host by ISO 8583. */
const settings = Type.Object(
  {
    addresses: Type.Array(
      Type.Object(
        {
          host: Type.String({ minLength: 1, maxLength: 255 }),
          port: Type.Integer({ minimum: 1, maximum: limits.portMax }),
        },
        CLOSED,
      ),
      { minItems: 1, maxItems: limits.connectorAddressesMax },
    ),
    tls: Type.Optional(
      Type.Object(
        {
          ca: Type.Optional(Pem),
          pinnedKey: Type.Optional(PinnedKey),
          serverName: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9.-]{1,255}$' })),
        },
        CLOSED,
      ),
    ),
    profile,
    terminalIds: Type.Array(Type.String({ pattern: '^[A-Za-z0-9]{8}$' }), {
      minItems: 1,
      maxItems: limits.connectorTerminalsMax,
      uniqueItems: true,
    }),
    costs,
  },
  CLOSED,
)

/** The certificate of this client with its chain, and its key. */
const credentials = Type.Object({ certificate: Pem, key: Pem }, CLOSED)

type Settings = Static<typeof settings>

const methods: ReadonlySet<RouteMethod> = new Set(['card', 'tokenAccount', 'giftCard'])

/** Accounts at a host of an acquirer, by ISO 8583 on TCP or TLS. */
export const iso8583Kind: ConnectorKind = {
  methods,
  prepare(sent, rules) {
    const read = checked(settings, sent, 'settings')
    checkProfile(read.profile)
    for (const [index, { host }] of read.addresses.entries())
      checkAddress(host, read, rules, `settings/addresses/${index}/host`)
    checkAuthorities(read.tls?.ca)
    return {
      targets: targetsOf(read),
      exclusive: terminalsOf(read),
      // By it open captures are presented: by their messages or by the file, never by both.
      permanent: { 'settings/profile/presentation': read.profile.presentation },
      costs: costsOf(read.costs),
      create(name, secrets, { lookup, ...parts }) {
        return createHostConnector(accountOf(name, read, secrets, lookup), parts)
      },
      checkCredentials: (secrets) => checkClient(read, secrets),
    }
  },
}

/** The cut-off of accounts that state none. */
const MIDNIGHT = '00:00'

function accountOf(
  name: string,
  { addresses, tls, profile: sentProfile, terminalIds }: Settings,
  secrets: unknown,
  lookup: NonNullable<HostAccount['addresses'][number]['lookup']>,
): HostAccount {
  const client = secrets === undefined ? undefined : checked(credentials, secrets, 'credentials')
  const links = { lookup, tls: tls && { ...tls, cert: client?.certificate, key: client?.key } }
  return {
    name,
    profile: {
      ...sentProfile,
      header: narrow(isHeaderName, sentProfile.header),
      cutOff: sentProfile.cutOff ?? MIDNIGHT,
    },
    addresses: addresses.map((address) => ({ ...address, ...links })),
    terminalIds,
  }
}

function checkProfile({ merchantCountry, timeZone }: Settings['profile']): void {
  if (!isCountry(merchantCountry))
    throw new ConnectorSettingsError('settings/profile/merchantCountry must be a country of ISO 3166-1 (2 letters)')
  if (!isTimeZone(timeZone))
    throw new ConnectorSettingsError('settings/profile/timeZone must be a time zone, such as Europe/Berlin')
}

/**
 * Checks an address as far as that needs no name server. In live a link without TLS goes to a private network that the
 * setting names only: "render PAN unreadable … over open, public networks" (PCI DSS 4.2.1).
 */
function checkAddress(host: string, { tls }: Settings, rules: Rules, path: string): void {
  if (parseUrl(`https://${bracketed(host)}`)?.hostname !== bracketed(host))
    throw new ConnectorSettingsError(`${path} must be a name in lower case, or an IP address in its usual form`)
  const refusal = hostRefusal(host, rules)
  if (refusal !== undefined) {
    const remedy = 'TOLLGATE_CONNECTOR_NETWORKS names the private networks of connectors'
    throw new ConnectorSettingsError(`${path} is not permitted: ${refusal}; ${remedy}`)
  }
  if (rules.environment !== 'live' || tls) return
  const family = isIP(host)
  if (family === 0 || !rules.networks?.check(host, family === 6 ? 'ipv6' : 'ipv4')) {
    throw new ConnectorSettingsError(
      'settings/tls must be set in the live environment, unless every host is an address in ' +
        'TOLLGATE_CONNECTOR_NETWORKS',
    )
  }
}

/** The members that determine the server, and how it proves its identity. */
function targetsOf({ addresses, tls }: Settings): TargetMembers {
  const members: Record<string, string | undefined> = {}
  for (const [index, { host, port }] of addresses.entries()) {
    members[`settings/addresses/${index}/host`] = host
    members[`settings/addresses/${index}/port`] = String(port)
  }
  return {
    ...members,
    'settings/tls': tls && 'set',
    'settings/tls/ca': tls?.ca,
    'settings/tls/pinnedKey': tls?.pinnedKey,
    'settings/tls/serverName': tls?.serverName,
  }
}

/** The terminal ids at each address. */
const terminalsOf = ({ addresses, terminalIds }: Settings): PreparedConnector['exclusive'] =>
  terminalIds.flatMap((terminalId, index) =>
    addresses.map(({ host, port }) => ({
      member: `settings/terminalIds/${index}`,
      value: `${bracketed(host)}:${port}/${terminalId}`,
    })),
  )

function checkClient({ tls }: Settings, sent: unknown): void {
  if (sent === undefined) return
  const { certificate, key } = checked(credentials, sent, 'credentials')
  if (!tls) throw new ConnectorSettingsError('settings/tls must be set: only TLS uses a certificate')
  const parsed = orRefused(
    'credentials/certificate must be a certificate in PEM',
    () => new X509Certificate(certificate),
  )
  const parsedKey = orRefused('credentials/key must be a private key in PEM without a passphrase', () =>
    createPrivateKey({ key, format: 'pem' }),
  )
  if (!parsed.checkPrivateKey(parsedKey))
    throw new ConnectorSettingsError('credentials/key must be the key of the certificate')
  orRefused('credentials/certificate must have a complete chain and a key of sufficient length', () =>
    createSecureContext({ ...tlsPolicy, cert: certificate, key }),
  )
}
