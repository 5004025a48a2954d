import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateKeys, settings } from '@tollgate/gateway'
import { applyLaterMigration, freePort, newDatabase, removeDatabase, runSql } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { type Answer, bodyOf, openClient, type Request } from '../support/http.ts'
import { post, followUpForm } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'

// The gateways of deploy/compose.yaml without a container engine: processes with its settings, on one PostgreSQL
// database, behind a balancer. The gateways restart one by one during payments.

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

interface Compose {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>
}

const root = join(import.meta.dirname, '../../..')
const deploy = join(root, 'deploy')
const readDeployFile = (name: string) => readFileSync(join(deploy, name), 'utf8')
const { services }: Compose = parse(readDeployFile('compose.yaml'), { merge: true })
const names = Object.keys(services).filter((name) => name.startsWith('gateway'))
const settingsOf = (name: string) => services[name]?.environment ?? {}

let database: string
let balancer: Balancer
let folder: string
const managePorts: Record<string, string> = {}

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  folder = temporaryFolder()
  writeFileSync(join(folder, 'keys.json'), generateKeys(), { mode: 0o600 })
  balancer = await startBalancer()
  for (const name of names) managePorts[name] = await freePort()
})
afterAll(async () => {
  await balancer.close()
  await cleanUp()
  await removeDatabase(database)
})

test('the deployment files name existing gateways and settings, and the balancer checks /readyz', () => {
  expect(names).toEqual(['gateway-1', 'gateway-2', 'gateway-3'])
  const settingNames = new Set<string>(Object.values(settings).map(({ name }) => name))
  const unit = readDeployFile('tollgate.service')
  const usedNames = [
    ...names.flatMap((name) => Object.keys(settingsOf(name))),
    ...Array.from(unit.matchAll(/\b(TOLLGATE_\w+)/g), ([, name = '']) => name),
  ]
  expect(usedNames.length).toBeGreaterThan(10)
  expect(usedNames.filter((name) => !settingNames.has(name))).toEqual([])
  const servers = Array.from(readDeployFile('haproxy.cfg').matchAll(/^ {2}server (\S+) (\S+)$/gm), ([, name, to]) => [
    name,
    to,
  ])
  expect(servers).toEqual(names.map((name) => [name, `${name}:8080`]))
  expect(readDeployFile('haproxy.cfg')).toContain('option httpchk GET /readyz')
})

test('the deployment files restart a gateway after every crash', () => {
  const unit = readDeployFile('tollgate.service')
  expect(unit.match(/^(?:StartLimit|Restart)\w*=.*$/gm)).toEqual([
    'StartLimitIntervalSec=0',
    'Restart=on-failure',
    'RestartSec=5',
  ])
  expect(readDeployFile('compose.yaml').match(/^ *restart: .*$/gm)).toEqual([
    '  restart: on-failure',
    '    restart: unless-stopped',
    '    restart: unless-stopped',
  ])
})

test.runIf(hasSystemd())('systemd accepts the unit file', () => {
  const unit = join(folder, 'tollgate.service')
  writeFileSync(unit, readDeployFile('tollgate.service').replace('/usr/bin/node', process.execPath))
  const verify = () => execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: 'pipe' })
  expect(verify()).toBe('')
})

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The settings of a gateway in compose.yaml, adapted to this test. */
function testSettings(name: string): Record<string, string> {
  const testValues: Readonly<Record<string, string>> = {
    TOLLGATE_DATABASE_URL: database,
    TOLLGATE_KEYS: join(folder, 'keys.json'),
    TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
    // One second suffices, because the balancer of this test checks its servers every 50 milliseconds.
    TOLLGATE_DRAIN_DELAY_SECONDS: '1',
  }
  const values = Object.entries(settingsOf(name)).map(([setting, value]): [string, string] => [
    setting,
    testValues[setting] ?? value.replaceAll(/\$\{\w+(?::\?|:-)([^}]*)\}/g, '$1'),
  ])
  return {
    ...Object.fromEntries(values),
    TOLLGATE_SANDBOX: 'off',
    PORT: '0',
    TOLLGATE_MANAGE_PORT: managePorts[name] ?? '0',
  }
}
const start = (name: string) => startGateway({ data: join(folder, name), env: testSettings(name) })

