import { freePort } from '@tollgate/storage/testing'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { databaseName } from './durability.ts'
import { type Body, bodyOf } from './http.ts'
import { cardPayment, followUpForm, post } from './payments.ts'
import { type GatewayProcess, startGateway, temporaryFolder } from './process.ts'
import { connectUpstream } from './public-gateways.ts'
import { type Query, runReversals, sqliteQuery } from './settled.ts'
import { startUpstreamProxy } from './upstream-proxy.ts'

// Kills with SIGKILL under load, of a gateway and of the gateway behind it. After each one the books of both are equal.

const rounds = process.env['TOLLGATE_TEST_LONG'] === '1' ? 40 : 1
const PAYMENTS = 60
const CONCURRENT = 12
/** Requests that the upstream has booked, and whose answers are held back when a process is killed. */
const HELD = CONCURRENT
const POLL_MS = 5
const APPROVED = '000.100.110'

/** The storage of the gateway under test. That of the upstream is SQLite. */
export interface UpstreamKillSetup {
  readonly env: Readonly<Record<string, string>>
  readonly query: (data: string) => Query
}

/** The processes that are killed and started again. */
export const upstreamVictims = ['gateway', 'upstream', 'both'] as const

/** Kills the victim under load, and expects equal books. @returns the numbers of each round */
export async function killBehindUpstream(
  victim: (typeof upstreamVictims)[number],
  { env, query: queryOf }: UpstreamKillSetup,
): Promise<readonly object[]> {
  const report: object[] = []
  const [data, upstreamData] = [temporaryFolder(), temporaryFolder()]
  const [query, upstreamQuery] = [queryOf(data), sqliteQuery(join(upstreamData, databaseName))]
  const ports = async () => ({
    PORT: await freePort(),
    TOLLGATE_MANAGE_PORT: await freePort(),
    TOLLGATE_SIMULATOR_PORT: 'off',
    TOLLGATE_SHOP_PORT: 'off',
  })
  let upstream = await startGateway({ data: upstreamData, env: await ports() })
  let gateway = await startGateway({ data, env: { ...(await ports()), ...env } })
  const proxy = await startUpstreamProxy(upstream.url)
  try {
    await connectUpstream(gateway, upstream, proxy.url)
    for (let round = 0; round < rounds; round += 1) {
      const load = startLoad(gateway)
      await load.untilAnswered(20 + Math.floor(Math.random() * 30))
      proxy.hold()
      while (proxy.held < HELD) await setTimeout(POLL_MS)
      await Promise.all([victim !== 'upstream' && gateway.kill9(), victim !== 'gateway' && upstream.kill9()])
      // The held answers are lost with the connections of the victim.
      proxy.loseHeld()
      await load.done
      if (victim !== 'gateway') upstream = await upstream.restart()
      if (victim !== 'upstream') gateway = await gateway.restart()
      await runReversals(gateway, query)
      const books = await expectEqualBooks(query, upstreamQuery)
      report.push({ killed: victim, round, ...books })
      // Each round interrupts several requests.
      expect(books.reversed).toBeGreaterThan(0)
      expect(bodyOf(await gateway.pay(cardPayment())).result.code).toBe(APPROVED)
    }
  } finally {
    await proxy.close()
  }
  return report
}

/** The follow-ups of payments, by type and share of the amount in percent. */
const scenarios = [
  ['DB'],
  ['PA', ['CP', 40], ['CP', 60]],
  ['DB', ['RF', 30], ['RF', 20]],
  ['PA', ['RV', 100]],
  ['DB', ['RV', 100]],
] as const satisfies readonly (readonly [first: string, ...next: (readonly [type: string, percent: number])[]])[]

