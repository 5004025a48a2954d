import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { eraseEvidence, limits as operationLimits } from '@tollgate/operations'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countKeys } from '../../keys/count-keys.ts'
import { rewrap } from '../../keys/rewrap.task.ts'
import { limits } from '../../limits.ts'
import { cardPayment, testGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { manageServer } from './server.ts'

const PDF = Buffer.from('%PDF-1.7\nsigned by Jane Jones\u0000')
const DAY_MS = 86_400_000

let tollgate: TestGateway
let server: FastifyInstance
/** A disputed payment. */
let id: string
beforeEach(async () => {
  tollgate = await testGateway()
  server = manageServer(tollgate.gateway)
  id = (await tollgate.send('POST', '/v1/payments', cardPayment())).body.id
  await tollgate.manage('POST', '/disputes', { transactionId: id })
})
afterEach(async () => {
  await server.close()
  await tollgate.close()
})

const authorization = () => `Bearer ${tollgate.gateway.config.manageKey}`
const path = (name = 'receipt.pdf') =>
  `/manage/v1/disputes/${id}/evidence?${new URLSearchParams({ kind: 'receipt', name }).toString()}`
const upload = (content: Buffer, type = 'application/octet-stream', url = path()) =>
  server.inject({
    method: 'POST',
    url,
    headers: { authorization: authorization(), 'content-type': type },
    payload: content,
  })
const stored = async (content = PDF, name?: string): Promise<string> =>
  (await upload(content, undefined, path(name))).json().id
const call = (method: 'GET' | 'DELETE', evidenceId = '') =>
  server.inject({
    method,
    url: `/manage/v1/disputes/${id}/evidence/${evidenceId}`,
    headers: { authorization: authorization() },
  })
const listed = async (): Promise<string[]> =>
  (await call('GET')).json().evidence.map((row: { readonly id: string }) => row.id)
const runToEnd = async (task: { step(): Promise<'more' | 'done'> }) => {
  while ((await task.step()) === 'more');
}

describe('a file of evidence', () => {
  test.each([
    ['a PDF', PDF, 'application/pdf'],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
    ['a JPEG', Buffer.from('ffd8ffe00010', 'hex'), 'image/jpeg'],
    ['a text', Buffer.from('<script>alert(1)</script>'), 'text/plain'],
  ])('is returned as it was sent, with the type of its content: %s', async (_name, content, type) => {
    const answer = await upload(content)
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        kind: 'receipt',
        name: 'receipt.pdf',
        contentType: type,
        sizeBytes: content.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: '2026-05-04T03:02:01.000Z',
      },
    ])
    const file = await call('GET', answer.json().id)
    expect(Buffer.compare(file.rawPayload, content)).toBe(0)
    expect(file.headers).toMatchObject({
      'content-type': expect.stringMatching(new RegExp(`^${type}`)),
      'content-disposition': `attachment; filename*=UTF-8''receipt.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    })
  })

  test('of several parts is returned whole', async () => {
    const large = Buffer.alloc(operationLimits.evidencePartBytes * 2 + 7, 'x')
    expect(Buffer.compare((await call('GET', await stored(large))).rawPayload, large)).toBe(0)
  })

  test.each([
    [`x"; filename=run.exe`, `x%22%3B%20filename%3Drun.exe`],
    [`Übergabe (1)'*.pdf`, `%C3%9Cbergabe%20%281%29%27%2a.pdf`],
  ])('cannot write the header of its name: %s', async (name, encoded) => {
    const { headers } = await call('GET', await stored(PDF, name))
    expect(headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${encoded}`)
  })

  test('is sealed in the storage, and opened after a rotation of the keys', async () => {
    const { storage, keys, vault } = tollgate.gateway
    const { encryption, fingerprint } = vault.keyIds()
    const currentIds = { encryption: encryption.current, fingerprint: fingerprint.current }
    const recordsUnderKey = async () =>
      (await countKeys(storage, currentIds)).records.encryption.get(encryption.current)
    expect(await recordsUnderKey()).toBe(1)
    const evidenceId = await stored()
    expect(await recordsUnderKey()).toBe(2)
    const part = await storage.evidencePart(evidenceId, 1)
    expect(Buffer.from(part?.bytes ?? []).includes('Jane')).toBe(false)
    const [before] = await storage.evidenceOf(id)
    await keys.rotate('encryption')
    await runToEnd(rewrap(tollgate.gateway))
    const [after] = await storage.evidenceOf(id)
    expect([before?.key_id === after?.key_id, after?.key_id]).toEqual([false, vault.keyIds().encryption.current])
    expect(await recordsUnderKey()).toBeUndefined()
    expect(Buffer.compare((await call('GET', evidenceId)).rawPayload, PDF)).toBe(0)
  })

  test('belongs to its dispute', async () => {
    const evidenceId = await stored()
    const other = (await tollgate.send('POST', '/v1/payments', cardPayment())).body.id
    await tollgate.manage('POST', '/disputes', { transactionId: other })
    expect((await tollgate.manage('GET', `/disputes/${other}/evidence/${evidenceId}`)).status).toBe(404)
    expect((await tollgate.manage('GET', `/disputes/${'f'.repeat(32)}/evidence`)).status).toBe(404)
  })

  test('can be erased until it is sent', async () => {
    const [first, second] = [await stored(), await stored()]
    expect((await call('DELETE', first)).statusCode).toBe(204)
    expect([await listed(), (await call('GET', first)).statusCode]).toEqual([[second], 404])
    expect(await tollgate.gateway.storage.evidencePart(first, 1)).toBeUndefined()
    await tollgate.manage('POST', `/disputes/${id}/submit`)
    expect((await call('DELETE', second)).statusCode).toBe(409)
    expect(await listed()).toEqual([second])
    expect(tollgate.logged.filter(({ audit }) => audit === 'evidence changed').map(({ change }) => change)).toEqual([
      'added',
      'added',
      'removed',
    ])
  })
})

describe('an upload is refused', () => {
  test.each<[name: string, status: number, reason: RegExp, content: Buffer, type?: string]>([
    ['without content', 400, /empty/, Buffer.alloc(0)],
    ['as an archive', 415, /archive/, Buffer.from('504b0304140000', 'hex')],
    ['with another content', 415, /another type than application\/pdf/, Buffer.from('GIF89a\u0001\u0000')],
    ['with another content than it states', 415, /is application\/pdf/, PDF, 'image/png'],
    ['with a type that is not accepted', 415, /one of the types/, PDF, 'image/gif'],
    ['as a form', 415, /one of the types/, PDF, 'multipart/form-data; boundary=x'],
  ])('%s', async (_name, status, reason, content, type) => {
    const answer = await upload(content, type)
    expect([answer.statusCode, answer.json().error.message]).toEqual([status, expect.stringMatching(reason)])
    expect(await listed()).toEqual([])
  })

  test.each(['a/b.pdf', 'a\\b', 'a\nb', '\u202Efdp.exe', '', 'x'.repeat(256)])('with the name %j', async (name) => {
    expect((await upload(PDF, undefined, path(name))).statusCode).toBe(400)
  })

  test('with an unknown kind, or without a dispute', async () => {
    const other = path().replace('receipt', 'photo')
    expect((await upload(PDF, undefined, other)).statusCode).toBe(400)
    expect((await upload(PDF, undefined, path().replace(id, 'f'.repeat(32)))).statusCode).toBe(404)
  })

  test('after the end of the dispute', async () => {
    await tollgate.manage('POST', `/disputes/${id}/accept`)
    expect((await upload(PDF)).statusCode).toBe(409)
  })

  test('beyond the number of files, and of bytes in all', async () => {
    const large = Buffer.alloc(operationLimits.evidenceBytesMax, 'x')
    const filesMax = operationLimits.evidenceTotalBytesMax / operationLimits.evidenceBytesMax
    for (let count = 0; count < filesMax; count += 1) expect((await upload(large)).statusCode).toBe(201)
    expect((await upload(PDF)).statusCode).toBe(413)
    await runToEnd({ step: async () => ((await removeFirst()) ? 'more' : 'done') })
    for (let count = 0; count < operationLimits.evidenceFilesMax; count += 1) await stored()
    expect((await upload(PDF)).statusCode).toBe(409)
    expect(await listed()).toHaveLength(operationLimits.evidenceFilesMax)
  })

  test('if too many are being received', async () => {
    const evidenceId = await stored()
    await server.listen({ port: 0, host: '127.0.0.1' })
    const pending = Array.from({ length: limits.evidenceTransfersMax }, () => openUpload())
    for (const each of pending) each.write('%PDF-')
    await expect.poll(async () => (await call('GET', evidenceId)).statusCode).toBe(429)
    expect((await upload(PDF)).statusCode).toBe(429)
    for (const each of pending) {
      each.end('1.7')
      const [response] = await once(each, 'response')
      expect(response.statusCode).toBe(201)
      response.resume()
    }
    expect((await upload(PDF)).statusCode).toBe(201)
  })

  test.each([
    ['with its length', { 'content-length': String(operationLimits.evidenceBytesMax + 1) }],
    ['in chunks', {}],
  ])('if it is too large: %s', async (_name, headers) => {
    await server.listen({ port: 0, host: '127.0.0.1' })
    const sent = openUpload(headers)
    sent.on('error', () => undefined)
    sent.end(Buffer.alloc(operationLimits.evidenceBytesMax + 1, 'x'))
    const [response] = await once(sent, 'response')
    expect([response.statusCode, JSON.parse(await text(response)).error.message]).toEqual([
      413,
      'A file has at most 10 MiB, and the files of a dispute 50 MiB.',
    ])
    expect(await listed()).toEqual([])
  })
})

/** An upload over a connection, whose body the test writes. */
function openUpload(headers: Readonly<Record<string, string>> = {}) {
  const address = server.server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen')
  return request({
    method: 'POST',
    port: address.port,
    host: '127.0.0.1',
    path: path(),
    headers: { authorization: authorization(), 'content-type': 'application/octet-stream', ...headers },
  })
}

async function removeFirst(): Promise<boolean> {
  const [first] = await listed()
  return first !== undefined && (await call('DELETE', first)).statusCode === 204
}

describe('the retention', () => {
  const erase = () => runToEnd(eraseEvidence(tollgate.gateway))

  test('keeps the evidence of open disputes, and erases that of disputes that ended 540 days ago', async () => {
    const evidenceId = await stored()
    tollgate.clock.nowMs += 1000 * DAY_MS
    await erase()
    expect(await listed()).toEqual([evidenceId])
    await tollgate.manage('POST', `/disputes/${id}/accept`)
    tollgate.clock.nowMs += 540 * DAY_MS
    await erase()
    expect(await listed()).toEqual([evidenceId])
    tollgate.clock.nowMs += 1
    await erase()
    expect(await listed()).toEqual([])
    expect(await tollgate.gateway.storage.evidencePart(evidenceId, 1)).toBeUndefined()
  })

  test('erases an upload that was broken off after an hour', async () => {
    const evidenceId = await stored()
    const { storage, ids } = tollgate.gateway
    const [from] = await storage.evidenceOf(id)
    if (!from) throw new Error('the file is not stored')
    const compareAndSets = [{ table: 'dispute_evidence', from, to: { ...from, stored: 0 } }] as const
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: {}, compareAndSets })
    await erase()
    expect([await listed(), (await storage.evidencePart(evidenceId, 1)) !== undefined]).toEqual([[], true])
    tollgate.clock.nowMs += 3_600_001
    await erase()
    expect([await storage.evidencePart(evidenceId, 1), await storage.evidenceOf(id)]).toEqual([undefined, []])
  })
})
