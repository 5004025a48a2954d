import type { Socket } from 'node:net'
import { sandboxIds } from '@tollgate/gateway'
import { afterEach, expect, test } from 'vitest'
import { inParallel } from '../support/http.ts'
import { authorization, cardPayment, type Form } from '../support/payments.ts'
import { residentBytes } from '../support/process-memory.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { openSocket } from '../support/raw-client.ts'

// Some clients send requests to a process with a small heap and never read the answers. Other clients are still served.
// Even in the short run, the requested answers together exceed the heap: 700 times 0.4 MB, 40 times 8 MB.

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const residentBytesMax = 500 * 1024 * 1024
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await cleanUp()
})

const startWithSmallHeap = () => startGateway({ data: temporaryFolder(), execArgv: ['--max-old-space-size=192'] })

/** Opens connections, each of which sends the text and never reads. */
async function sendWithoutReading(gateway: GatewayProcess, connections: number, text: string): Promise<void> {
  const port = Number(new URL(gateway.url).port)
  await inParallel(Array.from({ length: connections }), 64, async () => {
    const socket = await openSocket(port)
    sockets.push(socket)
    socket.pause()
    socket.write(text)
  })
}

/** Expects that the gateway answers another client, and that its memory is within the bound. */
async function expectHealthy(gateway: GatewayProcess): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    expect((await gateway.client.send({ method: 'GET', path: '/healthz' })).status).toBe(200)
    expect((await gateway.pay(cardPayment())).status).toBe(200)
  }
  expect(residentBytes(gateway.pid)).toBeLessThan(residentBytesMax)
  expect(gateway.stderr()).toBe('')
}

const get = (path: string, ...headers: readonly string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

test('other clients are served while 64 connections each leave a thousand lists of result codes unread', async () => {
  const gateway = await startWithSmallHeap()
  await sendWithoutReading(gateway, 64, get('/v1/resultcodes').repeat(1_000))
  await expectHealthy(gateway)
})

test('other clients are served while hundreds of connections each leave an OpenAPI document unread', async () => {
  const gateway = await startWithSmallHeap()
  await sendWithoutReading(gateway, isLong ? 7_000 : 700, get('/openapi.json'))
  await expectHealthy(gateway)
})

/** A payment with a cart of 999 items, which take 0.2 MB in an answer. */
function largePayment(): Form {
  const items = Array.from({ length: 999 }, (_, index) => [
    [`cart.items[${index}].name`, `Item ${index} `.padEnd(150, 'of a long order ')],
    [`cart.items[${index}].price`, '0.09'],
  ])
  return cardPayment({ merchantTransactionId: 'unread-order', ...Object.fromEntries(items.flat()) })
}

test('other clients are served while query answers of many megabytes are unread', async () => {
  const gateway = await startWithSmallHeap()
  const form = largePayment()
  await inParallel(Array.from({ length: 45 }), 4, async () => {
    expect((await gateway.pay(form)).status).toBe(200)
  })
  const query = new URLSearchParams({
    entityId: sandboxIds.channel,
    merchantTransactionId: 'unread-order',
    limit: '100',
  })
  const path = `/v1/query?${query.toString()}`
  const token = `Authorization: ${authorization['authorization']}`
  await sendWithoutReading(gateway, isLong ? 1_000 : 40, get(path, token))
  await expectHealthy(gateway)
  // A query is refused with 429 while earlier queries are still in the queue.
  const sendQuery = () => gateway.client.send({ method: 'GET', path, headers: authorization })
  await expect.poll(async () => JSON.parse((await sendQuery()).text).payments?.length).toBe(45)
})
