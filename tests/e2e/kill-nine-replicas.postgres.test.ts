import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterEach, expect, test } from 'vitest'
import { type SentRequest, startLoad } from '../support/load.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { expectAnswered, expectRows, rowsOfPostgres } from '../support/durability.ts'

const roundCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 1000 : 2
/** The number of successive rounds on one database. The round after them begins with an empty database. */
const roundsPerDatabase = 20
/** The number of connections to each of the two processes. */
const connections = 24

afterEach(cleanUp)

test(`no acknowledged payment is lost or duplicated by ${roundCount} kills of a process beside a peer`, async () => {
  let [acknowledged, cutOff, answeredAfterKill] = [0, 0, 0]
  for (let firstRound = 0; firstRound < roundCount; firstRound += roundsPerDatabase) {
    const database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
    const setup = { data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } }
    const history: SentRequest[] = []
    let [killed, surviving] = [await startGateway(setup), await startGateway(setup)]
    for (let round = firstRound; round < Math.min(firstRound + roundsPerDatabase, roundCount); round += 1) {
      const killedLoad = startLoad(killed, `killed-${round}`, connections)
      const survivingLoad = startLoad(surviving, `surviving-${round}`, connections)
      await Promise.all([killedLoad, survivingLoad].map((load) => load.untilSent(30 + Math.floor(Math.random() * 150))))
      const sentBeforeKill = survivingLoad.sent.length
      await killed.kill9()
      await killedLoad.stop()
      // The surviving process returns the payments that the killed process acknowledged.
      await expectAnswered(surviving, killedLoad.sent)
      await survivingLoad.stop()
      history.push(...killedLoad.sent, ...survivingLoad.sent)
      expectRows(await rowsOfPostgres(database), history)
      expect(survivingLoad.sent.filter(({ answer }) => !answer)).toEqual([])

      acknowledged += [...killedLoad.sent, ...survivingLoad.sent].filter(({ answer }) => answer).length
      cutOff += killedLoad.sent.filter(({ answer }) => !answer).length
      answeredAfterKill += survivingLoad.sent.length - sentBeforeKill
      // The two processes are killed alternately.
      ;[killed, surviving] = [surviving, await killed.restart()]
    }
    await Promise.all([killed.stop(), surviving.stop()])
    await removeDatabase(database)
  }
  console.log(`kill -9 of a replica: ${roundCount} rounds, ${acknowledged} acknowledged, ${cutOff} cut off`)
  expect(Math.min(acknowledged, cutOff, answeredAfterKill)).toBeGreaterThan(0)
}, 7_200_000)
