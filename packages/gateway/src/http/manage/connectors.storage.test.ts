import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testHostProfile } from '@tollgate/connectors'
import { openCredentials, sandboxIds } from '@tollgate/operations'
import { type ConnectorRow, openMemory } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { selfSignedCertificate } from '../../testing/certificate.ts'
import { hostSettings } from '../../testing/host-settings.ts'
import { jobRow } from '../../testing/job-row.ts'
import { testGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { transactionRow } from '../../testing/transaction-row.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway({ env: { TOLLGATE_CONNECTOR_NETWORKS: '10.1.0.0/16' } })
})
afterEach(() => tollgate.close())

const [pair, renewed] = [selfSignedCertificate(['gateway.example']), selfSignedCertificate(['gateway.example'])]
const credentialsOf = ({ cert, key }: typeof pair) => ({ certificate: cert, key })
const tls = { pinnedKey: 'qrvMzd4AESIzRFVmd4iZqrvMzd4AESIzRFVmd4iZqrs=' }
const withTls = (changes: object = {}) => hostSettings(7, { tls, ...changes })

const manage: TestGateway['manage'] = (...request) => tollgate.manage(...request)
let names = 0

/** Creates a connector with another name each time. */
async function create(members: object = {}): Promise<string> {
  const name = `acme-${(names += 1)}`
  const { status, body } = await manage('POST', '/connectors', {
    name,
    kind: 'iso8583',
    settings: hostSettings(7),
    ...members,
  })
  if (status !== 201) throw new Error(`not created: ${JSON.stringify(body)}`)
  return name
}
const createSealed = () => create({ settings: withTls(), credentials: credentialsOf(pair) })

async function rowOf(name: string): Promise<ConnectorRow> {
  const row = (await tollgate.gateway.storage.connectors()).find(({ id }) => id === name)
  if (!row) throw new Error(`connector ${name} is not stored`)
  return row
}
const openedOf = async (name: string) => openCredentials(tollgate.gateway.vault, await rowOf(name))

