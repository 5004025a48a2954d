import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { openSocket, receivedBy } from '../support/raw-client.ts'

// Tests of the four HTTP listeners of a process; the fifth, of the acquirer's test host, speaks ISO 8583.

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ data: temporaryFolder() })
})
afterAll(cleanUp)

const listeners: Readonly<Record<string, () => number>> = {
  merchants: () => Number(new URL(gateway.url).port),
  operators: () => portIn(gateway.stdout(), 'management API'),
  'the sample shop': () => portIn(gateway.stdout(), 'sample shop'),
  'banks and wallets': () => portIn(gateway.stdout(), 'banks and wallets'),
}

const ambiguousHeads: readonly (readonly [ambiguity: string, ...head: string[]])[] = [
  ['two hosts', 'GET /healthz HTTP/1.1', 'Host: a', 'Host: b'],
  ['a chunked body in HTTP/1.0', 'POST /v1/payments HTTP/1.0', 'Host: a', 'Transfer-Encoding: chunked'],
  [
    'a chunked body with a length',
    'POST /v1/payments HTTP/1.1',
    'Host: a',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
  ],
  ['two lengths', 'POST /v1/payments HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Content-Length: 4'],
  ['a folded line', 'GET /healthz HTTP/1.1', 'Host: a', 'X-Long: b', ' c'],
  ['an unsupported transfer coding', 'POST /v1/payments HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked'],
]

test.each(Object.entries(listeners))(
  'the listener for %s refuses an ambiguous request head, and ignores the bytes after it',
  async (_name, port) => {
    for (const [ambiguity, ...head] of ambiguousHeads) {
      const socket = await openSocket(port())
      socket.write(`${head.join('\r\n')}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`)
      const received = await receivedBy(socket, 5_000)
      expect(received.match(/^HTTP\/1\.1 \d{3}/gm), ambiguity).toEqual(['HTTP/1.1 400'])
    }
  },
)

const boundedListeners = Object.entries(listeners).filter(([name]) => name !== 'merchants')

test.each(boundedListeners)('the listener for %s closes connections above its bound', async (_name, port) => {
  const opened: Socket[] = []
  for (let count = 0; count < 300; count += 1) opened.push(await openSocket(port()))
  await expect.poll(() => opened.filter(({ closed }) => closed).length).toBe(300 - 256)
  for (const socket of opened) socket.destroy()
})
