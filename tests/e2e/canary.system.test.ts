import { readdirSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sandboxIds } from '@tollgate/gateway'
import { afterEach, expect, test } from 'vitest'
import { setFaults } from '../support/acquirer-host.ts'
import {
  canariesToRecover,
  canaryRequests,
  canaries,
  cardNumbers,
  cvvs,
  erased,
  type RecordIds,
} from '../support/canaries.ts'
import { type Answer, bodyOf, inParallel } from '../support/http.ts'
import { foundIn, type Needle, needlesOf } from '../support/needles.ts'
import { cardPayment, post } from '../support/payments.ts'
import { requestKeys, finishRotation } from '../support/keys.ts'
import { memoryOf } from '../support/process-memory.ts'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { untilConnected } from '../support/settled.ts'
import { databaseName } from '../support/durability.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

afterEach(cleanUp)

const needles = canaries.flatMap(needlesOf)
const erasedNeedles = erased.flatMap(needlesOf)
/** A value that every search for needles must find, which proves that the search works. */
const control: readonly Needle[] = [{ encoding: 'control', bytes: Buffer.from(sandboxIds.channel) }]

test('card numbers and cvv stay out of answers, logs, files, memory and heap snapshots', async () => {
  const [data, snapshotFolder] = [temporaryFolder(), temporaryFolder()]
  const snapshot = join(snapshotFolder, 'gateway.heapsnapshot')
  const gateway = await startGateway({
    data,
    env: { TOLLGATE_LOG: 'debug', TOLLGATE_TEST_SNAPSHOT: snapshot },
    execArgv: ['--expose-gc', '--import', new URL('../support/heap-on-signal.js', import.meta.url).href],
  })

  await untilConnected(gateway)
  const recordIds = await createRecords(gateway)
  for (const [name, build] of canaryRequests) {
    const answer = await gateway.client.send(build(recordIds))
    expect([name, answer.status < 500, leakedIn(answer.text)]).toEqual([name, true, []])
  }
  await recover(gateway)
  // The rotation decrypts every number for its new fingerprint.
  await requestKeys(gateway, '/rotate', { purpose: 'fingerprint' })
  await finishRotation(gateway)
  await abortRequest(gateway)
  await sendOtherRequests(gateway)

  gateway.signal('SIGUSR2')
  await expect.poll(gateway.stderr, { timeout: 20_000 }).toContain('collected\n')
  if (process.platform === 'linux') expectNotInMemory(gateway.pid)
  gateway.signal('SIGHUP')
  await expect.poll(gateway.stderr, { timeout: 60_000 }).toContain('written\n')
  expect(foundIn(stringsOf(readFileSync(snapshot)), [...needles, ...control])).toEqual(['control'])

  expectNotInFiles(data)
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
  expectNotInFiles(data)
  const log = Buffer.from(gateway.stdout() + gateway.stderr())
  expect(foundIn(log, [...needles, ...control])).toEqual(['control'])
  expect(leavesOfLog(gateway.stdout()).filter((leaf) => cvvs.includes(leaf))).toEqual([])
  expect(leavesOfDatabase(join(data, databaseName)).filter((leaf) => cvvs.includes(leaf))).toEqual([])
  console.log(`canaries: ${canaryRequests.length + canariesToRecover.length + 4} requests, ${needles.length} needles`)
})