describe('a connector', () => {
  test('is created, shown and listed without its credentials', async () => {
    const name = `acme-${(names += 1)}`
    const answer = await manage('POST', '/connectors', {
      name,
      kind: 'iso8583',
      settings: withTls(),
      credentials: credentialsOf(pair),
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      name,
      kind: 'iso8583',
      state: 'enabled',
      settings: withTls(),
      hasCredentials: true,
      credentialsChangedAt: '2026-05-04T03:02:01.000Z',
      isHealthy: false,
      methods: ['card', 'tokenAccount', 'giftCard'],
      createdAt: '2026-05-04T03:02:01.000Z',
      changedAt: '2026-05-04T03:02:01.000Z',
    })
    const shown = await manage('GET', `/connectors/${name}`)
    const list = await manage('GET', '/connectors')
    expect(shown.body).toEqual(answer.body)
    expect(list.body.connectors).toContainEqual(answer.body)
    expect(list.body.total).toBe(list.body.connectors.length)
    expect(await openedOf(name)).toEqual(credentialsOf(pair))
    const stored = await rowOf(name)
    for (const text of [answer.text, shown.text, list.text, JSON.stringify(tollgate.logged), stored.settings])
      expect(text).not.toContain('PRIVATE KEY')
    expect(Buffer.from(stored.sealed ?? []).includes('PRIVATE KEY')).toBe(false)
    expect(tollgate.logged).toContainEqual({
      level: 'error',
      audit: 'connector changed',
      connector: name,
      change: 'created',
      state: 'enabled',
    })
  })

  test('is found by routes as soon as it is created, until it is deleted', async () => {
    const { connectors } = tollgate.gateway
    const name = await create()
    expect(connectors.find(name)).toMatchObject({ enabled: true, isHealthy: false })
    expect((await manage('PATCH', `/connectors/${name}`, { state: 'disabled' })).body.state).toBe('disabled')
    expect(connectors.find(name)).toMatchObject({ enabled: false })
    expect((await manage('DELETE', `/connectors/${name}`)).body).toEqual({ name, state: 'deleted' })
    expect(connectors.find(name)).toBeUndefined()
    expect((await manage('GET', `/connectors/${name}`)).status).toBe(404)
    expect((await manage('PATCH', `/connectors/${name}`, { state: 'enabled' })).status).toBe(404)
  })

  describe('with a terminal id of another one at the same address', () => {
    const addresses = [
      { host: '127.0.0.1', port: 9 },
      { host: '127.0.0.1', port: 7 },
    ]
    const shared = hostSettings(7, { addresses, terminalIds: ['AC000009', 'AC000002'] })
    const member = 'body/settings/terminalIds/1 is also one of connector acme-first at this address'
    beforeEach(() => create({ name: 'acme-first' }))

    test('is not created', async () => {
      const body = { name: 'acme-second', kind: 'iso8583', settings: shared }
      const { status, text } = await manage('POST', '/connectors', body)
      expect([status, text]).toEqual([400, expect.stringContaining(member)])
      expect((await manage('GET', '/connectors/acme-second')).status).toBe(404)
    })

    test('is not changed', async () => {
      const settings = hostSettings(7, { addresses, terminalIds: ['AC000009'] })
      await create({ name: 'acme-second', settings })
      const { status, text } = await manage('PATCH', '/connectors/acme-second', { settings: shared })
      expect([status, text]).toEqual([400, expect.stringContaining(member)])
      expect((await manage('GET', '/connectors/acme-second')).body.settings).toEqual(settings)
    })

    test('is created at another address, or when the other is deleted, and may keep its own ids', async () => {
      const name = await create({ settings: hostSettings(8) })
      expect((await manage('PATCH', `/connectors/${name}`, { settings: hostSettings(8) })).status).toBe(200)
      await manage('DELETE', '/connectors/acme-first')
      expect((await manage('PATCH', `/connectors/${name}`, { settings: shared })).status).toBe(200)
    })
  })

  test.each(['simulator', 'redirect', 'external'])('cannot have the name %s of a built-in one', async (name) => {
    const { status } = await manage('POST', '/connectors', { name, kind: 'iso8583', settings: hostSettings(7) })
    expect(status).toBe(409)
  })

  test('cannot have the name of another one, even of a deleted one, to which attempts refer', async () => {
    const name = await create()
    const body = { name, kind: 'iso8583', settings: hostSettings(8) }
    expect((await manage('POST', '/connectors', body)).status).toBe(409)
    await manage('DELETE', `/connectors/${name}`)
    expect((await manage('POST', '/connectors', body)).status).toBe(409)
  })

  test.each<[title: string, body: object, message: string]>([
    ['an invalid name', { name: '../x' }, 'body/name must match pattern'],
    ['an unknown kind', { kind: 'carrier-pigeon' }, 'body/kind must be one of iso8583, upstream'],
    ['an unknown member', { colour: 'red' }, 'body must NOT have additional properties (colour)'],
    ['an unknown setting', { settings: hostSettings(7, { pin: '1234' }) }, 'body/settings must not have pin'],
    ['a port that is none', { settings: hostSettings(70_000) }, 'body/settings/addresses/0/port must be <= 65535'],
    [
      'a private address',
      { settings: hostSettings(7, { addresses: [{ host: '10.2.0.1', port: 7 }] }) },
      'body/settings/addresses/0/host is not permitted: the host is a private address (RFC 1918); ' +
        'TOLLGATE_CONNECTOR_NETWORKS names the private networks of connectors',
    ],
    [
      'credentials that do not belong together',
      { settings: withTls(), credentials: { certificate: pair.cert, key: renewed.key } },
      'body/credentials/key must be the key of the certificate',
    ],
    [
      'credentials that nothing uses',
      { credentials: credentialsOf(pair) },
      'body/settings/tls must be set: only TLS uses a certificate',
    ],
  ])('is refused with %s, which the message names', async (_, changes, message) => {
    const body = { name: 'refused', kind: 'iso8583', settings: hostSettings(7), ...changes }
    const answer = await manage('POST', '/connectors', body)
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(message)])
    expect(answer.text).not.toContain('PRIVATE KEY')
    expect((await tollgate.gateway.storage.connectors()).map(({ id }) => id)).not.toContain('refused')
  })

  test('may be in a private network that the setting names', async () => {
    const name = await create({ settings: hostSettings(7, { addresses: [{ host: '10.1.2.3', port: 7 }] }) })
    expect(tollgate.gateway.connectors.find(name)).toBeDefined()
  })
})