const guide = readFileSync(join(root, 'docs/guides/three-replicas.md'), 'utf8')

/**
 * Runs the guide's commands between the start and the payment.
 * @returns the values of the guide's placeholders `<…>`
 */
function createMerchant(): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const withValues = (line: string) => line.replaceAll(/<([a-z ]+)>/g, (_, name: string) => values.get(name) ?? '')
  const lines = Array.from(guide.matchAll(/^docker compose exec (\S+) tollgate ((\w+) create( [a-z]+)?.*)$/gm))
  for (const [, name = '', command = '', noun = '', kind = ''] of lines) {
    const args = withValues(command).split(' ')
    const env = { PATH: process.env['PATH'], ...testSettings(name) }
    const text = execFileSync(process.execPath, [join(root, 'dist/tollgate.js'), ...args], { env, encoding: 'utf8' })
    const { id, token }: { id: string; token?: string } = JSON.parse(text)
    values.set(noun === 'entity' ? `${kind.trim()} id` : `${noun} id`, id)
    if (token !== undefined) values.set('token', token)
  }
  return values
}

/** The request of the guide that makes a payment. */
function paymentRequest(values: ReadonlyMap<string, string>): Request {
  const [curl = ''] = /^curl [^]*?[^\\]$/m.exec(guide) ?? []
  const command = curl.replaceAll(/<([a-z ]+)>/g, (_, name: string) => values.get(name) ?? '')
  const form = Array.from(command.matchAll(/-d "([\w.]+)=([^"]*)"/g), ([, name = '', value = '']): [string, string] => [
    name,
    value,
  ])
  return post('/v1/payments', Object.fromEntries(form), { authorization: /Bearer [^"]+/.exec(command)?.[0] ?? '' })
}

test('gateways restart one by one after a migration by the next version, without a failed request', async () => {
  const gateways: GatewayProcess[] = await Promise.all(names.map(start))
  const updateServers = () => balancer.setServers(gateways.map(({ url }) => url))
  updateServers()
  await expect.poll(balancer.ready, { timeout: 20_000 }).toHaveLength(3)

  const values = createMerchant()
  const sale = paymentRequest(values)
  const client = openClient(balancer.url, 4)
  const answers: Answer[] = []
  // A merchant that was created through one gateway is visible at its peers after a short delay.
  const payStatus = async (gateway: GatewayProcess) => {
    const answer = await gateway.client.send(sale)
    if (answer.status === 200) answers.push(answer)
    return answer.status
  }
  for (const gateway of gateways) await expect.poll(() => payStatus(gateway), { timeout: 5_000 }).toBe(200)
  let isStopped = false
  const payRepeatedly = async () => {
    while (!isStopped) {
      answers.push(await client.send(sale))
      // The pause gives the rate of a shop, not of a load test.
      await delay(20)
    }
  }
  const clients = Promise.all([payRepeatedly(), payRepeatedly()])
  const untilMoreAnswers = async () => {
    const countBefore = answers.length
    await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(countBefore + 10)
  }
  await untilMoreAnswers()
  // The first process of the next version migrates the database, as these statements do. Processes of this version
  // continue, and can restart.
  await applyLaterMigration(database, [
    'ALTER TABLE payment_transaction ADD COLUMN later text',
    'CREATE TABLE later (x text)',
  ])
  for (const [index, name] of names.entries()) {
    // The short run restarts only the first gateway.
    if (index > 0 && !isLong) break
    const ended = gateways[index]?.stop()
    await untilMoreAnswers()
    expect(await ended).toEqual({ code: 0, signal: null })
    gateways[index] = await start(name)
    updateServers()
    await expect.poll(balancer.ready, { timeout: 20_000 }).toHaveLength(3)
  }
  await untilMoreAnswers()
  isStopped = true
  await clients

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const rows = await runSql<{ id: string }>(database, 'SELECT id FROM payment_transaction')
  const ids = answers.map((answer) => bodyOf(answer).id)
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const form = { ...followUpForm('RF', { amount: '1.00' }), entityId: values.get('channel id') ?? '' }
  const refund = post(`/v1/payments/${ids[0]}`, form, { authorization: `Bearer ${values.get('token')}` })
  for (const gateway of gateways) expect((await gateway.client.send(refund)).status).toBe(200)
  client.close()
})
