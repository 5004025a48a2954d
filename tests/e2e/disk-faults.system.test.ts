import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { compileDiskShim, faultyDisk } from '../faults/disk-shim.ts'
import { crashImages } from '../support/crash-images.ts'
import { bodyOf } from '../support/http.ts'
import { startLoad } from '../support/load.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, discard, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName, expectAnswered, expectStored, type History } from '../support/durability.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 100 : 1
/** The number of successive rounds on the same data. The round after them begins without data. */
const roundsPerFolder = 10
const shim = compileDiskShim()
const shims = shim === undefined ? [] : [shim]

afterEach(cleanUp)

test('the faulty disk is available on Linux', () => {
  expect(shims).toHaveLength(process.platform === 'linux' ? 1 : 0)
})

describe.each(shims)('a gateway on a faulty disk', (library) => {
  /** Starts a gateway on a disk that fails on command, with its keys outside that disk. */
  async function startOnFaultyDisk(keys: string, image?: string) {
    const home = temporaryFolder()
    const disk = faultyDisk(library, home, image)
    const gateway = await startGateway({ data: disk.folder, env: { ...disk.env, TOLLGATE_KEYS: keys } })
    return { home, disk, gateway }
  }

  /**
   * Compares disk images with the acknowledged requests: the database of each with the requests to all processes, and
   * the answers of a gateway on the image with the requests to the last process. The short run starts a gateway only on
   * the image of the torn write.
   */
  async function expectDurable(images: readonly string[], keys: string, lastHistory: History, fullHistory: History) {
    for (const data of images) expectStored(join(data, databaseName), fullHistory)
    for (const data of isLong ? images : images.slice(-1)) {
      const gateway = await startGateway({ data, env: { TOLLGATE_KEYS: keys } })
      await expectAnswered(gateway, lastHistory)
      await gateway.stop()
    }
  }

  const newKeys = () => join(temporaryFolder(), 'keys.json')

  test(`keeps acknowledged payments, each once, in ${roundCount} kills, power cuts and torn writes`, async () => {
    const keys = newKeys()
    let acknowledged = 0
    let [image, lastHome]: (string | undefined)[] = []
    let history: History = []
    for (let round = 0; round < roundCount; round += 1) {
      if (round % roundsPerFolder === 0) [image, history] = [undefined, []]
      const { home, disk, gateway } = await startOnFaultyDisk(keys, image)
      if (lastHome !== undefined) discard(lastHome)
      const load = startLoad(gateway, `round-${round}`)
      await load.untilSent(50 + Math.floor(Math.random() * 300))
      await gateway.kill9()
      await load.stop()
      history = [...history, ...load.sent]
      acknowledged += load.sent.filter(({ answer }) => answer).length

      const images = crashImages(disk, home)
      await expectDurable(images, keys, load.sent, history)
      image = images[round % images.length]
      lastHome = home
    }
    console.log(`power cuts: ${roundCount} rounds, ${acknowledged} requests acknowledged`)
    expect(acknowledged).toBeGreaterThan(0)
  }, 3_600_000)

  test.each(isLong ? ['-wal', databaseName] : ['-wal'])(
    'ends after a failing fsync of %s, and keeps every acknowledged payment',
    async (suffix) => {
      const keys = newKeys()
      const { home, disk, gateway } = await startOnFaultyDisk(keys)
      const load = startLoad(gateway, 'until-fsync-fails')
      await load.untilSent(100)
      disk.fail('fsync', suffix)
      expect(await gateway.ended).toEqual({ code: 70, signal: null })
      expect(gateway.stderr()).toMatch(/^storage failed, the process exits: .*tollgate\.db: disk I\/O error\n$/)
      await load.stop()
      await expectDurable(crashImages(disk, home), keys, load.sent, load.sent)
    },
  )

  test('answers payments with 503 and reads as usual while the disk is full, and recovers', async () => {
    const keys = newKeys()
    const { home, disk, gateway } = await startOnFaultyDisk(keys)
    const first = bodyOf(await gateway.pay(cardPayment()))
    const load = startLoad(gateway, 'until-disk-full')
    const answersOf = (status: number) => load.sent.filter(({ answer }) => answer?.status === status)
    const expectMore = async (status: number) => {
      const enough = answersOf(status).length + (isLong ? 100 : 30)
      await expect.poll(() => answersOf(status).length, { timeout: 20_000 }).toBeGreaterThan(enough)
    }
    for (let round = 0; round < (isLong ? 3 : 1); round += 1) {
      await expectMore(200)
      disk.fail('full')
      await expectMore(503)
      const read = await gateway.get(first.id)
      expect([read.status, bodyOf(read).id]).toEqual([200, first.id])
      disk.fail('none')
    }
    await expectMore(200)
    await load.stop()
    await gateway.kill9()

    expect(load.sent.filter(({ answer }) => !answer)).toEqual([])
    const refusals = answersOf(503).flatMap(({ answer }) => (answer ? [bodyOf(answer).result.code] : []))
    expect([...new Set(refusals)]).toEqual(['999.999.888'])
    await expectDurable(crashImages(disk, home), keys, load.sent, load.sent)
  })
})
