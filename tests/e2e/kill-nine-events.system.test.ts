import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { type Sent, startLoad } from '../support/load.ts'
import { manage } from '../support/manage.ts'
import { cleanUp, discard, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName } from '../support/promises.ts'
import { type Manner, type Receiver, subscribeReceiver } from '../support/receiver.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 200 : 2
/** Rounds on one data folder before the next begins with an empty one. */
const chainLength = 6
/** Answers before a kill, however slow the machine is. */
const answersMin = 30
/**
 * Behaviour of the receiver while the gateway is killed: with two of the three, no committed event is delivered by
 * then.
 */
const manners: readonly Manner[] = ['up', 'down', 'silent']

afterEach(cleanUp)

test(`${roundCount} times kill -9 with events on their way: each of an acknowledged payment arrives`, async () => {
  const totals = { acknowledged: 0, unsentAtKill: 0, events: 0, repeated: 0 }
  for (let first = 0; first < roundCount; first += chainLength) {
    const data = temporaryFolder()
    const file = join(data, databaseName)
    const history: Sent[] = []
    let gateway = await startGateway({ data })
    const receiver = await subscribeReceiver(gateway)
    for (let round = first; round < Math.min(first + chainLength, roundCount); round += 1) {
      await receiver.behave(manners[round % manners.length] ?? 'up')
      const load = startLoad(gateway, `round-${round}`)
      await load.reaches(answersMin + Math.floor(Math.random() * 200))
      await gateway.kill9()
      await load.stop()
      history.push(...load.sent)
      totals.unsentAtKill += eventsIn(file).filter(({ done }) => !done).length
      await receiver.behave('up')

      gateway = await gateway.restart()
      await untilDelivered(gateway)
      expectDelivered(receiver, eventsIn(file), history)
    }
    await gateway.stop()
    const events = eventsIn(file)
    expectDelivered(receiver, events, history)
    expect(events.filter(({ done, parked }) => !done && !parked)).toEqual([])
    await receiver.close()
    discard(data)
    totals.acknowledged += acknowledged(history).length
    totals.events += events.length
    totals.repeated += [...receiver.taken.values()].filter(({ times }) => times > 1).length
  }
  console.log(`kill -9 with webhooks: ${roundCount} rounds, ${JSON.stringify(totals)}`)
  expect(Math.min(totals.acknowledged, totals.unsentAtKill)).toBeGreaterThan(0)
}, 7_200_000)

/** An event of the file, the transaction that it is about, and what became of its one delivery. */
interface StoredEvent {
  readonly id: string
  readonly payload: string
  readonly transaction: string
  readonly done: number
  readonly parked: number
}

/** From every transaction to its event: one that has none has an empty id. */
function eventsIn(file: string): readonly StoredEvent[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const events: StoredEvent[] = database
    .prepare(
      `SELECT coalesce(event.id, '') AS id, coalesce(payload, '') AS payload, payment_transaction.id AS "transaction",
          done_at_ms IS NOT NULL AS done, parked_at_ms IS NOT NULL AS parked
        FROM payment_transaction
        LEFT JOIN event ON event.payload ->> '$.id' = payment_transaction.id
        LEFT JOIN job ON job.subject_id = event.id AND job.kind = 'delivery'`,
    )
    .all()
  database.close()
  return events
}

/** The ids of payments whose approval or decline was answered. */
const acknowledged = (history: readonly Sent[]) =>
  history.flatMap(({ answer }) => (answer && answer.status < 429 ? [bodyOf(answer).id] : []))

/** Waits until no delivery is due, then moves the clock over the retries until none waits. */
async function untilDelivered(gateway: GatewayProcess): Promise<void> {
  const isDue = async () => {
    const { kinds } = await manage<{ kinds: { kind: string; due: number }[] }>(gateway, 'GET', '/jobs')
    return kinds.some(({ kind, due }) => kind === 'delivery' && due > 0)
  }
  while (await isDue()) await setTimeout(20)
  for (;;) {
    const { isThere } = await manage<{ isThere: boolean }>(gateway, 'POST', '/clock', { advance: 'PT5M' })
    if (isThere && !(await isDue())) return
  }
}

/** How many failures are shown; hundreds look alike. */
const shownMax = 3

/**
 * Every transaction of the file has one event with one delivery, every acknowledged one is in the file, and every event
 * was delivered as it is stored, or is dead-lettered; no other event was delivered.
 */
function expectDelivered({ taken }: Receiver, events: readonly StoredEvent[], history: readonly Sent[]): void {
  const byTransaction = new Map(events.map((event) => [event.transaction, event]))
  expect(events).toHaveLength(byTransaction.size)
  expect(events.filter(({ id }) => id === '').slice(0, shownMax)).toEqual([])
  const lost = acknowledged(history).filter((id) => !byTransaction.has(id))
  expect(lost.slice(0, shownMax)).toEqual([])
  const undelivered = events.filter(({ id, payload, parked }) => !parked && !isTaken(taken.get(id)?.text, payload))
  expect(undelivered.slice(0, shownMax)).toEqual([])
  const known = new Set(events.map(({ id }) => id))
  const unknown = [...taken].filter(([id]) => !known.has(id))
  expect(unknown.slice(0, shownMax)).toEqual([])
}

const isTaken = (text: string | undefined, payload: string) =>
  text?.startsWith(`{"type":"PAYMENT","payload":${payload},`)
