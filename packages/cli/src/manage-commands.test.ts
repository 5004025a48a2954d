import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, sandboxIds, sandboxToken, startGateway } from '@tollgate/gateway'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const data = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
const clock = { nowMs: Date.UTC(2026, 4, 4), now: () => clock.nowMs }
const gateway = await startGateway(readConfig({ PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent' }), clock)
afterAll(async () => {
  await gateway.stop()
  rmSync(data, { recursive: true })
})

const tollgate = (...args: string[]) => runCommand(args, { TOLLGATE_MANAGE_PORT: new URL(gateway.manageUrl).port })
/** The output of a successful command. */
const answer = async (...args: string[]) => {
  const { status, stdout, stderr } = await tollgate(...args)
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const UNKNOWN_ID = '0'.repeat(32)

describe('entity', () => {
  test('commands create a psp, a division and a merchant, and show, list and change entities', async () => {
    const psp = await answer('entity', 'create', 'psp', '--name', 'Example')
    expect(psp).toMatchObject({ kind: 'psp', name: 'Example', parentId: null, settings: {} })
    const division = await answer('entity', 'create', 'division', '--name', 'Europe', '--parent', psp.id)
    const settings = '{"brands":["VISA"]}'
    const options = ['--parent', division.id, '--settings', settings]
    const merchant = await answer('entity', 'create', 'merchant', '--name', 'Shop', ...options)
    expect(merchant).toMatchObject({ parentId: division.id, settings: { brands: ['VISA'] } })

    expect(await answer('entity', 'show', merchant.id)).toEqual(merchant)
    expect(await answer('entity', 'list', '--parent', division.id)).toEqual({ entities: [merchant], total: 1 })
    expect(await answer('entity', 'list', '--kind', 'psp')).toMatchObject({ total: 2 })
    expect(await answer('entity', 'list', '--kind', 'psp', '--parent', psp.id)).toMatchObject({ total: 0 })

    const change = ['--name', 'Shop 2', '--settings', '{"brands":null,"currencies":["EUR"]}']
    expect(await answer('entity', 'change', merchant.id, ...change)).toMatchObject({
      name: 'Shop 2',
      settings: { currencies: ['EUR'] },
    })
    expect((await answer('entity', 'show', merchant.id)).settings).toEqual({ currencies: ['EUR'] })
  })
})

describe('channel', () => {
  test('commands create a channel and list the channels', async () => {
    const before = await answer('channel', 'list', '--merchant', sandboxIds.merchant)
    const options = ['--merchant', sandboxIds.merchant, '--name', 'Web']
    const channel = await answer('channel', 'create', ...options, '--settings', '{"enabled":false}')
    expect(channel).toMatchObject({ kind: 'channel', parentId: sandboxIds.merchant, settings: { enabled: false } })
    const after = await answer('channel', 'list', '--merchant', sandboxIds.merchant)
    expect([after.total, after.entities]).toEqual([before.total + 1, [...before.entities, channel]])
    expect((await answer('channel', 'list')).total).toBe(after.total)
  })
})

describe('token', () => {
  /** 404 for a valid token, because there is no such payment; 403 for an invalid token. */
  const statusWith = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${gateway.publicUrl}/v1/payments/${UNKNOWN_ID}`, { headers })).status
  }
  const msBetween = (from: string, to: string) => Date.parse(to) - Date.parse(from)

  test('commands create, list, rotate and revoke tokens', async () => {
    const created = await answer('token', 'create', '--entity', sandboxIds.channel, '--lifetime', '3600')
    const { token: first, ...listed } = created
    expect(await statusWith(first)).toBe(404)
    expect(msBetween(created.createdAt, created.expiresAt)).toBe(3_600_000)
    expect(await answer('token', 'list', '--entity', sandboxIds.channel)).toEqual({ tokens: [listed], total: 1 })

    const { id, token: second } = await answer('token', 'rotate', created.id, '--overlap', '0')
    expect([await statusWith(first), await statusWith(second)]).toEqual([403, 404])
    expect((await answer('token', 'revoke', id)).revokedAt).not.toBeNull()
    expect(await statusWith(second)).toBe(403)
    expect((await answer('token', 'list')).total).toBe(3)
  })

  test('a token by default does not expire, and stays valid for a day after a rotation', async () => {
    const { id, expiresAt, rights } = await answer('token', 'create', '--entity', sandboxIds.merchant)
    expect([expiresAt, rights]).toEqual([null, []])
    const { createdAt } = await answer('token', 'rotate', id)
    const { tokens } = await answer('token', 'list', '--entity', sandboxIds.merchant)
    const old = tokens.find((token: { id: string }) => token.id === id)
    expect(msBetween(createdAt, old.expiresAt)).toBe(86_400_000)
  })

  test('a token keeps its rights in a rotation', async () => {
    const rights = ['chargeback', 'system']
    const options = rights.flatMap((right) => ['--right', right])
    const created = await answer('token', 'create', '--entity', sandboxIds.merchant, ...options)
    expect([created.rights, (await answer('token', 'rotate', created.id)).rights]).toEqual([rights, rights])
  })
})

const writeFile = (name: string, text: string): string => {
  const file = join(data, name)
  writeFileSync(file, text)
  return file
}

describe('risk', () => {
  test('commands set, show and remove the rules of an entity', async () => {
    const rules = {
      rules: [{ name: 'test', when: { kind: 'list', by: 'bin', values: ['420000'] }, verdict: 'reject' }],
    }
    const none = { entityId: sandboxIds.channel, setFor: null, riskRules: null }
    expect(await answer('risk', 'show', sandboxIds.channel)).toEqual(none)
    const set = await answer('risk', 'set', sandboxIds.merchant, writeFile('rules.json', JSON.stringify(rules)))
    expect(set).toEqual({ entityId: sandboxIds.merchant, setFor: sandboxIds.merchant, riskRules: rules })
    expect(await answer('risk', 'show', sandboxIds.channel)).toMatchObject({ setFor: sandboxIds.merchant })
    await answer('risk', 'unset', sandboxIds.merchant)
    expect(await answer('risk', 'show', sandboxIds.channel)).toEqual(none)
  })
})

describe('connector and route', () => {
  const settings = {
    addresses: [{ host: '127.0.0.1', port: 7 }],
    profile: {
      name: 'Acme Acquiring',
      spec: 'ascii1987',
      header: 'binary2',
      acquirerId: '400123',
      country: '276',
      merchantId: 'SHOP1',
      merchantCategory: '5999',
      merchantName: 'TEA SHOP',
      merchantCity: 'BERLIN',
      merchantCountry: 'DE',
      timeZone: 'Europe/Berlin',
      presentation: 'host',
    },
    terminalIds: ['AC000001'],
  }
  const file = (name: string, content: object) => writeFile(name, JSON.stringify(content))
  const { channel } = sandboxIds

  test('commands create a connector, route payments to it, and delete both', async () => {
    const body = { name: 'acme', kind: 'iso8583', settings }
    const created = await answer('connector', 'create', file('acme.json', body))
    expect(created).toMatchObject({ name: 'acme', state: 'enabled', settings, hasCredentials: false })
    expect(await answer('connector', 'show', 'acme')).toMatchObject({ name: 'acme' })
    expect(await answer('connector', 'list')).toMatchObject({ connectors: [{ name: 'acme' }], total: 1 })
    const changed = { settings: { ...settings, terminalIds: ['AC000002'] } }
    expect(await answer('connector', 'change', 'acme', file('acme-2.json', changed))).toMatchObject(changed)
    expect((await answer('connector', 'disable', 'acme')).state).toBe('disabled')
    expect((await answer('connector', 'enable', 'acme')).state).toBe('enabled')
    const refused = await tollgate('connector', 'rotate', 'acme', file('keys.json', { credentials: { key: 'secret' } }))
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('body/credentials')])
    expect(refused.stderr).not.toContain('secret')

    const routes = { routes: [{ name: 'cards', when: { brands: ['VISA'] }, targets: [{ connector: 'acme' }] }] }
    const set = await answer('route', 'set', channel, file('routes.json', routes))
    expect(set).toEqual({ entityId: channel, setFor: channel, ...routes })
    expect(await answer('route', 'show', channel)).toEqual(set)
    expect(await answer('route', 'list')).toMatchObject({ routes: [{ entityId: channel }], total: 1 })
    const payment = ['--brand', 'VISA', '--amount', '92.00', '--currency', 'EUR', '--test-mode', 'EXTERNAL']
    expect(await answer('route', 'test', channel, ...payment)).toMatchObject({ route: 'cards', connectors: ['acme'] })
    expect((await tollgate('connector', 'delete', 'acme')).stderr).toContain('routes of 1 entity name it')
    expect(await answer('route', 'unset', channel)).toMatchObject({ routes: null })
    expect(await answer('connector', 'delete', 'acme')).toEqual({ name: 'acme', state: 'deleted' })
  })
})

describe('job', () => {
  test('commands list, park and retry a job, and close only a message to an acquirer', async () => {
    const { storage } = gateway.gateway
    const payment = 'paymentType=PA&amount=92.00&currency=EUR&paymentBrand=VISA&card.number=4200000000000000'
    const response = await fetch(`${gateway.publicUrl}/v1/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandboxToken}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: `entityId=${sandboxIds.channel}&${payment}&card.expiryMonth=05&card.expiryYear=2034&card.cvv=123`,
    })
    expect(response.status).toBe(200)
    const { id: paymentId } = JSON.parse(await response.text())
    expect(await answer('payment', 'show', paymentId)).toMatchObject({
      state: 'AUTHORISED',
      amounts: { open: '92.00' },
    })
    const [job] = await storage.jobsBefore('end-authorisation', '', 'g', 1)
    const id = job?.id ?? ''
    expect(await answer('job', 'park', id)).toMatchObject({ id, lastError: 'parked by an operator' })
    expect(await answer('job', 'list')).toMatchObject({ jobs: [{ id }] })
    for (const close of [
      ['approve', id, '--reference', 'ARN-74500', '--reason', 'Acme, telephone'],
      ['decline', id, '--reason', 'Acme, telephone'],
    ]) {
      const { status, stderr } = await tollgate('job', ...close)
      expect([status, stderr]).toEqual([1, expect.stringContaining('it is no message to an acquirer')])
    }
    expect((await tollgate('job', 'approve', id, '--reason', 'r')).stderr).toContain('--reference')
    expect((await answer('job', 'retry', id)).parkedAt).toBeUndefined()
    expect(await answer('job', 'show', id)).toMatchObject({ id, attempts: 0 })
  })
})

