import { type DataSet, TRANSACTIONS } from '@tollgate/storage'
import { freePort } from '@tollgate/storage/testing'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { checkLedger, unreadTransactions } from '../simulation/ledger-rules.ts'
import { openHost, setFaults, settingsForHost } from './acquirer-host.ts'
import { type ExternalLoad, startExternalLoad } from './external-load.ts'
import { manage } from './manage.ts'
import { cardPayment } from './payments.ts'
import { type GatewayProcess, type Setup, startGateway, temporaryFolder } from './process.ts'
import { type Random, randomOf } from './random.ts'
import { type Query, runReversals, untilConnected } from './settled.ts'
import { storedLedger } from './stored-ledger.ts'

// Kills with SIGKILL of gateways that post payments to the ledger and clear business days. After them every
// transaction is posted exactly once.

/** The storage of the gateways under test. */
export interface ClearingSetup {
  readonly env: Readonly<Record<string, string>>
  /** The number of gateways on one database. The machine of the second one has a clock that is a minute behind. */
  readonly gateways: 1 | 2
  readonly query: (data: string) => Query
  readonly openDataSet: (data: string) => Promise<DataSet>
  /** Ends the leases of killed processes, while no process runs. Otherwise they last 90 s. */
  readonly endLeases: (data: string) => Promise<unknown>
  /** Holds a commit of a copy of a transaction open. */
  readonly holdOpen?: (id: string) => Promise<unknown>
}

/** The number of kills during payments, and while the business days of all payments are cleared. */
export interface Kills {
  readonly duringPayments: number
  readonly duringClearing: number
  /** Selects the moments of the kills. */
  readonly seed: number
  /** The least number of kills while a page is being posted: few kills may all fall between two pages. */
  readonly whilePostingMin: number
}

/** Rounds, each on an empty database. */
export const clearingKills: readonly Kills[] =
  process.env['TOLLGATE_TEST_LONG'] === '1'
    ? Array.from({ length: 4 }, () => ({
        duringPayments: 45,
        duringClearing: 5,
        seed: Math.floor(Math.random() * 2 ** 31),
        whilePostingMin: 1,
      }))
    : [{ duringPayments: 2, duringClearing: 1, seed: 1, whilePostingMin: 0 }]

/** SQL that ends all leases of jobs, and of terminal ids at acquirers. */
export const endLeasesSql = `UPDATE job SET held_until_ms = NULL WHERE held_until_ms IS NOT NULL;
  UPDATE terminal SET held_by = NULL, held_until_ms = 0`

const moduleAt = (name: string): readonly string[] => ['--import', new URL(name, import.meta.url).href]
/** Waits for an acquirer that has lost its gateway are short. */
const shortWaits = moduleAt('./short-waits.js')

/** Payments are at the acquirer for some time, so that transactions without an outcome are there at each kill. */
const LATENCY_MS = 60
const CONCURRENT = 16
/** The maximum time until a page of the ledger is read. Payments are read after some seconds. */
const POSTING_MS_MAX = 4_000
const POLL_MS = 5
const KILLS_PER_HELD_COMMIT = 10
const PAYMENTS_MAX = 1_000_000
const STATE_MS_MAX = 120_000

/** The state of the ledger: whether a page is being read, and transactions that are decided later. */
interface Progress {
  readonly closed: string
  readonly read: string
  readonly late: number | string
}

const progressSql = `SELECT closed_before AS closed, read_before AS "read",
    (SELECT count(*) FROM late_transaction) AS late FROM transaction_feed WHERE id = '${TRANSACTIONS}'`

const progressOf = async (query: Query): Promise<Progress | undefined> => (await query<Progress>(progressSql))[0]

/** Whether the feed is closed at an id, and the transactions below it are not posted yet. */
const isPosting = (progress: Progress | undefined): boolean =>
  progress !== undefined && progress.closed !== progress.read

/** The next moment of a kill: while a page is being posted, or any time. */
async function untilKill(random: Random, query: Query): Promise<void> {
  const isAnyTime = random.chance(0.3)
  if (isAnyTime) await setTimeout(random.below(500))
  const untilMs = Date.now() + (isAnyTime ? 0 : POSTING_MS_MAX)
  while (Date.now() < untilMs && !isPosting(await progressOf(query))) await setTimeout(POLL_MS)
  await setTimeout(random.below(20))
}

/**
 * Kills gateways during payments, and during the clearing of their business days.
 *
 * @returns the figures of the run
 */
