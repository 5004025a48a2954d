import { statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '@tollgate/contract'
import { routeGaps } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { missingInLive } from '../../missing-in-live.ts'
import { connectionRemedy } from '../../outgoing/connectors/connection-remedies.ts'
import { storeTime } from '../../runtime/clock/stored-clock.ts'

/** ok: it works. warning: it works now, or in part. failed: payments fail. */
export type CheckVerdict = 'ok' | 'warning' | 'failed'

/** The result of a check: what was found, then what to do. */
export interface CheckResult {
  readonly name: string
  readonly verdict: CheckVerdict
  readonly text: string
}

type Result = Omit<CheckResult, 'name'>

const ok = (text: string): Result => ({ verdict: 'ok', text })
const warning = (text: string): Result => ({ verdict: 'warning', text })
const failed = (text: string): Result => ({ verdict: 'failed', text })

/** The checks of an installation, in their order. A check may have several results, one for each subject. */
const checks: Readonly<Record<string, (gateway: Gateway) => readonly Result[] | Promise<readonly Result[]>>> = {
  setup: (gateway) => {
    const missing = missingInLive(gateway)
    return [missing === undefined ? ok('Payments can be processed.') : failed(`Payments are refused: ${missing}.`)]
  },
  tls: ({ tls, config, clock, environment }) => {
    if (!tls) {
      return environment === 'live'
        ? [warning('A proxy terminates TLS: check the certificate there.')]
        : [ok('The test environment uses plain HTTP.')]
    }
    const days = Math.floor((tls.expiresAtMs() - clock.machineNow()) / DAY_MS)
    const host = new URL(config.publicUrl).hostname.replaceAll(/[[\]]/g, '')
    if (days < 0) return [failed('The certificate has expired: renew it.')]
    if (!tls.covers(host))
      return [failed(`The certificate is not for ${host}, the host of TOLLGATE_PUBLIC_URL: replace it.`)]
    return [
      days < limits.certificateDaysMin
        ? warning(`The certificate expires in ${days} days: renew it.`)
        : ok(`The certificate is valid for ${days} days, and for ${host}.`),
    ]
  },
  keys: ({ vault }) => {
    const { encryption, fingerprint } = vault.keyIds()
    const previous = [...encryption.previous, ...fingerprint.previous]
    return [
      previous.length === 0
        ? ok(`The keys ${encryption.current} and ${fingerprint.current} are those of the data.`)
        : warning(
            `The keys ${previous.join(', ')} are being replaced: retire them when \`tollgate key status\` allows it.`,
          ),
    ]
  },
  storage: async (gateway) => {
    if (!gateway.storage.isReachable()) return [failed('There is no connection to the database.')]
    try {
      const startedMs = gateway.eventLoop.now()
      await storeTime(gateway)
      return [ok(`A commit took ${Math.ceil(gateway.eventLoop.now() - startedMs)} ms.`)]
    } catch (error) {
      return [failed(`A commit failed: ${error instanceof Error ? error.message : 'unknown error'}.`)]
    }
  },
  clock: async (gateway) => {
    const { clock, storage } = gateway
    if (clock.offsetMs() !== 0) return [warning('The clock was put forward for tests.')]
    if (!storage.isReachable()) return [warning('The clock was not compared, because the database cannot be reached.')]
    const [reference, skewMs] = await clockSkew(gateway)
    return [
      skewMs > limits.clockSkewMsMax
        ? failed(`The clock differs by ${Math.round(skewMs / 1000)} s from that of ${reference}: synchronise both.`)
        : ok(`The clock agrees with that of ${reference}.`),
    ]
  },
  connectors: async (gateway) => {
    const rows = gateway.connectorCache.all()
    if (rows.length === 0) return [warning('No connector is set up.')]
    return (await Promise.all(rows.map((row) => checkConnector(gateway, row)))).flat()
  },
  routes: (gateway) => {
    const { directory } = gateway
    const channels = directory.entities().flatMap(({ id }) => directory.channel(id) ?? [])
    const enabled = channels.filter(({ id, settings }) => settings.enabled && !directory.isVoid(id))
    const checked = enabled.slice(0, limits.checkedChannelsMax)
    const results = checked.flatMap((channel) => {
      const { brands, currencies } = routeGaps(gateway, channel)
      const missing = [...brands, ...currencies]
      if (missing.length === 0) return []
      const named = missing.slice(0, limits.namedGapsMax).join(', ')
      const more = missing.length > limits.namedGapsMax ? ` and ${missing.length - limits.namedGapsMax} more` : ''
      const text = `${channel.name} (${channel.id}) accepts, but has no route for: ${named}${more}. `
      return [warning(`${text}Add routes, or restrict the settings brands and currencies.`)]
    })
    const rest = enabled.length - checked.length
    if (rest > 0) results.push(warning(`${rest} channels were not checked.`))
    return results.length > 0 ? results : [ok(`Each of ${enabled.length} channels has routes for all that it accepts.`)]
  },
  threeDSecure: ({ issuers, directory }) => {
    const demanding = directory
      .entities()
      .flatMap(({ id }) => directory.channel(id) ?? [])
      .filter(({ settings }) => settings.enabled && settings.threeDSecure !== 'off')
    if (issuers) return [ok('A directory server is connected.')]
    if (demanding.length === 0)
      return [ok('No channel demands 3-D Secure. Data of an external 3-D Secure server are passed on.')]
    return [
      warning(
        `No directory server is connected: ${demanding.length} channels that demand 3-D Secure accept only payments ` +
          'with the data of an external 3-D Secure server.',
      ),
    ]
  },
}

/** The clock with which that of the machine is compared, and their difference in milliseconds. */
async function clockSkew({ clock, storage, config }: Gateway): Promise<readonly [reference: string, skewMs: number]> {
  if (!storage.serverTime) return ['the data folder', Math.abs(fileTimeMs(config.data) - clock.machineNow())]
  const startedMs = clock.machineNow()
  const serverMs = await storage.serverTime()
  // The server read its clock between the two readings of this one.
  return ['PostgreSQL', Math.max(startedMs - serverMs, serverMs - clock.machineNow(), 0)]
}

/** Checks a connector: whether it runs, and each of its connections by a message to the acquirer. */
async function checkConnector(
  { connectors }: Gateway,
  { id, kind, state }: { readonly id: string; readonly kind: string; readonly state: string },
): Promise<readonly Result[]> {
  const found = connectors.find(id)
  const subject = `${id} (${kind})`
  if (!found) return [failed(`${subject} cannot be started: the log names the reason.`)]
  const { connector } = found
  const tests = (connector.kind === 'remote' && (await connector.testConnections?.())) || []
  // The health is read after the tests, because a connector that was just opened signs on meanwhile.
  const isUp = tests.some(({ failure }) => failure === undefined)
  const results = tests.map(({ address, tookMs, failure }) => {
    if (failure === undefined)
      return ok(`${subject}, ${address}: the host answered an echo in ${Math.ceil(tookMs)} ms.`)
    const text = `${subject}, ${address}: ${failure}: ${connectionRemedy(failure)}.`
    return isUp ? warning(text) : failed(text)
  })
  if (state !== 'enabled') results.push(warning(`${subject} is disabled: it processes only follow-ups.`))
  else if ((isUp || tests.length === 0) && connectors.find(id)?.isHealthy === false) {
    results.push(failed(`${subject} is not healthy: its last requests got no answer. The log names the reason.`))
  }
  return results.length > 0 ? results : [ok(`${subject} is ready.`)]
}

/** The time of the file system that holds the data folder, epoch milliseconds. */
function fileTimeMs(folder: string): number {
  const file = join(folder, `.clock-${process.pid}`)
  writeFileSync(file, '')
  try {
    return statSync(file).mtimeMs
  } finally {
    unlinkSync(file)
  }
}

/** Runs all checks. */
export async function checkInstallation(gateway: Gateway): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for (const [name, check] of Object.entries(checks)) {
    for (const result of await check(gateway)) results.push({ name, ...result })
  }
  return results
}
