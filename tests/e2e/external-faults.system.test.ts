import { freePort } from '@tollgate/storage/testing'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fault, openHost, readFaults, setFaults, settingsForHost } from '../support/acquirer-host.ts'
import { knobFaults, LATE_MS, requestTypes } from '../support/acquirer-knobs.ts'
import { databaseName } from '../support/durability.ts'
import { APPROVED, codesOf, NOT_REACHED, startExternalLoad } from '../support/external-load.ts'
import { bodyOf } from '../support/http.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { expectSettled, type Query, sqliteQuery, untilConnected } from '../support/settled.ts'

// One gateway, whose waits for the acquirer are a twentieth of their length, and an acquirer with faults. Each test has
// an acquirer of its own at the same address.

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const rounds = isLong ? 10 : 1
/** Payments of a round. */
const PAYMENTS = isLong ? 100 : 40
/** Applications of a fault to every fifth request of a round, at least: most payments have two requests. */
const APPLIED_MIN = 0.3 * PAYMENTS
/** Payments in flight while requests are lost, so that many wait for their timeout at the same time. */
const WAITING = 40

let gateway: GatewayProcess
let query: Query
let acquirerPort: string
let host: Awaited<ReturnType<typeof openHost>> | undefined

beforeAll(async () => {
  acquirerPort = await freePort()
  const data = temporaryFolder()
  gateway = await startGateway({
    data,
    env: settingsForHost(acquirerPort),
    execArgv: ['--import', new URL('../support/short-waits.js', import.meta.url).href],
  })
  query = sqliteQuery(join(data, databaseName))
})

afterEach(async () => {
  await host?.close()
  host = undefined
})

afterAll(cleanUp)

/** The knobs with this result, each as a fault of every fifth request. */
const inEveryFifth = (result: 'approved' | 'reversed'): (readonly [name: string, faults: readonly Fault[]])[] =>
  knobFaults({ result, every: 5 }).map((fault) => [fault.knob, [fault]])

const TIMED_OUT = '900.100.300'
const REVERSED = '900.100.301'

/** Sends the load of a round with faults. @returns the number of requests with each code, and applied faults */
async function loadWith(faults: readonly Fault[], label: string, concurrent?: number) {
  host = await openHost(acquirerPort)
  // A payment of the simulator: transactions after it are at this host.
  const { id } = bodyOf(await gateway.pay(cardPayment()))
  await untilConnected(gateway)
  await setFaults(host, faults)
  const load = startExternalLoad([gateway], {
    label,
    payments: PAYMENTS,
    ...(concurrent !== undefined && { concurrent }),
  })
  await load.done
  const applied = (await readFaults(host)).map(({ applied: count }) => count ?? 0)
  await setFaults(host, [])
  const settled = await expectSettled(gateway, query, host, id)
  await host.close()
  host = undefined
  const codes = codesOf(load.sent)
  console.log(`${label}: ${JSON.stringify({ codes, applied, ...settled })}`)
  return { codes, applied, ...settled }
}

test.each<readonly [name: string, faults: readonly Fault[]]>([['none', []], ...inEveryFifth('approved')])(
  'every payment is approved with the fault %s',
  async (name, faults) => {
    for (let round = 0; round < rounds; round += 1) {
      const { codes, applied, reversals } = await loadWith(faults, `${name}-${round}`)
      expect(Object.keys(codes)).toEqual([APPROVED])
      expect([reversals, ...applied.filter((count) => count < APPLIED_MIN)]).toEqual([0])
    }
  },
)

test.each<readonly [name: string, faults: readonly Fault[]]>([
  ...inEveryFifth('reversed'),
  ['latencyMs beyond the wait', [{ knob: 'latencyMs', value: LATE_MS, types: requestTypes, every: 5 }]],
  [
    'answers to reversals with the trace number of another reversal, which is lost',
    [
      { knob: 'dropResponse', types: ['0100', '0200'], every: 2 },
      { knob: 'wrongTrace', types: ['0420'] },
      { knob: 'dropRequest', types: ['0420'], every: 2 },
    ],
  ],
  [
    'many at once',
    // A connection that is silent would hide the other faults.
    knobFaults().filter(({ knob }) => knob !== 'halfOpen'),
  ],
])('payments without an answer are reversed with the fault: %s', async (name, faults) => {
  for (let round = 0; round < rounds; round += 1) {
    const { codes, applied, approved } = await loadWith(faults, `${name}-${round}`, WAITING)
    const { [APPROVED]: _, [NOT_REACHED]: __, [TIMED_OUT]: timedOut = 0, [REVERSED]: reversed = 0, ...others } = codes
    expect(others).toEqual({})
    expect(timedOut + reversed).toBeGreaterThan(0)
    expect(approved).toBeGreaterThan(0)
    expect(applied.filter((count) => count === 0)).toEqual([])
  }
})
