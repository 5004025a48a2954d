import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '@tollgate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from './start-gateway.ts'
import { ConfigError, readConfig } from './config.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { cardWithoutPayment, cardPayment, FORM, formOf, type Parameters } from './testing/test-gateway.ts'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const configOf = (env: Readonly<Record<string, string>> = {}) =>
  readConfig({ PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent', ...env })
const authorization = `Bearer ${sandboxToken}`
const startError = (starting: Promise<RunningGateway>) =>
  starting.then(
    () => 'started',
    (error: unknown) => (error instanceof ConfigError ? error.message : Promise.reject(error)),
  )

async function post(url: string, parameters: Parameters): Promise<{ id: string; result: { code: string } }> {
  const body = new URLSearchParams(formOf({ entityId: sandboxIds.channel, ...parameters }))
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body })
  return JSON.parse(await response.text())
}
const pay = (url: string) => post(`${url}/v1/payments`, cardPayment())

test('a stop closes the listeners and the vault, and the next start serves the stored payments', async () => {
  const first = await startGateway(configOf())
  const paid = await pay(first.publicUrl)
  expect(paid.result.code).toBe('000.100.110')
  const entities = await fetch(`${first.manageUrl}/manage/v1/entities`, {
    headers: { authorization: 'Bearer manage-sandbox' },
  })
  expect(entities.status).toBe(200)
  await Promise.all([first.stop(), first.stop()])
  for (const url of [first.publicUrl, first.manageUrl]) await expect(fetch(url)).rejects.toThrow()
  const number = new Secret(new TextEncoder().encode('4200000000000000'))
  await expect(first.gateway.vault.seal(number, { id: 'a', merchant: 'b' })).rejects.toThrow('the vault is closed')

  const second = await startGateway(configOf())
  const read = await fetch(`${second.publicUrl}/v1/payments/${paid.id}`, { headers: { authorization } })
  expect(await read.json()).toMatchObject({ id: paid.id, amount: '92.00', result: { code: '000.100.110' } })
  await second.stop()
})

test('the clock continues after a restart, although the clock of the machine went back', async () => {
  const machine = { nowMs: Date.UTC(2026, 10, 22), now: () => machine.nowMs }
  const first = await startGateway(configOf(), machine)
  machine.nowMs += 60_000
  await first.stop()
  machine.nowMs -= 5_000
  const second = await startGateway(configOf(), machine)
  expect(second.gateway.clock.now() - machine.nowMs).toBe(5_000)
  machine.nowMs += 10_000
  expect(second.gateway.clock.now()).toBe(machine.nowMs)
  await second.stop()
})

test('a deleted registration leaves neither its sealed number nor its wrapped key in any file', async () => {
  const running = await startGateway(configOf())
  const { id } = await post(`${running.publicUrl}/v1/registrations`, cardWithoutPayment())
  const registration = await running.gateway.storage.registration(id)
  const account = await running.gateway.storage.account(registration?.account_id ?? '')
  const secrets = [account?.sealed, account?.wrapped_key].map((bytes) => Buffer.from(bytes ?? []))
  const isEachInFiles = () => {
    const bytes = Buffer.concat(readdirSync(data).map((name) => readFileSync(join(data, name))))
    return secrets.map((secret) => bytes.indexOf(secret) >= 0)
  }
  expect(isEachInFiles()).toEqual([true, true])

  const url = `${running.publicUrl}/v1/registrations/${id}?entityId=${sandboxIds.channel}`
  expect((await fetch(url, { method: 'DELETE', headers: { authorization } })).status).toBe(200)
  await expect.poll(isEachInFiles, { timeout: 20_000 }).toEqual([false, false])
  await running.stop()
})

test('a payment that is answered during a stop has its usual result', async () => {
  const running = await startGateway(configOf())
  const paying = Array.from({ length: 20 }, () => pay(running.publicUrl))
  await paying[0]
  const [answers] = await Promise.all([Promise.allSettled(paying), running.stop()])
  // A connection that is opened after the stop began may be refused.
  for (const answer of answers) {
    if (answer.status === 'fulfilled') expect(answer.value.result.code).toBe('000.100.110')
  }
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
})