/** Sends payments with follow-ups, until all are sent or a connection ends. */
function startLoad(gateway: GatewayProcess) {
  let [next, answered, isCutOff] = [0, 0, false]

  async function send(path: string, form: Readonly<Record<string, string>>): Promise<Body | undefined> {
    const answer = await gateway.client.send(post(path, form)).catch(() => undefined)
    answered += 1
    isCutOff ||= answer === undefined
    return answer && bodyOf(answer)
  }

  async function pay(number: number): Promise<void> {
    const [paymentType, ...followUps] = scenarios[number % scenarios.length] ?? scenarios[0]
    const amount = 100 + number
    const paid = await send('/v1/payments', cardPayment({ paymentType, amount: `${amount}.00` }))
    if (paid?.result.code !== APPROVED) return
    for (const [type, percent] of followUps) {
      if (isCutOff) return
      const form = followUpForm(type, { amount: ((amount * percent) / 100).toFixed(2) })
      if ((await send(`/v1/payments/${paid.id}`, form))?.result.code !== APPROVED) return
    }
  }

  async function work(): Promise<void> {
    for (; next < PAYMENTS && !isCutOff; ) {
      next += 1
      await pay(next)
    }
  }

  return {
    done: Promise.all(Array.from({ length: CONCURRENT }, work)).then(() => undefined),
    untilAnswered: async (count: number) => {
      while (answered < count) await setTimeout(POLL_MS)
    },
  }
}

/** A request or reversal of the gateway, with its transaction. */
interface SentAttempt {
  readonly kind: 'request' | 'reversal'
  /** JSON with the reference. */
  readonly sentAs: string
  readonly type: string
  readonly status: string
  /** Minor units; a text on PostgreSQL. */
  readonly amount: number | string
}

const attemptsSql = `SELECT a.kind, a.sent_as AS "sentAs", t.type, t.status, t.amount_minor AS amount
  FROM acquirer_attempt a JOIN payment_transaction t ON t.id = a.transaction_id`

/** An approved transaction of the upstream. */
interface UpstreamTransaction {
  readonly id: string
  readonly referencedId: string | null
  readonly reference: string
  readonly type: string
  readonly amount: number
}

const upstreamSql = `SELECT id, referenced_id AS "referencedId", merchant_transaction_id AS reference, type,
    amount_minor AS amount
  FROM payment_transaction WHERE status = 'ACK'`

/**
 * Expects that no transaction is open, and that the approved transactions of the gateway are those of the upstream,
 * each once and with its amount, except for those that the gateway has reversed there.
 */
async function expectEqualBooks(query: Query, upstreamQuery: Query): Promise<{ approved: number; reversed: number }> {
  const attempts = (await query<SentAttempt>(attemptsSql)).map(({ sentAs, ...attempt }) => {
    const { reference }: { reference?: string } = JSON.parse(sentAs)
    return { ...attempt, reference: reference ?? '' }
  })
  expect(attempts.filter(({ status }) => status === 'SENT' || status === 'PENDING')).toEqual([])
  const reversals = new Set(attempts.filter(({ kind }) => kind === 'reversal').map(({ reference }) => reference))
  const booked = await upstreamQuery<UpstreamTransaction>(upstreamSql)
  const undoing = booked.filter(({ reference }) => reversals.has(reference))
  const undone = new Set([...undoing.map(({ id }) => id), ...undoing.map(({ referencedId }) => referencedId)])
  // A transaction is reversed once.
  expect(undone.size).toBe(2 * undoing.length)
  const nameOf = ({ reference, type, amount }: Omit<UpstreamTransaction, 'id' | 'referencedId'>) =>
    `${reference} ${type} ${amount}`
  const here = attempts
    .filter(({ kind, status }) => kind === 'request' && status === 'ACK')
    .map(({ reference, type, amount }) => nameOf({ reference, type, amount: Number(amount) }))
  const there = booked.filter(({ id }) => !undone.has(id)).map(nameOf)
  expect(here.toSorted()).toEqual(there.toSorted())
  return { approved: here.length, reversed: undoing.length }
}