export async function killClearing(
  { duringPayments, duringClearing, seed, whilePostingMin }: Kills,
  setup: ClearingSetup,
) {
  const random = randomOf(seed, 0)
  const data = temporaryFolder()
  const query = setup.query(data)
  const acquirerPort = await freePort()
  const host = await openHost(acquirerPort)
  const gatewaySetup = { data, env: { ...settingsForHost(acquirerPort), ...setup.env } }
  const gateways = await startGateways(gatewaySetup, setup.gateways)
  await setFaults(host, [{ knob: 'latencyMs', value: LATENCY_MS }])
  const counts = { kills: 0, whilePosting: 0, withLate: 0, requests: 0, heldOpen: 0 }
  const held: Promise<unknown>[] = []

  /** Kills one of the gateways, or all, and starts them again. */
  async function kill(): Promise<void> {
    const first = random.below(gateways.length)
    const killed = random.chance(0.5) ? gateways.slice(first, first + 1) : [...gateways]
    await Promise.all(killed.map((gateway) => gateway.kill9()))
    counts.kills += 1
    const progress = await progressOf(query)
    if (isPosting(progress)) counts.whilePosting += 1
    if (Number(progress?.late) > 0) counts.withLate += 1
    if (killed.length === gateways.length) await setup.endLeases(data)
    for (const gateway of killed) gateways[gateways.indexOf(gateway)] = await gateway.restart()
  }

  /** Begins a commit that stays open beyond the next kills. */
  async function holdOpen(): Promise<void> {
    const [first] = await query<{ id: string }>(internalSql)
    if (!setup.holdOpen || !first) return
    counts.heldOpen += 1
    held.push(setup.holdOpen(first.id))
  }

  await gateways[0]?.pay(cardPayment())
  for (let round = 0; round < duringPayments; round += 1) {
    const load: ExternalLoad = startExternalLoad(gateways, {
      label: `kill-${round}`,
      payments: PAYMENTS_MAX,
      concurrent: CONCURRENT,
    })
    if (round % KILLS_PER_HELD_COMMIT === 0) await holdOpen()
    await load.untilSent(20 + random.below(60))
    await untilKill(random, query)
    await kill()
    await load.done
    counts.requests += load.sent.length
  }
  await Promise.all(held)
  await setFaults(host, [])
  const [gateway] = gateways
  if (!gateway) throw new Error('there is a gateway')
  // Each of the gateways may be the one that sends the reversals.
  for (const each of gateways) await untilConnected(each)
  await runReversals(gateway, query)

  await manage(gateway, 'POST', '/clock', { advance: 'P2D' })
  for (let round = 0; round < duringClearing; round += 1) {
    await setTimeout(random.below(300))
    await kill()
  }
  await expect.poll(() => isAllPosted(query), { timeout: STATE_MS_MAX }).toBe(true)
  await expect.poll(() => batchStates(query), { timeout: STATE_MS_MAX }).toEqual(['agreed'])
  await Promise.all(gateways.map((each) => each.stop()))
  await host.close()

  const disk = await storedLedger(await setup.openDataSet(data))
  checkLedger(disk)
  expect([unreadTransactions(disk), disk.late_transaction.size]).toEqual([[], 0])
  expect(counts.whilePosting).toBeGreaterThanOrEqual(whilePostingMin)
  const transactions = [...disk.transactionsOf.values()].flat()
  expect(transactions.filter(({ status }) => status === 'SENT')).toEqual([])
  return {
    seed,
    ...counts,
    transactions: transactions.length,
    entries: disk.posting.size,
    batches: disk.clearing_batch.size,
  }
}

/** The payment of the simulator in the process. */
const internalSql = `SELECT id FROM payment_transaction WHERE test_mode = 'INTERNAL' AND status = 'ACK' LIMIT 1`

async function startGateways(setup: Setup, count: 1 | 2): Promise<GatewayProcess[]> {
  const first = await startGateway({ ...setup, execArgv: shortWaits })
  if (count === 1) return [first]
  // The second start reads the keys that the first one has written.
  return [first, await startGateway({ ...setup, execArgv: [...shortWaits, ...moduleAt('./slow-clock.js')] })]
}

/** Whether no transaction and no later decision is left to be posted. */
async function isAllPosted(query: Query): Promise<boolean> {
  const progress = await progressOf(query)
  const [last] = await query<{ id: string }>('SELECT max(id) AS id FROM payment_transaction')
  return progress !== undefined && last !== undefined && last.id < progress.read && Number(progress.late) === 0
}

/** The states of the batches of all business days, each once. */
const batchStates = async (query: Query): Promise<readonly string[]> =>
  (await query<{ state: string }>('SELECT DISTINCT state FROM clearing_batch ORDER BY state')).map(({ state }) => state)
