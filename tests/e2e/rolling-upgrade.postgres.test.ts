import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { generateKeys, settings } from '@tollgate/gateway'
import { migrateFurther, newDatabase, removeDatabase, runSql } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { type Answer, bodyOf, openClient, type Request } from '../support/http.ts'
import { freePort } from '../support/ports.ts'
import { post, referral } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'

// deploy/compose.yaml without an engine: its gateways as processes, with its settings, on one PostgreSQL and behind a
// balancer; and then replaced one by one while payments go on.

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment: Readonly<Record<string, string>>; readonly secrets?: readonly string[] }>
  >
  readonly networks: { readonly inside: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } } }
}

const root = join(import.meta.dirname, '../../..')
const deploy = join(root, 'deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const { services }: Compose = parse(read('compose.yaml'), { merge: true })
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

test('the files name gateways, settings and ports that there are', () => {
  expect(names).toEqual(['gateway-1', 'gateway-2', 'gateway-3'])
  const known = new Set<string>(Object.values(settings).map(({ name }) => name))
  const unit = read('tollgate.service')
  const used = [
    ...names.flatMap((name) => Object.keys(settingsOf(name))),
    ...Array.from(unit.matchAll(/\b(TOLLGATE_\w+)/g), ([, name = '']) => name),
  ]
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !known.has(name))).toEqual([])
  const servers = Array.from(read('haproxy.cfg').matchAll(/^ {2}server (\S+) (\S+)$/gm), ([, name, to]) => [name, to])
  expect(servers).toEqual(names.map((name) => [name, `${name}:8080`]))
  expect(read('haproxy.cfg')).toContain('option httpchk GET /readyz')
})

test('a gateway that crashes again and again is started again and again', () => {
  const unit = read('tollgate.service')
  expect(unit.match(/^(?:StartLimit|Restart)\w*=.*$/gm)).toEqual([
    'StartLimitIntervalSec=0',
    'Restart=on-failure',
    'RestartSec=5',
  ])
  expect(read('compose.yaml').match(/^ *restart: .*$/gm)).toEqual([
    '  restart: on-failure',
    '    restart: unless-stopped',
    '    restart: unless-stopped',
  ])
})

test.runIf(hasSystemd())('the unit is one that systemd takes', () => {
  const unit = join(folder, 'tollgate.service')
  writeFileSync(unit, read('tollgate.service').replace('/usr/bin/node', process.execPath))
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

/** The settings of a gateway in the guide, adapted to this test. */
function here(name: string): Record<string, string> {
  const replaced: Readonly<Record<string, string>> = {
    TOLLGATE_DATABASE_URL: database,
    TOLLGATE_KEYS: join(folder, 'keys.json'),
    TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
    // The balancer of this test notices within a tenth of a second.
    TOLLGATE_DRAIN_DELAY_SECONDS: '1',
  }
  const values = Object.entries(settingsOf(name)).map(([setting, value]): [string, string] => [
    setting,
    replaced[setting] ?? value.replaceAll(/\$\{\w+(?::\?|:-)([^}]*)\}/g, '$1'),
  ])
  return {
    ...Object.fromEntries(values),
    TOLLGATE_SANDBOX: 'off',
    PORT: '0',
    TOLLGATE_MANAGE_PORT: managePorts[name] ?? '0',
  }
}
const start = (name: string) => startGateway({ data: join(folder, name), env: here(name) })

const guide = readFileSync(join(root, 'docs/guides/three-replicas.md'), 'utf8')

/** Runs the guide's steps between the start and the payment. @returns the value of `<…>` */
function createMerchant(): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  const inserted = (line: string) => line.replaceAll(/<([a-z ]+)>/g, (_, name: string) => known.get(name) ?? '')
  const lines = Array.from(guide.matchAll(/^docker compose exec (\S+) tollgate ((\w+) create( [a-z]+)?.*)$/gm))
  for (const [, name = '', command = '', noun = '', kind = ''] of lines) {
    const args = inserted(command).split(' ')
    const env = { PATH: process.env['PATH'], ...here(name) }
    const text = execFileSync(process.execPath, [join(root, 'dist/tollgate.js'), ...args], { env, encoding: 'utf8' })
    const { id, token }: { id: string; token?: string } = JSON.parse(text)
    known.set(noun === 'entity' ? `${kind.trim()} id` : `${noun} id`, id)
    if (token !== undefined) known.set('token', token)
  }
  return known
}

/** The payment of the guide. */
function payment(known: ReadonlyMap<string, string>): Request {
  const [curl = ''] = /^curl [^]*?[^\\]$/m.exec(guide) ?? []
  const inserted = curl.replaceAll(/<([a-z ]+)>/g, (_, name: string) => known.get(name) ?? '')
  const form = Array.from(
    inserted.matchAll(/-d "([\w.]+)=([^"]*)"/g),
    ([, name = '', value = '']): [string, string] => [name, value],
  )
  return post('/v1/payments', Object.fromEntries(form), { authorization: /Bearer [^"]+/.exec(inserted)?.[0] ?? '' })
}

test('three gateways are replaced one by one by the next version without a failed request', async () => {
  const gateways: GatewayProcess[] = await Promise.all(names.map(start))
  const lead = () => balancer.leadTo(gateways.map(({ url }) => url))
  lead()
  await expect.poll(balancer.ready, { timeout: 20_000 }).toHaveLength(3)

  const known = createMerchant()
  const sale = payment(known)
  const client = openClient(balancer.url, 4)
  const answers: Answer[] = []
  // Merchants that were created through one gateway are known to its peers a moment later.
  const pays = async (gateway: GatewayProcess) => {
    const answer = await gateway.client.send(sale)
    if (answer.status === 200) answers.push(answer)
    return answer.status
  }
  for (const gateway of gateways) await expect.poll(() => pays(gateway), { timeout: 5_000 }).toBe(200)
  let isOver = false
  const shop = async () => {
    while (!isOver) {
      answers.push(await client.send(sale))
      // Shops with customers, and no load.
      await elapsed(20)
    }
  }
  const shops = Promise.all([shop(), shop()])
  const more = async () => {
    const before = answers.length
    await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(before + 10)
  }
  await more()
  // The migration by the first process of the next version. The processes of this version continue, and can restart.
  await migrateFurther(database, [
    'ALTER TABLE payment_transaction ADD COLUMN later text',
    'CREATE TABLE later (x text)',
  ])
  for (const [index, name] of names.entries()) {
    if (index > 0 && !isLong) break
    const old = gateways[index]
    const ended = old?.stop()
    await more()
    expect(await ended).toEqual({ code: 0, signal: null })
    gateways[index] = await start(name)
    lead()
    await expect.poll(balancer.ready, { timeout: 20_000 }).toHaveLength(3)
  }
  await more()
  isOver = true
  await shops

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const rows = await runSql<{ id: string }>(database, 'SELECT id FROM payment_transaction')
  const ids = answers.map((answer) => bodyOf(answer).id)
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const form = { ...referral('RF', { amount: '1.00' }), entityId: known.get('channel id') ?? '' }
  const refund = post(`/v1/payments/${ids[0]}`, form, { authorization: `Bearer ${known.get('token')}` })
  for (const gateway of gateways) expect((await gateway.client.send(refund)).status).toBe(200)
  client.close()
})
