import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { type SentRequest, startLoad } from '../support/load.ts'
import { manage } from '../support/manage.ts'
import { cleanUp, discard, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName } from '../support/durability.ts'
import { type ReceiverState, type Receiver, subscribeReceiver } from '../support/receiver.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 200 : 2
/** The number of successive rounds on one data folder. The round after them begins with an empty folder. */
const roundsPerFolder = 6
/** The minimum number of answered requests before a kill. */
const answersMin = 30
/**
 * The states of the receiver when the gateway is killed. In the states `down` and `silent` it has accepted no event of
 * the round.
 */
const receiverStates: readonly ReceiverState[] = ['up', 'down', 'silent']

afterEach(cleanUp)

test(`every event of a payment is delivered or dead-lettered despite ${roundCount} kills with SIGKILL`, async () => {
  const totals = { acknowledged: 0, undeliveredAtKill: 0, events: 0, repeated: 0 }
  for (let firstRound = 0; firstRound < roundCount; firstRound += roundsPerFolder) {
    const data = temporaryFolder()
    const file = join(data, databaseName)
    const history: SentRequest[] = []
    let gateway = await startGateway({ data })
    const receiver = await subscribeReceiver(gateway)
    for (let round = firstRound; round < Math.min(firstRound + roundsPerFolder, roundCount); round += 1) {
      await receiver.setState(receiverStates[round % receiverStates.length] ?? 'up')
      const load = startLoad(gateway, `round-${round}`)
      await load.untilSent(answersMin + Math.floor(Math.random() * 200))
      await gateway.kill9()
      await load.stop()
      history.push(...load.sent)
      totals.undeliveredAtKill += eventsIn(file).filter(({ done }) => !done).length
      await receiver.setState('up')

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
    totals.acknowledged += acknowledgedIds(history).length
    totals.events += events.length
    totals.repeated += [...receiver.received.values()].filter(({ times }) => times > 1).length
  }
  console.log(`kill -9 with webhooks: ${roundCount} rounds, ${JSON.stringify(totals)}`)
  expect(Math.min(totals.acknowledged, totals.undeliveredAtKill)).toBeGreaterThan(0)
}, 7_200_000)

/** A stored event with its transaction and the state of its delivery. */
interface StoredEvent {
  readonly id: string
  readonly payload: string
  readonly transaction: string
  readonly done: number
  readonly parked: number
}

/** One row for each transaction; the id is empty if the transaction has no event. */
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
const acknowledgedIds = (history: readonly SentRequest[]) =>
  history.flatMap(({ answer }) => (answer && answer.status < 429 ? [bodyOf(answer).id] : []))

/** Waits until no delivery is due, then fast-forwards in steps of five minutes until no retry is due. */
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

/** The maximum number of failures shown, because hundreds of failures are alike. */
const shownMax = 3

/**
 * Expects one event with one delivery for every transaction in the file, every acknowledged transaction in the file,
 * every event delivered as it is stored or dead-lettered, and no other event delivered.
 */
function expectDelivered(
  { received }: Receiver,
  events: readonly StoredEvent[],
  history: readonly SentRequest[],
): void {
  const byTransaction = new Map(events.map((event) => [event.transaction, event]))
  expect(events).toHaveLength(byTransaction.size)
  expect(events.filter(({ id }) => id === '').slice(0, shownMax)).toEqual([])
  const lost = acknowledgedIds(history).filter((id) => !byTransaction.has(id))
  expect(lost.slice(0, shownMax)).toEqual([])
  const undelivered = events.filter(
    ({ id, payload, parked }) => !parked && !isDelivered(received.get(id)?.text, payload),
  )
  expect(undelivered.slice(0, shownMax)).toEqual([])
  const stored = new Set(events.map(({ id }) => id))
  const unknown = [...received].filter(([id]) => !stored.has(id))
  expect(unknown.slice(0, shownMax)).toEqual([])
}

const isDelivered = (text: string | undefined, payload: string) =>
  text?.startsWith(`{"type":"PAYMENT","payload":${payload},`)
