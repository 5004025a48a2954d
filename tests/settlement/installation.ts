import { testHostProfile } from '@tollgate/connectors'
import { hostSettings, nodeEventLoop, otherMerchant, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import {
  closeDays,
  matchAgain,
  postTransactions,
  readFiles,
  recordChargebacks,
  sandboxIds,
  sandboxToken,
} from '@tollgate/operations'
import { type HostCutOff, startSimulators } from '@tollgate/simulators'
import { setTimeout } from 'node:timers/promises'

// A gateway with two acquirers, whose test hosts have other cut-offs and time zones, and two merchants.

/** An acquirer, and the address of its test host. */
export interface Acquirer {
  /** The name of its connector. */
  readonly name: 'north' | 'south'
  /** The id of both merchants at the acquirer. */
  readonly merchantId: string
  readonly cutOff: HostCutOff
  readonly url: string
}

export interface Merchant {
  readonly id: string
  readonly channel: string
  readonly token: string
}

export interface Installation {
  readonly tollgate: TestGateway
  readonly acquirers: readonly Acquirer[]
  readonly merchants: readonly Merchant[]
  /** Posts the payments that are older than the lag of the ledger, and closes business days that are over. */
  readonly postAndClear: () => Promise<void>
  /** Reads the received files, and records the chargebacks in them. */
  readonly readAll: () => Promise<void>
  /** Matches the open rows again, as a sweep each hour does. */
  readonly matchOpenRows: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Currencies that the acquirer `south` processes; `north` processes all others. */
export const currenciesOfSouth: ReadonlySet<string> = new Set(['USD', 'CAD'])

const cutOffs: Readonly<Record<Acquirer['name'], HostCutOff>> = {
  north: { time: '18:00', timeZone: 'Europe/Berlin' },
  south: { time: '22:30', timeZone: 'America/New_York' },
}

/** The currencies in which the first merchant pays fixed fees. */
export const feeCurrencies = ['EUR', 'GBP', 'SEK', 'USD']

/**
 * The fee plan of the first merchant: in some currencies 1.25 % and 0.10 of each charge, at least 0.25, and 0.30 of
 * each refund, and 1.25 % of each charge in others.
 */
const feePlan = {
  fees: [
    ...feeCurrencies.flatMap((currency) => [
      { kind: 'capture', currency, prices: [{ percent: '1.25', fixed: '0.10', minimum: '0.25' }] },
      { kind: 'refund', currency, prices: [{ fixed: '0.30' }] },
    ]),
    { kind: 'capture', prices: [{ percent: '1.25' }] },
  ],
}

/** Waits of the links to hosts are a part of their length, so that a lost answer does not take half a minute. */
const DIVISOR = 10
/** The steps of a background task after which it counts as endless. */
const STEPS_MAX = 100_000

export async function startInstallation(): Promise<Installation> {
  const { startTimer } = nodeEventLoop
  const tollgate = await testGateway({
    eventLoop: { ...nodeEventLoop, startTimer: (ms, onEnd) => startTimer(ms / DIVISOR, onEnd) },
  })
  const { gateway, manage } = tollgate
  const other = await otherMerchant(tollgate)
  const merchants: readonly Merchant[] = [
    { id: sandboxIds.merchant, channel: sandboxIds.channel, token: sandboxToken },
    { id: other.merchant, channel: other.channel, token: other.token },
  ]
  const hosts = await Promise.all(
    Object.values(cutOffs).map((cutOff) =>
      startSimulators({
        host: '127.0.0.1',
        port: 0,
        acquirerPort: 0,
        clock: gateway.clock,
        create: () => [],
        acquirer: { cutOff },
      }),
    ),
  )
  const acquirers = (['north', 'south'] as const).map((name, index): Acquirer => {
    const merchantId = `${name.toUpperCase()}0000000001`
    return { name, merchantId, cutOff: cutOffs[name], url: hosts[index]?.url ?? '' }
  })
  for (const [index, { name, merchantId, cutOff }] of acquirers.entries()) {
    const profile = { ...testHostProfile, name, merchantId, cutOff: cutOff.time, timeZone: cutOff.timeZone }
    const settings = hostSettings(hosts[index]?.acquirerAddress?.port ?? 0, {
      profile,
      terminalIds: [`${name.slice(0, 1).toUpperCase()}0000001`],
    })
    await expectDone(manage('POST', '/connectors', { name, kind: 'iso8583', settings }))
  }
  const routes = [
    { name: 'dollars', when: { currencies: [...currenciesOfSouth] }, targets: [{ connector: 'south' }] },
    { name: 'others', targets: [{ connector: 'north' }] },
  ]
  await expectDone(manage('POST', `/entities/${sandboxIds.merchant}/fee-plans`, feePlan))
  for (const id of [sandboxIds.psp, other.psp]) await expectDone(manage('PUT', `/entities/${id}/routes`, { routes }))
  gateway.connectors.open()
  await untilConnected(tollgate, acquirers)

  const tasks = {
    post: postTransactions(gateway),
    clear: closeDays(gateway),
    read: readFiles(gateway),
    record: recordChargebacks(gateway),
    match: matchAgain(gateway),
  }
  return {
    tollgate,
    acquirers,
    merchants,
    async postAndClear() {
      await sweep(tasks.post)
      await sweep(tasks.clear)
    },
    async readAll() {
      await sweep(tasks.read)
      await sweep(tasks.record)
    },
    async matchOpenRows() {
      await sweep(tasks.match)
      await sweep(tasks.record)
    },
    async close() {
      await gateway.connectors.close()
      await Promise.all(hosts.map((host) => host.close()))
      await tollgate.close()
    },
  }
}

async function expectDone(answer: ReturnType<TestGateway['manage']>): Promise<void> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`the management API answered with ${status}: ${text}`)
}

async function untilConnected({ gateway }: TestGateway, acquirers: readonly Acquirer[]): Promise<void> {
  const isConnected = ({ name }: Acquirer): boolean => {
    const connector = gateway.acquirers.accounts.find(name)?.connector
    return connector?.kind === 'remote' && connector.isReady?.() === true
  }
  while (!acquirers.every(isConnected)) await setTimeout(5)
}

async function sweep(task: { readonly name: string; step(): Promise<'more' | 'done'> }): Promise<void> {
  for (let steps = 0; (await task.step()) === 'more'; steps += 1)
    if (steps === STEPS_MAX) throw new Error(`the task "${task.name}" does not end`)
}
