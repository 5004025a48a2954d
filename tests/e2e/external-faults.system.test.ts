import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fault, openHost, readFaults, setFaults, settingsForHost } from '../support/acquirer-host.ts'
import { databaseName } from '../support/durability.ts'
import { APPROVED, codesOf, NOT_REACHED, startExternalLoad } from '../support/external-load.ts'
import { freePort } from '../support/free-port.ts'
import { bodyOf } from '../support/http.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { expectSettled, type Query, sqliteQuery, untilConnected } from '../support/settled.ts'

// One gateway, whose waits for the acquirer are a twentieth of their length, and an acquirer with faults. Each test has
// an acquirer of its own at the same address.

const rounds = process.env['TOLLGATE_TEST_LONG'] === '1' ? 10 : 1
/** Payments of a round. With their follow-ups they are fewer than the acquirer shows. */
const PAYMENTS = 100
/** Payments in flight while requests are lost, so that many wait for their timeout at the same time. */
const WAITING = 40
/** A time after which a shortened wait for an answer has ended. */
const LATE_MS = 1_600

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

const requestTypes = ['0100', '0200', '0220', '0221', '0400', '0401', '0420', '0421']
const inEveryFifth = (knob: string, value?: number): readonly Fault[] => [
  { knob, types: requestTypes, every: 5, ...(value !== undefined && { value }) },
]

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

test.each<readonly [name: string, faults: readonly Fault[]]>([
  ['none', []],
  ['latencyMs', inEveryFifth('latencyMs', 100)],
  ['splitBytes', inEveryFifth('splitBytes')],
  ['duplicateResponse', inEveryFifth('duplicateResponse')],
])('every payment is approved with the fault %s', async (name, faults) => {
  for (let round = 0; round < rounds; round += 1) {
    const { codes, applied, reversals } = await loadWith(faults, `${name}-${round}`)
    expect(Object.keys(codes)).toEqual([APPROVED])
    expect([reversals, ...applied.filter((count) => count < 30)]).toEqual([0])
  }
})

test.each<readonly [name: string, faults: readonly Fault[]]>([
  ['dropRequest', inEveryFifth('dropRequest')],
  ['halfOpen', inEveryFifth('halfOpen')],
  ['latencyMs beyond the wait', inEveryFifth('latencyMs', LATE_MS)],
  ['wrongTrace', inEveryFifth('wrongTrace')],
  ['wrongAmount', inEveryFifth('wrongAmount')],
  ['close', inEveryFifth('close')],
  ['dropResponse', inEveryFifth('dropResponse')],
  ['afterReversal', inEveryFifth('afterReversal')],
  ['lateMs', inEveryFifth('lateMs', LATE_MS)],
  ['garble', inEveryFifth('garble')],
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
    [
      { knob: 'dropRequest', types: requestTypes, every: 7 },
      { knob: 'latencyMs', value: 50, types: requestTypes, every: 3 },
      { knob: 'wrongTrace', types: requestTypes, every: 11 },
      { knob: 'wrongAmount', types: requestTypes, every: 13 },
      { knob: 'close', types: requestTypes, every: 31 },
      { knob: 'dropResponse', types: requestTypes, every: 8 },
      { knob: 'afterReversal', types: requestTypes, every: 9 },
      { knob: 'lateMs', value: LATE_MS, types: requestTypes, every: 10 },
      { knob: 'garble', types: requestTypes, every: 37 },
      { knob: 'splitBytes', types: requestTypes, every: 2 },
      { knob: 'duplicateResponse', types: requestTypes, every: 4 },
    ],
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
