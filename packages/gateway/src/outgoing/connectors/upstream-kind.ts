import { createSecretKey } from 'node:crypto'
import { currencies, parseStrictUrl } from '@tollgate/contract'
import { routeMethods } from '@tollgate/domain'
import { type Static, Type } from 'typebox'
import { limits } from '../../limits.ts'
import { targetOf, type Rules } from '../target.ts'
import { createUpstream } from '../upstream-connector.ts'
import { portsOf } from '../upstream-exchange.ts'
import { type ConnectorKind, ConnectorSettingsError } from './connector-kind.ts'
import { costs, costsOf } from './costs.ts'
import { checkAuthorities, checked, CLOSED, Pem, PinnedKey } from './settings-checks.ts'

/** The settings of an account at another gateway of the same contract. */
const settings = Type.Object(
  {
    baseUrl: Type.String({ minLength: 1, maxLength: limits.outgoing.urlCharsMax }),
    entityId: Type.String({ pattern: '^[A-Za-z0-9]{32}$' }),
    verificationCurrency: Type.String({ enum: Object.keys(currencies) }),
    tls: Type.Optional(Type.Object({ ca: Type.Optional(Pem), pinnedKey: Type.Optional(PinnedKey) }, CLOSED)),
    costs,
  },
  CLOSED,
)

const credentials = Type.Object(
  {
    accessToken: Type.String({ pattern: `^[\\x21-\\x7e]{1,${limits.connectorTokenCharsMax}}$` }),
    /** The key with which the upstream encrypts its notifications: 64 hexadecimal digits. */
    notificationKey: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  },
  CLOSED,
)

type Settings = Static<typeof settings>

/** Accounts at another gateway that speaks the same public contract: the provider that a merchant uses today. */
export const upstreamKind: ConnectorKind = {
  methods: new Set(routeMethods),
  prepare(sent, rules) {
    const read = checked(settings, sent, 'settings')
    checkBaseUrl(read, rules)
    checkAuthorities(read.tls?.ca)
    return {
      targets: {
        'settings/baseUrl': read.baseUrl,
        'settings/tls/ca': read.tls?.ca,
        'settings/tls/pinnedKey': read.tls?.pinnedKey,
      },
      exclusive: [],
      costs: costsOf(read.costs),
      create(name, secrets, parts) {
        const { accessToken, notificationKey } = checked(credentials, secrets, 'credentials')
        const { baseUrl, entityId, verificationCurrency, tls } = read
        const key = notificationKey === undefined ? undefined : createSecretKey(notificationKey, 'hex')
        const target = { baseUrl, authorities: tls?.ca, pinnedKey: tls?.pinnedKey, ...addressRules(rules) }
        const account = { name, entityId, verificationCurrency, accessToken: () => accessToken, notificationKey: key }
        return createUpstream({ ...target, ...account }, parts)
      },
      checkCredentials: (secrets) => void checked(credentials, secrets, 'credentials'),
    }
  },
}

const addressRules = ({ environment, networks }: Rules) => ({ environment, networks })

/** Checks the base URL as far as that needs no name server. */
function checkBaseUrl({ baseUrl, tls }: Settings, rules: Rules): void {
  const url = parseStrictUrl(baseUrl)
  if (!url || baseUrl !== `${url.origin}${url.pathname.replace(/\/$/, '')}`)
    throw new ConnectorSettingsError('settings/baseUrl must be an address such as https://pay.example, without a slash')
  const target = targetOf(baseUrl, { ...rules, ports: portsOf(baseUrl) })
  if (typeof target === 'string') throw new ConnectorSettingsError(`settings/baseUrl is not permitted: ${target}`)
  if (tls && url.protocol !== 'https:') throw new ConnectorSettingsError('settings/tls must not be set without https')
}
