import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { readMessage, writeMessage } from '@tollgate/three-d-secure'
import { afterEach, expect, test, vi } from 'vitest'
import { limits } from './limits.ts'
import type { Simulator, SimulatorEnvironment } from './simulator.ts'
import { type RunningSimulators, startSimulators } from './start-simulators.ts'

const openSimulators: RunningSimulators[] = []

async function start(options: Partial<Parameters<typeof startSimulators>[0]> = {}): Promise<RunningSimulators> {
  const running = await startSimulators({ host: '127.0.0.1', port: 0, ...options })
  openSimulators.push(running)
  return running
}

afterEach(async () => {
  await Promise.all(openSimulators.splice(0).map((running) => running.close()))
})

test('a payment is ordered and paid, and the gateway is notified, over sockets', async () => {
  const received: string[] = []
  let notify: () => void = () => undefined
  const notified = new Promise<void>((resolve) => (notify = resolve))
  const gateway = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(`${request.method} ${request.url} ${chunk.toString()}`))
    request.on('end', () => {
      response.writeHead(204).end()
      notify()
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(gateway.address())
  const { url } = await start()
  const order = {
    reference: 'r',
    amount: '1.00',
    currency: 'EUR',
    brand: 'IDEAL',
    description: 'Shop',
    returnUrl: 'https://shop.example/',
    notificationUrl: `http://127.0.0.1:${port}/notify`,
  }
  const opened = await fetch(`${url}/bank/payments`, { method: 'POST', body: JSON.stringify(order) })
  const { id, redirectUrl }: { id: string; redirectUrl: string } = JSON.parse(await opened.text())
  expect(redirectUrl).toBe(`${url}/bank/${id}`)
  const page = await fetch(redirectUrl)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const body = new URLSearchParams({ choice: 'pay' })
  const paid = await fetch(redirectUrl, { method: 'POST', body, redirect: 'manual' })
  expect([paid.status, paid.headers.get('location')]).toEqual([303, 'https://shop.example/?state=paid'])
  await notified
  expect(received).toEqual([`POST /notify {"id":"${id}"}`])
  gateway.close()
  gateway.closeAllConnections()
})

test('directory server and ACS have the same address', async () => {
  const { url } = await start()
  const messageVersion = '2.2.0'
  const threeDSServerTransID = 'd290f1ee-6c54-4b01-90e6-d701748f0851'
  const preq = writeMessage('PReq', { messageVersion, threeDSServerTransID, threeDSServerRefNumber: 'x' })
  const pres = await fetch(`${url}/ds`, { method: 'POST', body: Buffer.from(preq) })
  expect(readMessage('PRes', await pres.text(), { threeDSServerTransID })).toMatchObject({
    ok: { cardRangeData: expect.arrayContaining([expect.objectContaining({ threeDSMethodURL: `${url}/acs/method` })]) },
  })
  expect((await fetch(`${url}/acs/challenge`, { method: 'POST', body: 'creq=x' })).status).toBe(400)
})

test('other simulators replace the default simulators, and receive the address of the server', async () => {
  let receivedUrl = ''
  let tick: () => void = () => undefined
  const ticked = new Promise<void>((resolve) => (tick = resolve))
  const echo = (environment: SimulatorEnvironment): Simulator => ({
    register(server) {
      server.post('/echo', async ({ url, body }, reply) => {
        receivedUrl = environment.url
        return reply.send(`${url} ${String(body)}`)
      })
    },
    async advance() {
      tick()
    },
  })
  const { url } = await start({ create: (environment) => [echo(environment)] })
  const answer = await fetch(`${url}/echo?y`, { method: 'POST', body: 'ü' })
  expect([await answer.text(), receivedUrl]).toEqual(['/echo?y ü', url])
  expect((await fetch(`${url}/bank/x`)).status).toBe(404)
  await ticked
})

test('HEAD is answered like GET, without a body', async () => {
  const { url } = await start()
  const head = await fetch(`${url}/bank/x`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([404, ''])
})

test('a request that is too long is refused', async () => {
  const { url } = await start()
  const body = 'x'.repeat(limits.bodyBytesMax + 1)
  expect((await fetch(`${url}/bank/payments`, { method: 'POST', body })).status).toBe(413)
  expect((await fetch(`${url}/bank/${'x'.repeat(8_192)}`)).status).toBe(414)
})

test('a request whose handler fails is answered with 500, and the error is logged', async () => {
  const failing: Simulator = {
    register: (server) => void server.get('/', () => Promise.reject(new Error('a defect'))),
    advance: async () => undefined,
  }
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const { url } = await start({ create: () => [failing] })
  expect((await fetch(url)).status).toBe(500)
  expect(written.mock.calls.join()).toContain('a defect')
  written.mockRestore()
})

test('a start on a port in use fails', async () => {
  const { url } = await start()
  await expect(start({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE')
})

test('close ends connections that clients keep open', async () => {
  const { url } = await start()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const answered = new Promise((resolve) => socket.once('data', resolve))
  socket.write('GET /bank/x HTTP/1.1\r\nhost: x\r\n\r\n')
  await answered
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await openSimulators.pop()?.close()
  await closed
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
