import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type SentRequest, startLoad } from '../support/load.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, discard, launch, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName, expectAnswered, expectStored } from '../support/durability.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 1000 : 2
const firstStartCount = isLong ? 50 : 1
/** The number of successive rounds on one data folder. The round after them begins with an empty folder. */
const roundsPerFolder = isLong ? 10 : roundCount

afterEach(cleanUp)

test(`no acknowledged payment is lost or duplicated by ${roundCount} kills with SIGKILL under load`, async () => {
  let acknowledged = 0
  let cutOff = 0
  for (let firstRound = 0; firstRound < roundCount; firstRound += roundsPerFolder) {
    const data = temporaryFolder()
    const history: SentRequest[] = []
    let gateway = await startGateway({ data })
    for (let round = firstRound; round < firstRound + roundsPerFolder; round += 1) {
      const load = startLoad(gateway, `round-${round}`)
      await load.untilSent(50 + Math.floor(Math.random() * 300))
      await gateway.kill9()
      await load.stop()
      history.push(...load.sent)
      expectStored(join(data, databaseName), history)
      acknowledged += load.sent.filter(({ answer }) => answer).length
      cutOff += load.sent.filter(({ answer }) => !answer).length

      gateway = await gateway.restart()
      await expectAnswered(gateway, load.sent)
    }
    await gateway.stop()
    expectStored(join(data, databaseName), history)
    discard(data)
  }
  console.log(`kill -9: ${roundCount} rounds, ${acknowledged} requests acknowledged, ${cutOff} cut off`)
  expect(acknowledged).toBeGreaterThan(0)
  expect(cutOff).toBeGreaterThan(0)
}, 7_200_000)

/** Files of a first start in the order of their creation. The short run tests only the first and the last. */
const createdFiles = ['.lock', '', '-wal'].map((suffix) => databaseName + suffix).concat('keys.json')

test.each(isLong ? createdFiles : [createdFiles[0], createdFiles.at(-1)])(
  'a gateway that was killed in its first start, after creating %s, starts again',
  async (file = '') => {
    for (let round = 0; round < firstStartCount; round += 1) {
      const data = temporaryFolder()
      const watcher = watch(data)
      const launched = launch({ data })
      while (!existsSync(join(data, file))) await once(watcher, 'change')
      watcher.close()
      // Every other round kills the gateway immediately, because the first bytes of a file are the most at risk.
      if (round % 2 === 1) await setTimeout(Math.random() * 20)
      launched.signal('SIGKILL')
      await launched.ended

      const gateway = await startGateway({ data })
      expect((await gateway.pay(cardPayment())).status).toBe(200)
      await gateway.stop()
    }
  },
)