describe('account', () => {
  test('a command shows the account of a registration', async () => {
    const card = 'card.number=4200000000000000&card.expiryMonth=05&card.expiryYear=2034&paymentBrand=VISA'
    const response = await fetch(`${gateway.publicUrl}/v1/registrations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandboxToken}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: `entityId=${sandboxIds.channel}&${card}`,
    })
    const { id }: { id: string } = JSON.parse(await response.text())
    expect(await answer('account', 'show', id)).toMatchObject({
      id,
      bin: '420000',
      fingerprint: expect.stringMatching(/^fpk-[0-9a-f]{8}:[0-9a-f]{64}$/),
    })
  })
})

describe('a refused command reports its reason in one line', () => {
  test.each([
    // The command line is wrong.
    { args: 'entitty list', message: "unknown command 'entitty' (Did you mean entity?); see --help" },
    { args: 'entity lst', message: "unknown command 'lst' (Did you mean list?); see --help" },
    { args: 'entity list --colour red', message: "unknown option '--colour'; see --help" },
    { args: 'entity list --kind', message: "option '--kind <kind>' argument missing; see --help" },
    { args: 'entity show', message: "missing required argument 'id'; see --help" },
    { args: 'entity show a b', message: "too many arguments for 'show'. Expected 1 argument but got 2; see --help" },
    { args: 'entity create --name x', message: "missing required argument 'kind'; see --help" },
    { args: 'entity create psp', message: "required option '--name <name>' not specified; see --help" },
    { args: 'channel create --name x', message: "required option '--merchant <id>' not specified; see --help" },
    { args: 'token create', message: "required option '--entity <id>' not specified; see --help" },
    { args: 'token rotate', message: "missing required argument 'id'; see --help" },
    { args: 'serve now', message: "too many arguments for 'serve'. Expected 0 arguments but got 1; see --help" },
    {
      args: 'entity create psp --name x --settings {',
      message: '--settings must be JSON, such as {"brands":["VISA"]}',
    },
    { args: 'token create --entity x --lifetime 1.5', message: '--lifetime must be a whole number of seconds' },
    { args: 'risk set x none.json', message: 'none.json cannot be read' },
    {
      args: `risk set x ${writeFile('list.json', '[')}`,
      message: `${join(data, 'list.json')} must hold a JSON object, such as {"rules":[]}`,
    },
    {
      args: `risk set x ${writeFile('null.json', 'null')}`,
      message: `${join(data, 'null.json')} must hold a JSON object, such as {"rules":[]}`,
    },
    { args: 'token rotate x --overlap -1', message: '--overlap must be a whole number of seconds' },
    // The gateway refuses the request.
    { args: 'entity list --kind shop', message: 'querystring/kind must be one of psp, division, merchant, channel' },
    { args: 'entity show ../tokens', message: 'params/id must match pattern "^[0-9a-f]{32}$"' },
    { args: `entity show ${UNKNOWN_ID}`, message: `There is no entity ${UNKNOWN_ID}.` },
    { args: `entity change ${UNKNOWN_ID} --name x`, message: `There is no entity ${UNKNOWN_ID}.` },
    { args: 'entity create psp --name x --settings []', message: 'body/settings must be object' },
    {
      args: `entity create channel --name x --parent ${sandboxIds.psp}`,
      message: `parentId must name a merchant; ${sandboxIds.psp} is a psp.`,
    },
    { args: `token create --entity ${UNKNOWN_ID}`, message: `There is no entity ${UNKNOWN_ID}.` },
    { args: `token create --entity ${sandboxIds.psp} --lifetime 1`, message: 'body/lifetimeSeconds must be >= 60' },
    {
      args: `token create --entity ${sandboxIds.psp} --right refund`,
      message: 'body/rights/0 must be one of chargeback, system',
    },
    {
      args: `risk set ${sandboxIds.psp} ${writeFile('wrong.json', '{"rules":[],"reviewFrom":1,"rejectFrom":0}')}`,
      message: 'body/reviewFrom must not be greater than rejectFrom',
    },
    { args: `risk show ${UNKNOWN_ID}`, message: `There is no entity ${UNKNOWN_ID}.` },
    {
      args: `account show ${UNKNOWN_ID}`,
      message: `There is no account ${UNKNOWN_ID}: give the id of a registration, or of a first payment.`,
    },
    { args: `token revoke ${UNKNOWN_ID}`, message: `There is no token ${UNKNOWN_ID}.` },
  ])('tollgate $args', async ({ args, message }) => {
    expect(await tollgate(...args.split(' '))).toEqual({ status: 1, stdout: '', stderr: `tollgate: ${message}\n` })
  })
})

test('help is printed with status 0 if requested, and with status 1 without a command', async () => {
  expect(await tollgate('token', 'rotate', '--help')).toEqual({
    status: 0,
    stdout: expect.stringContaining('--overlap <seconds>'),
    stderr: '',
  })
  expect(await tollgate()).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^Usage: tollgate /) })
})

describe('webhook and delivery', () => {
  test('commands create, list, show, change, test and delete a webhook, create a key and report refusals', async () => {
    const url = 'http://127.0.0.1:9/'
    const created = await answer('webhook', 'create', '--entity', sandboxIds.channel, '--url', url, '--type', 'PAYMENT')
    expect(created).toMatchObject({ url, types: ['PAYMENT'], fieldFilter: 'ALL', wrapper: 'text', state: 'inactive' })
    const { key, signingSecret, ...shown } = created
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(signingSecret).toMatch(/^whsec_/)
    expect(await answer('webhook', 'list', '--entity', sandboxIds.channel)).toEqual({ webhooks: [shown], total: 1 })
    const changed = await answer('webhook', 'change', shown.id, '--filter', 'NON_CUSTOMER_DATA', '--wrapper', 'json')
    expect(changed).toMatchObject({ fieldFilter: 'NON_CUSTOMER_DATA', wrapper: 'json' })
    expect(await answer('webhook', 'show', shown.id)).toEqual(changed)
    expect((await answer('webhook', 'rotate', shown.id)).key).not.toBe(key)
    const tested = await answer('webhook', 'test', shown.id, '--overlap', '60')
    expect(tested).toMatchObject({ delivered: false, webhook: { state: 'inactive' } })
    const replay = await tollgate('webhook', 'replay', shown.id, '--event', UNKNOWN_ID)
    expect(replay.stderr).toContain('The webhook is inactive: test it first.')
    expect(await answer('delivery', 'list', '--webhook', shown.id)).toEqual({ deliveries: [] })
    for (const verb of ['show', 'retry', 'park'])
      expect((await tollgate('delivery', verb, UNKNOWN_ID)).stderr).toContain(`There is no delivery ${UNKNOWN_ID}`)
    expect(await answer('webhook', 'delete', shown.id)).toEqual({ id: shown.id, state: 'deleted' })
  })
})

// Last, because the clock of the gateway is set to the time of the machine.
describe('check', () => {
  test('fails if a check has failed', async () => {
    const { status, stdout, stderr } = await tollgate('check')
    expect([status, stderr]).toEqual([1, 'tollgate: 1 check has failed\n'])
    expect(stdout).toContain('failed  clock         The clock differs by ')
  })

  test('prints a line for each result, or JSON', async () => {
    clock.nowMs = Date.now()
    const { status, stdout, stderr } = await tollgate('check')
    expect([status, stderr]).toEqual([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toBe('ok      setup         Payments can be processed.')
    expect(lines.every((line) => /^(?:ok|warning) +[a-zA-Z]+ +\S.+\.$/.test(line))).toBe(true)
    expect(await answer('check', '--json')).toHaveLength(lines.length)
  })
})
