import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeys, readConfig, startGateway } from '@tollgate/gateway'
import { hostSettings } from '@tollgate/gateway/testing'
import { startSimulators } from '@tollgate/simulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

// `tollgate check` without a running gateway. With one: manage-commands.test.ts.

let folder = ''
let env: Readonly<Record<string, string>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-check-'))
  writeFileSync(join(folder, 'keys.json'), generateKeys(), { mode: 0o600 })
  env = {
    TOLLGATE_ENV: 'live',
    TOLLGATE_DATA: join(folder, 'data'),
    TOLLGATE_KEYS: join(folder, 'keys.json'),
    TOLLGATE_MANAGE_KEY: 'a key of my own',
    TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
    TOLLGATE_CONNECTOR_NETWORKS: '127.0.0.0/8',
    TOLLGATE_LOG: 'silent',
    TOLLGATE_MANAGE_PORT: await closedPort(),
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port }: { port: number } = Object(server.address())
  await new Promise((resolve) => void server.close(resolve))
  return String(port)
}

const start = (changes: Readonly<Record<string, string>> = {}) =>
  startGateway(readConfig({ ...env, PORT: '0', TOLLGATE_MANAGE_PORT: '0', ...changes }))

test('an installation is checked before its first start, and the start then succeeds', async () => {
  const { status, stdout, stderr } = await runCommand(['check'], env)
  expect(stderr).toBe('No gateway runs: this process checks the installation.\ntollgate: 1 check has failed\n')
  expect(status).toBe(1)
  expect(stdout).toMatch(/^failed {2}setup {9}Payments are refused: no connector to an acquirer is enabled/m)
  for (const name of ['keys', 'storage', 'clock']) expect(stdout).toMatch(new RegExp(`^ok {6}${name} `, 'm'))
  expect(stdout.trim().split('\n')).toHaveLength(8)
  const running = await start()
  await running.stop()
})

test('the links of stored connectors are signed on and tested', async () => {
  const host = await startSimulators({ host: '127.0.0.1', port: 0, acquirerPort: 0, create: () => [] })
  const port = host.acquirerAddress?.port ?? 0
  const running = await start()
  const addresses = [
    { host: '127.0.0.1', port },
    { host: '127.0.0.1', port: Number(await closedPort()) },
  ]
  const headers = { authorization: 'Bearer a key of my own', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'acme', kind: 'iso8583', settings: hostSettings(port, { addresses }) })
  const created = await fetch(`${running.manageUrl}/manage/v1/connectors`, { method: 'POST', headers, body })
  expect(created.status).toBe(201)
  await running.stop()
  const { stdout } = await runCommand(['check', '--json'], env)
  const results: readonly { name: string; verdict: string; text: string }[] = JSON.parse(stdout)
  const texts = results.filter(({ name }) => name === 'connectors').map(({ verdict, text }) => `${verdict}: ${text}`)
  expect(texts).toEqual([
    expect.stringMatching(/^ok: acme \(iso8583\), 127\.0\.0\.1:\d+: the host answered an echo in \d+ ms\.$/),
    expect.stringMatching(/^warning: acme \(iso8583\), 127\.0\.0\.1:\d+: the connection was refused: compare/),
  ])
  await host.close()
})

test('if another process owns the data, the message says how to ask it', async () => {
  const running = await start()
  const { status, stdout, stderr } = await runCommand(['check'], env)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^No gateway runs.*\ntollgate: .*tollgate\.db is in use already: .*; set HOST, PORT and TOLLGATE_MANAGE_PORT/,
  )
  const asked = await runCommand(['check'], { ...env, TOLLGATE_MANAGE_PORT: new URL(running.manageUrl).port })
  expect(asked.stderr).toBe('tollgate: 1 check has failed\n')
  expect(asked.stdout).toMatch(/^failed {2}setup /m)
  await running.stop()
})

test('if a start would be refused, the check says why', async () => {
  writeFileSync(join(folder, 'keys.json'), 'no keys')
  const { status, stdout, stderr } = await runCommand(['check'], env)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^No gateway runs.*\ntollgate: .*keys\.json: key ring: the text is not valid JSON\n$/)
})
