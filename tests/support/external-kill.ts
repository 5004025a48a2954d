import { freePort } from '@tollgate/storage/testing'
import { expect } from 'vitest'
import { type Fault, readFaults, setFaults, settingsForHost, startHost } from './acquirer-host.ts'
import { knobFaults } from './acquirer-knobs.ts'
import { codesOf, startExternalLoad } from './external-load.ts'
import { bodyOf } from './http.ts'
import { cardPayment } from './payments.ts'
import { startGateway, temporaryFolder } from './process.ts'
import { randomOf } from './random.ts'
import { expectSettled, type Query, untilConnected } from './settled.ts'

// Kills with SIGKILL of a gateway and of its acquirer, under load and with faults of the acquirer. After them the books
// of both are equal.

/** The storage of the gateway under test. */
export interface KillSetup {
  readonly env: Readonly<Record<string, string>>
  readonly query: (data: string) => Query
  /** Ends the leases of a killed process on a database that several processes share. Otherwise they last 90 s. */
  readonly endLeases?: () => Promise<unknown>
}

/** The processes that are killed and started again. */
type Victim = 'gateway' | 'host' | 'gateway and host'
const victims: readonly Victim[] = ['gateway', 'host', 'gateway and host']

/** A load with faults, and the kills in its course. */
interface KillLoad {
  readonly name: string
  readonly faults: readonly Fault[]
  readonly payments: number
  readonly kills: readonly Victim[]
  /** Selects the moments of the kills. */
  readonly seed: number
}

const faults = knobFaults()
const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31)

/** The short run distributes the faults over three loads. In the long run each fault has a load with all kills. */
export const killLoads: readonly KillLoad[] = isLong
  ? [
      ...faults.map((fault) => ({ name: fault.knob, faults: [fault] })),
      { name: 'all faults', faults },
      { name: 'no fault', faults: [] },
    ].map((load) => ({ ...load, payments: 1_000, kills: victims, seed: randomSeed() }))
  : victims.map((victim, index) => {
      const some = faults.filter((_, number) => number % victims.length === index)
      const name = `${victim}, ${some.map(({ knob }) => knob).join(', ')}`
      return { name, faults: some, payments: 60, kills: [victim], seed: index + 1 }
    })

/** Most requests in flight are at the acquirer when a process is killed. */
const latency: Fault = { knob: 'latencyMs', value: 200 }
const CONCURRENT = 32
const execArgv = ['--import', new URL('./short-waits.js', import.meta.url).href]

/**
 * Kills processes in the course of a load, each time with requests in flight, and expects that each fault was applied,
 * that requests without an answer were reversed, and that the books are equal.
 *
 * @returns the figures of the load
 */
export async function killUnderLoad(
  { name, faults: own, payments, kills, seed }: KillLoad,
  { env, query: queryOf, endLeases }: KillSetup,
): Promise<object> {
  const random = randomOf(seed, 0)
  const data = temporaryFolder()
  const query = queryOf(data)
  const acquirerPort = await freePort()
  let host = await startHost(acquirerPort, temporaryFolder())
  let gateway = await startGateway({ data, env: { ...settingsForHost(acquirerPort), ...env }, execArgv })
  // A payment of the simulator: transactions after it are at this acquirer.
  const { id: from } = bodyOf(await gateway.pay(cardPayment()))
  const applied = new Map(own.map(({ knob }) => [knob, 0]))
  const codes: Record<string, number> = {}
  let left = payments
  let load: ReturnType<typeof startExternalLoad>

  const startFaults = () => setFaults(host, [latency, ...own])
  async function countFaults(): Promise<void> {
    const [, ...set] = await readFaults(host)
    for (const { knob, applied: count = 0 } of set) applied.set(knob, (applied.get(knob) ?? 0) + count)
  }
  const startLoad = () =>
    startExternalLoad([gateway], { label: `${seed}-${left}`, payments: left, concurrent: CONCURRENT })
  async function endLoad(): Promise<void> {
    await load.done
    left -= load.begun()
    for (const [code, count = 0] of Object.entries(codesOf(load.sent))) codes[code] = (codes[code] ?? 0) + count
  }

  /** The number of requests in flight at the time of each kill. */
  const inFlight: number[] = []
  async function kill(victim: Victim): Promise<void> {
    const requests = payments / kills.length / 4
    await load.untilSent(load.sent.length + Math.floor(requests) + random.below(Math.floor(2 * requests)))
    await countFaults()
    await load.untilInFlight()
    inFlight.push(load.inFlight())
    await Promise.all([victim !== 'host' && gateway.kill9(), victim !== 'gateway' && host.kill9()])
    if (victim !== 'gateway') host = await host.restart()
    await startFaults()
    if (victim === 'host') return
    await endLoad()
    await endLeases?.()
    gateway = await gateway.restart()
    await untilConnected(gateway)
    load = startLoad()
  }

  await untilConnected(gateway)
  await startFaults()
  load = startLoad()
  for (const victim of kills) await kill(victim)
  await endLoad()
  await countFaults()
  await setFaults(host, [])
  const settled = await expectSettled(gateway, query, host, from)
  const figures = { name, seed, payments: payments - left, kills, inFlight, codes, ...settled }
  expect(inFlight.filter((count) => count === 0)).toEqual([])
  expect([...applied].filter(([, count]) => count === 0)).toEqual([])
  expect([left, codes['none'] !== undefined]).toEqual([0, kills.some((victim) => victim !== 'host')])
  expect(settled.reversals).toBeGreaterThan(0)
  await gateway.stop()
  host.signal('SIGTERM')
  await host.ended
  return { ...figures, applied: Object.fromEntries(applied) }
}
