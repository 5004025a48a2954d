import type { Context } from '../context.ts'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'

type Dependencies = Pick<Context, 'acquirers' | 'directory'>

/** What is known of a merchant's id at an institute. */
export interface InstituteAccount {
  /** The name of the connector; '' if none or several have the id. */
  readonly acquirer: string
  readonly timeZone: string
  /** The merchants with payments by the id. */
  readonly merchants: readonly string[]
  /** The only merchant with payments by the id, and the first of its channels with such payments; otherwise ''. */
  readonly merchant: string
  readonly channel: string
}

/** Finds the accounts of merchants' ids at institutes, by the connectors and the routes as they are at present. */
export function instituteAccounts(dependencies: Dependencies): (clearingMerchantId: string) => InstituteAccount {
  const accounts = new Map<string, InstituteAccount>()
  return (clearingMerchantId) => {
    const found = accounts.get(clearingMerchantId) ?? accountOf(dependencies, clearingMerchantId)
    accounts.set(clearingMerchantId, found)
    return found
  }
}

function accountOf(dependencies: Dependencies, clearingMerchantId: string): InstituteAccount {
  const { acquirers } = dependencies
  const names = clearedConnectors(acquirers).filter(
    (name) => clearingOf(acquirers, name)?.merchantId === clearingMerchantId,
  )
  const [name = ''] = names
  return {
    acquirer: names.length === 1 ? name : '',
    timeZone: clearingOf(acquirers, name)?.cutOff.timeZone ?? 'UTC',
    ...merchantsOf(dependencies, new Set(names)),
  }
}

function merchantsOf(
  { directory }: Dependencies,
  names: ReadonlySet<string>,
): Pick<InstituteAccount, 'merchants' | 'merchant' | 'channel'> {
  if (names.size === 0) return { merchants: [], merchant: '', channel: '' }
  const channels = directory
    .entities()
    .flatMap(({ kind, id }) => (kind === 'channel' ? (directory.channel(id) ?? []) : []))
    .filter((channel) => pays(channel, names))
  const merchants = [...new Set(channels.map(({ merchant }) => merchant))]
  const [merchant = '', ...others] = merchants
  return others.length > 0
    ? { merchants, merchant: '', channel: '' }
    : { merchants, merchant, channel: channels[0]?.id ?? '' }
}

/** Whether payments of a channel are sent to one of the connectors. */
function pays(
  { environment, routes = [] }: NonNullable<ReturnType<Context['directory']['channel']>>,
  names: ReadonlySet<string>,
): boolean {
  // The test host of the test environment has no route: requests name it by testMode=EXTERNAL.
  const isByTestMode = environment === 'test' && names.has('external')
  return isByTestMode || routes.some(({ targets }) => targets.some(({ connector }) => names.has(connector)))
}