test('with a drain delay, both listeners answer /readyz with 503 at once, and payments are accepted', async () => {
  const running = await startGateway(configOf({ TOLLGATE_DRAIN_DELAY_SECONDS: '1' }))
  const ready = () =>
    Promise.all([running.publicUrl, running.manageUrl].map(async (url) => (await fetch(`${url}/readyz`)).status))
  expect(await ready()).toEqual([200, 200])
  const stopped = running.stop()
  expect(await ready()).toEqual([503, 503])
  expect((await pay(running.publicUrl)).result.code).toBe('000.100.110')
  await stopped
  await expect(fetch(running.publicUrl)).rejects.toThrow()
})

/** Timeout of a test with a stop. A stop that takes the whole drain timeout, which is longer, fails the test. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Opens a connection and sends bytes. When the promise resolves, the listener has accepted the connection, because it
 * has answered a request on a later connection.
 */
async function openConnection(url: string, bytes = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(bytes)
  await fetch(`${url}/healthz`)
  return socket
}

test(
  'a stop does not wait for a connection on which nothing was ever sent',
  async () => {
    const running = await startGateway(configOf())
    for (const url of [running.publicUrl, running.manageUrl]) await openConnection(url)
    await running.stop()
  },
  STOP_TIMEOUT_MS,
)

test(
  'a stop answers the requests in progress, and does not wait for their connections afterwards',
  async () => {
    const running = await startGateway(configOf())
    const head = (path: string, key: string, type: string) =>
      [
        `POST ${path} HTTP/1.1`,
        'Host: here',
        `Authorization: ${key}`,
        `Content-Type: ${type}`,
        'Content-Length: 2\r\n\r\n',
      ].join('\r\n')
    const sockets = [
      await openConnection(running.publicUrl, head('/v1/payments', authorization, FORM)),
      await openConnection(running.manageUrl, head('/manage/v1/tokens', 'Bearer manage-sandbox', 'application/json')),
    ]
    const received = sockets.map(async (socket) => Buffer.concat(await socket.toArray()).toString())
    const stopped = running.stop()
    for (const socket of sockets) socket.write('{}')
    expect(await Promise.all(received)).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 400 /),
      expect.stringMatching(/^HTTP\/1\.1 400 /),
    ])
    await stopped
  },
  STOP_TIMEOUT_MS,
)

test.each([
  { setting: 'PORT', other: 'TOLLGATE_MANAGE_PORT' },
  { setting: 'TOLLGATE_MANAGE_PORT', other: 'PORT' },
])('the error of a start on a port in use names the port and $setting', async ({ setting, other }) => {
  const occupant = createServer()
  await new Promise<void>((resolve) => void occupant.listen(0, '127.0.0.1', () => resolve()))
  const address = occupant.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const message = await startError(startGateway(configOf({ [setting]: String(port), [other]: '0' })))
  expect(message).toContain(`${port}: another process listens there; set ${setting}`)
  // The failed start has closed the database, so that another gateway can open it.
  await (await startGateway(configOf())).stop()
  await new Promise((resolve) => void occupant.close(resolve))
})

test('the error of an unusable folder or database URL names the folder or setting, not the password', async () => {
  const start = async (env: Readonly<Record<string, string>>) => startGateway(configOf(env))
  const file = join(data, 'file')
  writeFileSync(file, '')
  expect(await startError(start({ TOLLGATE_DATA: join(file, 'data') }))).toMatch(/^.*\/file\/data.*$/)
  const database = await startError(start({ TOLLGATE_DATABASE_URL: 'mysql://user:hidden-password@127.0.0.1/tollgate' }))
  expect(database).toMatch(/^.*TOLLGATE_DATABASE_URL.*postgres:\/\/.*$/)
  expect(database).not.toContain('hidden-password')
})

test('a second gateway on the same data does not start', async () => {
  const first = await startGateway(configOf())
  await expect(startGateway(configOf())).rejects.toThrow(/tollgate\.db/)
  expect((await pay(first.publicUrl)).result.code).toBe('000.100.110')
  await first.stop()
})

test('the token of the sandbox is refused while the sandbox is off', async () => {
  const running = await startGateway(configOf({ TOLLGATE_SANDBOX: 'off' }))
  const read = await fetch(`${running.publicUrl}/v1/payments/x`, { headers: { authorization } })
  expect(read.status).toBe(403)
  await running.stop()
})
