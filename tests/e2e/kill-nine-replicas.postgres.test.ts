import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterEach, expect, test } from 'vitest'
import { type Sent, startLoad } from '../support/load.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { expectAnswered, expectRows, rowsOfPostgres } from '../support/durability.ts'

const roundCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 1000 : 2
/** Successive rounds on one database; the next round begins with an empty database. */
const roundsPerDatabase = 20
/** Connections to each of the two processes. */
const connections = 24

afterEach(cleanUp)

test(`no payment is lost or duplicated by ${roundCount} kills of one of two processes on PostgreSQL`, async () => {
  let [acknowledged, cutOff, answeredAfterKill] = [0, 0, 0]
  for (let first = 0; first < roundCount; first += roundsPerDatabase) {
    const database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
    const setup = { data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } }
    const history: Sent[] = []
    let [one, other] = [await startGateway(setup), await startGateway(setup)]
    for (let round = first; round < Math.min(first + roundsPerDatabase, roundCount); round += 1) {
      const killed = startLoad(one, `killed-${round}`, connections)
      const surviving = startLoad(other, `surviving-${round}`, connections)
      await Promise.all([killed, surviving].map((load) => load.reaches(30 + Math.floor(Math.random() * 150))))
      const before = surviving.sent.length
      await one.kill9()
      await killed.stop()
      // The surviving process returns the payments that the killed process acknowledged.
      await expectAnswered(other, killed.sent)
      await surviving.stop()
      history.push(...killed.sent, ...surviving.sent)
      expectRows(await rowsOfPostgres(database), history)
      expect(surviving.sent.filter(({ answer }) => !answer)).toEqual([])

      acknowledged += [...killed.sent, ...surviving.sent].filter(({ answer }) => answer).length
      cutOff += killed.sent.filter(({ answer }) => !answer).length
      answeredAfterKill += surviving.sent.length - before
      // The two processes are killed alternately.
      ;[one, other] = [other, await one.restart()]
    }
    await Promise.all([one.stop(), other.stop()])
    await removeDatabase(database)
  }
  console.log(`kill -9 of a replica: ${roundCount} rounds, ${acknowledged} acknowledged, ${cutOff} cut off`)
  expect(Math.min(acknowledged, cutOff, answeredAfterKill)).toBeGreaterThan(0)
}, 7_200_000)
