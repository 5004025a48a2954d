import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { afterEach, expect, test } from 'vitest'
import { bodyOf, type Request } from '../support/http.ts'
import { requestKeys, finishRotation, countDecryptable, keyRingIn, storeCardNumbers } from '../support/keys.ts'
import { type SentRequest, startLoad } from '../support/load.ts'
import { authorization, cardPayment, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName, expectAnswered, expectStored } from '../support/durability.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = 200

afterEach(cleanUp)

/** The number of card numbers stored before the rotation, so that rewrapping takes several steps. */
const numbersBefore = isLong ? 5000 : 500

async function startWithNumbers(): Promise<[data: string, gateway: GatewayProcess]> {
  const data = temporaryFolder()
  const gateway = await startGateway({ data })
  await gateway.stop()
  await storeCardNumbers(data, numbersBefore)
  return [data, await gateway.restart()]
}

const { amount: _amount, currency: _currency, paymentType: _type, ...card } = cardPayment()
const { 'card.number': _number, ...paymentWithoutNumber } = cardPayment()

/** Repeatedly stores a card, pays with it and, in every other round, deletes it, until `stop` is called. */
function startRegistrations(gateway: GatewayProcess, connections: number) {
  const codes: string[] = []
  let isStopping = false

  async function send(request: Request): Promise<string> {
    const body = bodyOf(await gateway.client.send(request))
    codes.push(body.result.code)
    return body.id
  }
  async function registerRepeatedly(): Promise<void> {
    for (let round = 0; !isStopping; round += 1) {
      const id = await send(post('/v1/registrations', card))
      const path = `/v1/registrations/${id}`
      for (let count = 0; count < 3; count += 1) await send(post(`${path}/payments`, paymentWithoutNumber))
      const deletion = { method: 'DELETE', path: `${path}?entityId=${sandboxIds.channel}`, headers: authorization }
      if (round % 2 === 0) await send(deletion)
    }
  }

  const done = Promise.all(Array.from({ length: connections }, registerRepeatedly))
  return {
    codes,
    stop: async () => {
      isStopping = true
      await done
    },
  }
}

/** The requests that were not answered as expected: with the result code that the form forces, or with an approval. */
function withUnexpectedResult(sent: readonly SentRequest[]): readonly SentRequest[] {
  return sent.filter(({ form, answer }) => {
    const expected = form['customParameters[forceResultCode]'] ?? '000.100.110'
    return !answer || bodyOf(answer).result.code !== expected
  })
}

const hexOf = (key: Uint8Array | undefined) => Buffer.from(key ?? []).toString('hex')

test('a key rotation under load fails no payment, and then only the new keys decrypt the numbers', async () => {
  const [data, gateway] = await startWithNumbers()
  const oldRing = keyRingIn(data)
  const load = startLoad(gateway, 'rotation', 24)
  const registrations = startRegistrations(gateway, 8)
  const untilSent = (count: number) =>
    expect.poll(() => load.sent.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  await untilSent(200)
  const sentBefore = load.sent.length

  await requestKeys(gateway, '/rotate')
  await requestKeys(gateway, '/rotate', { purpose: 'fingerprint' })
  await finishRotation(gateway)
  const sentDuring = load.sent.length - sentBefore
  await untilSent(load.sent.length + 50)
  await Promise.all([load.stop(), registrations.stop()])
  expect((await requestKeys(gateway)).keys.map(({ state }) => state)).toEqual(['current', 'current'])
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })

  expect(withUnexpectedResult(load.sent)).toEqual([])
  expect(new Set(registrations.codes)).toEqual(new Set(['000.100.110']))
  expect(sentDuring).toBeGreaterThan(0)
  expectStored(join(data, databaseName), load.sent)
  const { numbers, ...counts } = await countDecryptable(data, keyRingIn(data))
  expect(counts).toEqual({ decrypted: numbers, matched: numbers })
  expect(await countDecryptable(data, oldRing)).toEqual({ numbers, decrypted: 0, matched: 0 })
  expect(numbers).toBeGreaterThan(numbersBefore + sentBefore / 2)

  const files = readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1'))
  for (const { current, keys } of [oldRing.encryption, oldRing.fingerprint]) {
    expect(files.filter((text) => text.includes(current) || text.includes(hexOf(keys[current])))).toEqual([])
  }
  const answers = load.sent.length + registrations.codes.length
  console.log(`rotation: ${answers} requests, ${sentDuring} of them during the rotation, 0 failed; ${numbers} numbers`)
})

test.runIf(isLong)(
  `a rotation under load completes despite ${roundCount} kills with SIGKILL`,
  async () => {
    const keyRings = []
    const history: SentRequest[] = []
    const [data, firstGateway] = await startWithNumbers()
    let gateway = firstGateway
    for (let round = 0; round < roundCount; round += 1) {
      keyRings.push(keyRingIn(data))
      const load = startLoad(gateway, `round-${round}`, 16)
      await load.untilSent(50)
      const rotation = rotate(gateway)
      // The gateway is killed at a random time, or during the rewrapping.
      if (round % 2 === 0) await load.untilSent(load.sent.length + Math.floor(Math.random() * 200))
      else await untilRewrapping(gateway)
      await gateway.kill9()
      await Promise.all([load.stop(), rotation])
      history.push(...load.sent)
      expectStored(join(data, databaseName), history)

      gateway = await gateway.restart()
      await expectAnswered(gateway, load.sent)
      // After every third round the next rotation begins before this one has ended.
      if (round % 3 !== 0) await finishRotation(gateway)
    }
    await finishRotation(gateway)
    await gateway.stop()

    const { numbers, ...counts } = await countDecryptable(data, keyRingIn(data))
    expect(counts).toEqual({ decrypted: numbers, matched: numbers })
    for (const oldRing of keyRings.slice(0, -1)) {
      if (oldRing.encryption.current in keyRingIn(data).encryption.keys) continue
      expect((await countDecryptable(data, oldRing)).decrypted).toBe(0)
    }
    console.log(`rotation: ${roundCount} rounds of kill -9, ${numbers} numbers`)
  },
  HOUR_MS,
)

/** Waits until the number of records that still need an old key has begun to fall. */
async function untilRewrapping(gateway: GatewayProcess): Promise<void> {
  let remaining = 0
  let remainingMax = 0
  do {
    ;({ remaining } = await requestKeys(gateway))
    remainingMax = Math.max(remainingMax, remaining)
  } while (remaining === remainingMax)
}

/**
 * Rotates the encryption key, and the fingerprint key unless its previous rotation is unfinished, because a third
 * fingerprint key is not allowed. Returns early if the gateway is killed.
 */
async function rotate(gateway: GatewayProcess): Promise<void> {
  try {
    await requestKeys(gateway, '/rotate')
    const { keys } = await requestKeys(gateway)
    const hasOneFingerprintKey = keys.filter(({ purpose }) => purpose === 'fingerprint').length === 1
    if (hasOneFingerprintKey) await requestKeys(gateway, '/rotate', { purpose: 'fingerprint' })
    await finishRotation(gateway)
  } catch {
    // The gateway was killed.
  }
}