describe('credentials', () => {
  const changes: readonly [member: string, settings: object][] = [
    ['addresses/0/host', withTls({ addresses: [{ host: '10.1.0.9', port: 7 }] })],
    ['addresses/0/port', withTls({ addresses: [{ host: '127.0.0.1', port: 8 }] })],
    ['addresses/1/host', withTls({ addresses: [...hostSettings(7).addresses, { host: '10.1.0.9', port: 7 }] })],
    ['tls/pinnedKey', withTls({ tls: { pinnedKey: `${'A'.repeat(43)}=` } })],
    ['tls/pinnedKey', withTls({ tls: {} })],
    ['tls/serverName', withTls({ tls: { ...tls, serverName: 'other.example' } })],
    ['tls/ca', withTls({ tls: { ...tls, ca: pair.cert } })],
    ['tls', hostSettings(7)],
  ]
  test.each(changes)('are asked for again when %s changes', async (member, settings) => {
    const name = await createSealed()
    const before = await rowOf(name)
    const refused = await manage('PATCH', `/connectors/${name}`, { settings })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `body/settings/${member} was changed: send body/credentials again, too.`,
    ])
    expect(await rowOf(name)).toEqual(before)
    if (member === 'tls') return
    const credentials = credentialsOf(renewed)
    expect((await manage('PATCH', `/connectors/${name}`, { settings, credentials })).body).toMatchObject({ settings })
    expect(await openedOf(name)).toEqual(credentials)
  })

  test('the way in which captures are presented cannot be changed', async () => {
    const name = await create()
    const profile = { ...testHostProfile, presentation: 'file' }
    const { status, text } = await manage('PATCH', `/connectors/${name}`, { settings: hostSettings(7, { profile }) })
    expect([status, text]).toEqual([
      409,
      expect.stringContaining('body/settings/profile/presentation cannot be changed'),
    ])
    expect((await rowOf(name)).settings).toContain('"presentation":"host"')
    expect((await manage('PATCH', `/connectors/${name}`, { settings: hostSettings(9) })).status).toBe(200)
  })

  test('stay when other members of the settings change', async () => {
    const name = await createSealed()
    const settings = withTls({ terminalIds: ['AC000009'] })
    expect((await manage('PATCH', `/connectors/${name}`, { settings })).body).toMatchObject({
      settings,
      hasCredentials: true,
    })
    expect(await openedOf(name)).toEqual(credentialsOf(pair))
  })

  test('are rotated and removed', async () => {
    const name = await createSealed()
    tollgate.clock.nowMs += 1_000
    const rotated = await manage('POST', `/connectors/${name}/credentials`, { credentials: credentialsOf(renewed) })
    expect(rotated.body).toMatchObject({ hasCredentials: true, credentialsChangedAt: '2026-05-04T03:02:02.000Z' })
    expect(rotated.text).not.toContain('PRIVATE KEY')
    expect(await openedOf(name)).toEqual(credentialsOf(renewed))
    const removed = await manage('PATCH', `/connectors/${name}`, { settings: hostSettings(9), credentials: null })
    expect(removed.body).toMatchObject({ hasCredentials: false })
    expect(removed.body).not.toHaveProperty('credentialsChangedAt')
    expect(await rowOf(name)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
  })

  test('are erased with the connector', async () => {
    const name = await createSealed()
    await manage('DELETE', `/connectors/${name}`)
    expect(await rowOf(name)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null, credentials_at_ms: null })
  })
})

describe('a connector to another gateway', () => {
  const settings = { baseUrl: 'https://pay.example', entityId: 'a'.repeat(32), verificationCurrency: 'EUR' }
  const upstream = { kind: 'upstream', settings }

  test('needs credentials, which are asked for again when its address changes', async () => {
    const refused = await manage('POST', '/connectors', { name: 'upstream', ...upstream })
    expect([refused.status, refused.body.error.message]).toEqual([400, 'body/credentials must be object'])
    const name = await create({ ...upstream, credentials: { accessToken: 'secret-token' } })
    expect(tollgate.gateway.connectors.find(name)).toMatchObject({ isHealthy: true })
    const path = `/connectors/${name}`
    expect((await manage('PATCH', path, { credentials: null })).status).toBe(400)
    const moved = { settings: { ...settings, baseUrl: 'https://evil.example' } }
    expect((await manage('PATCH', path, moved)).body.error.message).toBe(
      'body/settings/baseUrl was changed: send body/credentials again, too.',
    )
    const changed = await manage('PATCH', path, { settings: { ...settings, verificationCurrency: 'USD' } })
    expect([changed.status, changed.text.includes('secret-token')]).toEqual([200, false])
    expect(await openedOf(name)).toEqual({ accessToken: 'secret-token' })
  })
})

