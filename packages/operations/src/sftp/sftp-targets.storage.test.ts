import { testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { type MemorySftp, targetOf, useMemorySftp } from '../testing/memory-sftp.ts'

// The management API of SFTP targets.

let tollgate: TestGateway
let server: MemorySftp
beforeEach(async () => {
  tollgate = await testGateway()
  server = useMemorySftp(tollgate)
})
afterEach(() => tollgate.close())

const target = (changes: object = {}) => targetOf(sandboxIds.merchant, changes)
const create = (changes: object = {}) => tollgate.manage('POST', '/sftp-targets', target(changes))
const SECRET = 'a long password'

test('a target is created, listed, shown, changed and deleted, without its credentials', async () => {
  const { status, body, text } = await create()
  expect(status).toBe(201)
  expect(body).toMatchObject({
    entityId: sandboxIds.merchant,
    purpose: 'reconciliationRecord',
    server: { host: '127.0.0.1', port: 2222, username: 'tollgate' },
    folder: '/in',
    fileName: 'reconciliation-{entityId}-{day}.csv',
    merchantReferences: false,
    merchantMemo: false,
    state: 'enabled',
  })
  const path = `/sftp-targets/${body.id}`
  const list = await tollgate.manage('GET', `/sftp-targets?entityId=${sandboxIds.merchant}`)
  expect(list.body).toEqual({ targets: [body], total: 1 })
  const shown = await tollgate.manage('GET', path)
  const changed = await tollgate.manage('PATCH', path, { folder: 'out', merchantReferences: true, state: 'disabled' })
  expect(changed.body).toMatchObject({
    folder: 'out',
    merchantReferences: true,
    state: 'disabled',
    fileName: body.fileName,
  })
  expect((await tollgate.manage('DELETE', path)).body).toEqual({ id: body.id, state: 'deleted' })
  expect((await tollgate.manage('GET', path)).status).toBe(404)
  const [row] = await tollgate.gateway.storage.sftpAccounts()
  expect([row?.sealed, row?.wrapped_key]).toEqual([null, null])
  const said = [text, list.text, shown.text, changed.text, JSON.stringify(tollgate.logged)].join()
  expect(said).not.toContain(SECRET)
})

describe('credentials are sent again', () => {
  const { server: address } = targetOf('')
  test.each([
    ['host', { ...address, host: '127.0.0.2' }],
    ['port', { ...address, port: 22 }],
    ['username', { ...address, username: 'other' }],
    ['hostKeys', { ...address, hostKeys: [`SHA256:${'B'.repeat(43)}`] }],
  ])('when the %s of the server changes', async (member, changed) => {
    const path = `/sftp-targets/${(await create()).body.id}`
    const refused = await tollgate.manage('PATCH', path, { server: changed })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `body/server/${member} was changed: send body/credentials again, too.`,
    ])
    const renewed = await tollgate.manage('PATCH', path, { server: changed, credentials: { password: 'another one' } })
    expect([renewed.status, renewed.body.server]).toEqual([200, changed])
    await tollgate.manage('POST', `${path}/test`)
    expect(server.connections).toEqual([{ ...changed, password: 'another one' }])
  })

  test('but not for other changes', async () => {
    const path = `/sftp-targets/${(await create()).body.id}`
    expect((await tollgate.manage('PATCH', path, { server: address, folder: '/else' })).status).toBe(200)
    await tollgate.manage('POST', `${path}/test`)
    expect(server.connections).toMatchObject([{ password: SECRET }])
  })
})

test.each([
  ['server/host is not permitted', { server: { ...targetOf('').server, host: '10.0.0.1' } }],
  ['server/host is not permitted', { server: { ...targetOf('').server, host: '169.254.169.254' } }],
  ['server/host', { server: { ...targetOf('').server, host: 'a b' } }],
  ['server/hostKeys/0', { server: { ...targetOf('').server, hostKeys: ['SHA256:short'] } }],
  ['server/hostKeys', { server: { ...targetOf('').server, hostKeys: [] } }],
  ['credentials', { credentials: { privateKey: 'no key' } }],
  ['credentials', { credentials: {} }],
  ['fileName must contain {day}', { fileName: 'record.csv' }],
  ['schedule/timeZone', { schedule: { hour: 6, timeZone: 'Mars/Olympus' } }],
  ['schedule/hour', { schedule: { hour: 24, timeZone: 'UTC' } }],
  ['folder', { folder: 'a\nb' }],
  ['purpose', { purpose: 'settlementFiles' }],
  ['entityId', { entityId: sandboxIds.channel }],
])('an invalid %s is refused', async (place, changes) => {
  const { status, body } = await create(changes)
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(place)])
})

test('an entity has one target of a purpose', async () => {
  expect([(await create()).status, (await create()).status]).toEqual([201, 409])
  expect((await create({ entityId: sandboxIds.division })).status).toBe(201)
})

test('the test of a target creates a file and removes it, or shows the fault', async () => {
  const { body } = await create()
  const path = `/sftp-targets/${body.id}/test`
  expect((await tollgate.manage('POST', path)).body).toMatchObject({ succeeded: true })
  expect(server.files.size).toBe(0)
  server.fault = { kind: 'hostKey', message: 'The host key is not pinned.' }
  expect((await tollgate.manage('POST', path)).body).toMatchObject({ succeeded: false, error: server.fault })
})
