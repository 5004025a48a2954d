import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterEach, expect, test } from 'vitest'
import { type Sent, startLoad } from '../support/load.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { expectAnswered, expectRows, rowsOfPostgres } from '../support/promises.ts'

const roundCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 1000 : 2
/** Rounds on one database before the next begins with an empty one. */
const chainLength = 20
/** Of each of the two. */
const connections = 24

afterEach(cleanUp)

test(`${roundCount} times kill -9 of one of two processes on PostgreSQL: no payment is lost or doubled`, async () => {
  let [acknowledged, cutOff, meanwhile] = [0, 0, 0]
  for (let first = 0; first < roundCount; first += chainLength) {
    const database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
    const setup = { data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } }
    const history: Sent[] = []
    let [one, other] = [await startGateway(setup), await startGateway(setup)]
    for (let round = first; round < Math.min(first + chainLength, roundCount); round += 1) {
      const dying = startLoad(one, `dying-${round}`, connections)
      const living = startLoad(other, `living-${round}`, connections)
      await Promise.all([dying, living].map((load) => load.reaches(30 + Math.floor(Math.random() * 150))))
      const before = living.sent.length
      await one.kill9()
      await dying.stop()
      // The surviving process continues, and answers for the requests that the killed one acknowledged.
      await expectAnswered(other, dying.sent)
      await living.stop()
      history.push(...dying.sent, ...living.sent)
      expectRows(await rowsOfPostgres(database), history)
      expect(living.sent.filter(({ answer }) => !answer)).toEqual([])

      acknowledged += [...dying.sent, ...living.sent].filter(({ answer }) => answer).length
      cutOff += dying.sent.filter(({ answer }) => !answer).length
      meanwhile += living.sent.length - before
      // Each of them is the next to be killed in turn.
      ;[one, other] = [other, await one.restart()]
    }
    await Promise.all([one.stop(), other.stop()])
    await removeDatabase(database)
  }
  console.log(`kill -9 of a replica: ${roundCount} rounds, ${acknowledged} acknowledged, ${cutOff} cut off`)
  expect(Math.min(acknowledged, cutOff, meanwhile)).toBeGreaterThan(0)
}, 7_200_000)