/** Creates the payment, the registration and the checkout to which requests refer; the first two contain canaries. */
async function createRecords(gateway: GatewayProcess): Promise<RecordIds> {
  const payment = bodyOf(await gateway.pay(cardPayment({ paymentType: 'PA', 'card.number': cardNumbers.short })))
  expect(payment).toMatchObject({
    card: { bin: cardNumbers.short.slice(0, 6), last4Digits: cardNumbers.short.slice(-4) },
  })
  const { amount: _amount, currency: _currency, paymentType: _type, ...card } = cardPayment()
  const registration = await gateway.client.send(
    post('/v1/registrations', { ...card, 'card.number': cardNumbers.long }),
  )
  expect(registration.status).toBe(200)
  const { entityId = '' } = card
  const checkout = await gateway.client.send(
    post('/v1/checkouts', { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' }),
  )
  expect(checkout.status).toBe(200)
  const external = bodyOf(await gateway.pay(cardPayment({ testMode: 'EXTERNAL', 'card.number': cardNumbers.short })))
  expect(external.result.code).toBe('000.100.112')
  return {
    paymentId: payment.id,
    registrationId: bodyOf(registration).id,
    checkoutId: bodyOf(checkout).id,
    externalId: external.id,
  }
}

/** Sends payments whose answers are wrong, so that messages are made again from what is stored. */
async function recover(gateway: GatewayProcess): Promise<void> {
  const host = { url: `http://127.0.0.1:${portIn(gateway.stdout(), 'banks and wallets')}` }
  for (const [name, build] of canariesToRecover) {
    await setFaults(host, [{ knob: 'wrongAmount', types: ['0100', '0220'], next: 1 }])
    const answer = await gateway.client.send(build())
    expect([name, bodyOf(answer).result.code, leakedIn(answer.text)]).toEqual([
      name,
      expect.stringMatching(/^(?:900\.100\.301|000\.100\.112)$/),
      [],
    ])
  }
}

/** Ends the connection within the body of a request. */
async function abortRequest(gateway: GatewayProcess): Promise<void> {
  const { path, headers } = post('/v1/payments', {})
  const { hostname, port } = new URL(gateway.url)
  await new Promise<void>((resolve) => {
    const outgoing = request({ hostname, port, method: 'POST', path, headers: { ...headers, 'content-length': 5000 } })
    outgoing.on('error', () => resolve())
    outgoing.write(`card.number=${cardNumbers.short}`, () => outgoing.destroy(new Error('aborted by the test')))
  })
}

/** Sends hundreds of other requests: reads, and payments with another card and with longer bodies. */
async function sendOtherRequests(gateway: GatewayProcess): Promise<void> {
  const cart = (items: number) =>
    Object.fromEntries(Array.from({ length: items }, (_, n) => [`cart.items[${n}].name`, 'a'.repeat(200)]))
  const forms = Array.from({ length: isLong ? 500 : 200 }, (_, n) => cardPayment(cart([2, 20, 300][n % 3] ?? 0)))
  await inParallel(forms, 8, async (form) => {
    const answer = await gateway.pay(form)
    expect(answer.status).toBe(200)
    expect((await gateway.get(bodyOf(answer).id)).status).toBe(200)
  })
}

/** The parts of canaries in an answer. It may contain their first six and last four digits, but not nine in a row. */
function leakedIn(text: Answer['text']): readonly string[] {
  return canaries.flatMap((digits) =>
    Array.from({ length: digits.length - 8 }, (_, start) => digits.slice(start, start + 9)).filter((part) =>
      text.includes(part),
    ),
  )
}

/** The strings of a heap snapshot, without the numbers of its graph, which are most of it and slow to search. */
function stringsOf(heapSnapshot: Buffer): Buffer {
  const start = heapSnapshot.lastIndexOf('\n"strings":[')
  expect(start).toBeGreaterThan(0)
  return heapSnapshot.subarray(start)
}

function expectNotInMemory(pid: number): void {
  const overlapBytes = Math.max(...erasedNeedles.map(({ bytes }) => bytes.length))
  const hits: string[] = []
  let isControlFound = false
  for (const { position, bytes } of memoryOf(pid, overlapBytes)) {
    hits.push(...foundIn(bytes, erasedNeedles).map((encoding) => `${encoding} at ${position}`))
    isControlFound ||= foundIn(bytes, control).length > 0
  }
  expect({ hits, isControlFound }).toEqual({ hits: [], isControlFound: true })
}

function expectNotInFiles(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
  const contents = Buffer.concat(files.map((path) => readFileSync(path)))
  expect(foundIn(contents, [...needles, ...control])).toEqual(['control'])
}

/** All values in the lines of the log. */
function leavesOfLog(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  expect(lines.length).toBeGreaterThan(canaryRequests.length)
  return lines.flatMap((line) => leavesOf(JSON.parse(line)))
}

/** All values in all columns of all tables, and all values inside JSON columns. */
function leavesOfDatabase(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables: { name: string }[] = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  const leaves = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all().flatMap(leavesOf))
  database.close()
  expect(leaves).toContain(cardNumbers.short.slice(0, 6))
  return leaves
}

function leavesOf(value: unknown): readonly string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  const text = String(value)
  return text.startsWith('{') || text.startsWith('[') ? [text, ...leavesOf(JSON.parse(text))] : [text]
}