describe('a deletion', () => {
  const routesPath = `/entities/${sandboxIds.channel}/routes`

  test('is refused while routes name the connector', async () => {
    const name = await create()
    await manage('PUT', routesPath, { routes: [{ name: 'cards', targets: [{ connector: name }] }] })
    const refused = await manage('DELETE', `/connectors/${name}`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `The connector was not deleted: routes of 1 entity name it: ${sandboxIds.channel}.`,
    ])
    await manage('DELETE', routesPath)
    expect((await manage('DELETE', `/connectors/${name}`)).status).toBe(200)
  })

  test.each([
    ['SENT', 'end-attempt', null],
    ['PENDING', 'follow-visit', null],
    ['SENT, and waits for an operator', 'end-attempt', 1],
  ])('is refused while a payment of the connector is %s', async (title, kind, parked_at_ms) => {
    const [status = ''] = title.split(',')
    const name = await create()
    const { storage, ids, clock } = tollgate.gateway
    const id = ids.ordered()
    const facts = JSON.stringify({ routed: { connector: name } })
    const nowMs = clock.now()
    const session = {
      id,
      merchant: 'm',
      transaction_id: id,
      checkout_id: null,
      kind: 'bank',
      parameters: '{}',
      progress: '{}',
      created_at_ms: nowMs,
      expires_at_ms: nowMs,
      forgotten_at_ms: nowMs,
    }
    await storage.commit({
      id,
      expectedVersions: [{ id, merchant: 'm', version: 0 }],
      rows: {
        payment_transaction: [transactionRow({ root_id: id, id, status, facts })],
        job: [jobRow(id, { kind, subject_id: id, parked_at_ms })],
        visit: [session],
      },
    })
    const refused = await manage('DELETE', `/connectors/${name}`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `The connector was not deleted: payment ${id} has no final result: retry when it has one.`,
    ])
    const other = await create({ settings: hostSettings(8) })
    expect((await manage('DELETE', `/connectors/${other}`)).status).toBe(200)
  })
})

/** Two processes with the same data, which are not notified of changes by each other. */
async function twoProcesses() {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-connectors-'))
  const storage = openMemory()
  const [first, second] = [await testGateway({ storage, data }), await testGateway({ storage, data })]
  async function close(): Promise<void> {
    await first.close()
    await second.close()
    rmSync(data, { recursive: true })
  }
  return { storage, first, second, close }
}

test('a change by one process is not lost by that of a peer, which has not been notified', async () => {
  const { storage, first, second, close } = await twoProcesses()
  await first.manage('POST', '/connectors', { name: 'acme', kind: 'iso8583', settings: hostSettings(7) })
  expect(second.gateway.connectors.find('acme')).toBeUndefined()
  await Promise.all([
    first.manage('PATCH', '/connectors/acme', { state: 'disabled' }),
    second.manage('PATCH', '/connectors/acme', { settings: hostSettings(8) }),
  ])
  const [row] = await storage.connectors()
  expect(row).toMatchObject({ state: 'disabled', settings: JSON.stringify(hostSettings(8)) })
  await second.gateway.connectorCache.reload()
  expect(second.gateway.connectors.find('acme')).toMatchObject({ enabled: false })
  await close()
})

test('routes may name a new connector of a peer, which then cannot be deleted', async () => {
  const { first, second, close } = await twoProcesses()
  await first.manage('POST', '/connectors', { name: 'acme', kind: 'iso8583', settings: hostSettings(7) })
  const routes = [{ name: 'cards', targets: [{ connector: 'acme' }] }]
  const saved = await second.manage('PUT', `/entities/${sandboxIds.channel}/routes`, { routes })
  expect([saved.status, saved.body.routes]).toEqual([200, routes])
  expect((await first.manage('DELETE', '/connectors/acme')).status).toBe(409)
  await close()
})
