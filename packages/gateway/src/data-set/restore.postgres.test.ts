import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newDatabase, removeDatabase, runSql } from '@tollgate/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from '../start-gateway.ts'
import { readConfig } from '../config.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { cardWithoutPayment, cardPayment, formOf, type Parameters } from '../testing/test-gateway.ts'
import { backUp } from './back-up.ts'
import { restore } from './restore.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-restore-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const data = () => join(folder, 'data')
const backup = () => join(folder, 'backup.db')
const file = () => join(data(), 'tollgate.db')
const configOf = (env: Readonly<Record<string, string>> = {}) =>
  readConfig({ PORT: '0', TOLLGATE_DATA: data(), TOLLGATE_LOG: 'silent', ...env })

interface Answer {
  readonly id: string
  readonly result: { readonly code: string }
}

async function request({ publicUrl }: RunningGateway, method: string, path: string, parameters: Parameters = {}) {
  const form = formOf({ entityId: sandboxIds.channel, ...parameters })
  const headers = { authorization: `Bearer ${sandboxToken}`, 'content-type': 'application/x-www-form-urlencoded' }
  const url = method === 'POST' ? `${publicUrl}${path}` : `${publicUrl}${path}?${form}`
  const response = await fetch(url, { method, headers, ...(method === 'POST' && { body: form }) })
  const answer: Answer = JSON.parse(await response.text())
  return { status: response.status, ...answer }
}
const codeOf = ({ status, result }: { status: number } & Answer) => [status, result.code]

/** The status and result code of requests about the deleted and the kept registration and about the payment. */
async function answersFor(running: RunningGateway, ids: Readonly<Record<'deleted' | 'kept' | 'paid', string>>) {
  const pay = (id: string) =>
    request(
      running,
      'POST',
      `/v1/registrations/${id}/payments`,
      cardPayment({
        paymentBrand: undefined,
        'card.number': undefined,
        'card.holder': undefined,
        'card.expiryMonth': undefined,
        'card.expiryYear': undefined,
        'card.cvv': undefined,
      }),
    )
  return {
    deleted: codeOf(await request(running, 'GET', `/v1/registrations/${ids.deleted}`)),
    deletedAgain: codeOf(await request(running, 'DELETE', `/v1/registrations/${ids.deleted}`)),
    paidWithDeleted: codeOf(await pay(ids.deleted)),
    paidWithKept: codeOf(await pay(ids.kept)),
    paid: codeOf(await request(running, 'GET', `/v1/payments/${ids.paid}`)),
  }
}

describe('a backup made while the gateway ran', () => {
  test('restores registrations and payments, except accounts that were erased after it', async () => {
    const first = await startGateway(configOf())
    const register = async (number: string) =>
      (await request(first, 'POST', '/v1/registrations', cardWithoutPayment({ 'card.number': number }))).id
    const ids = {
      deleted: await register('4200000000000000'),
      updated: await register('4200000000000000'),
      kept: await register('4200000000000000'),
      paid: (await request(first, 'POST', '/v1/payments', cardPayment())).id,
    }
    const sealedOf = async ({ gateway: { storage } }: RunningGateway, id: string) => {
      const registration = await storage.registration(id)
      return (await storage.account(registration?.account_id ?? ''))?.sealed
    }
    const secret = Buffer.from((await sealedOf(first, ids.deleted)) ?? [])

    backUp(configOf(), backup())
    expect(() => backUp(configOf(), backup())).toThrow('backup.db exists already: name a new file')
    expect(statSync(backup()).mode & 0o777).toBe(0o600)
    expect(readFileSync(backup()).includes(secret)).toBe(true)

    expect((await request(first, 'DELETE', `/v1/registrations/${ids.deleted}`)).status).toBe(200)
    const changed = await request(
      first,
      'POST',
      `/v1/registrations/${ids.updated}`,
      cardWithoutPayment({ 'card.expiryYear': '2035' }),
    )
    expect(changed.status).toBe(200)
    const before = await answersFor(first, ids)
    await first.stop()
    const tombstones = [join(data(), 'erasures.log')].map((name) => readFileSync(name, 'utf8').match(/^\+ /gm)?.length)
    expect(tombstones).toEqual([2])

    const oldFiles = join(folder, 'old-files')
    mkdirSync(oldFiles)
    await expect(restore(configOf(), backup(), false)).rejects.toThrow('tollgate.db exists already: move it away')
    for (const suffix of ['', '-wal', '-shm'])
      renameIfExists(`${file()}${suffix}`, join(oldFiles, `tollgate.db${suffix}`))
    await restore(configOf(), backup(), false)
    expect(statSync(file()).mode & 0o777).toBe(0o600)

    const second = await startGateway(configOf())
    expect(await sealedOf(second, ids.deleted)).toBe(null)
    expect(await answersFor(second, ids)).toEqual(before)
    // The new card was stored after the backup and is lost; the old card was erased.
    expect(await sealedOf(second, ids.updated)).toBe(null)
    expect(await sealedOf(second, ids.kept)).toBeInstanceOf(Uint8Array)
    await second.stop()
    await expect.poll(() => readFileSync(file()).includes(secret), { timeout: 20_000 }).toBe(false)

    // A start does not log replayed erasures again.
    const lines = readFileSync(join(data(), 'erasures.log'), 'utf8')
    await (await startGateway(configOf())).stop()
    expect(readFileSync(join(data(), 'erasures.log'), 'utf8')).toBe(lines)
  })

  test('is refused without the tombstone log, except with --without-erasures', async () => {
    const config = configOf({ TOLLGATE_DATA: join(folder, 'bare'), TOLLGATE_KEYS: join(data(), 'keys.json') })
    await expect(restore(config, backup(), false)).rejects.toThrow('there is no erasures.log in')
    await restore(config, backup(), true)
    expect(statSync(join(folder, 'bare', 'tollgate.db')).size).toBe(statSync(backup()).size)
  })

  test.each([
    [
      'is damaged',
      (bytes: Buffer) => bytes.fill(7, 3 * 8192, 5 * 8192),
      /copy\.db(: database disk image is malformed| is damaged: )/,
    ],
    [
      'is truncated',
      (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
      /copy\.db(: database disk image is malformed| is damaged: )/,
    ],
    ['is no database', () => Buffer.from('not a database '.repeat(100)), 'copy.db: file is not a database'],
    ['is empty', () => Buffer.alloc(0), 'copy.db contains no data of Tollgate'],
  ])('that %s is refused, and no tollgate.db is created', async (_, damage, message) => {
    const copy = join(folder, 'copy.db')
    writeFileSync(copy, damage(readFileSync(backup())))
    const config = configOf({ TOLLGATE_DATA: join(folder, 'none'), TOLLGATE_KEYS: join(data(), 'keys.json') })
    await expect(restore(config, copy, true)).rejects.toThrow(message)
    expect(() => statSync(join(folder, 'none', 'tollgate.db'))).toThrow('ENOENT')
  })

  test('is refused without keys and with other keys', async () => {
    const config = configOf({ TOLLGATE_DATA: join(folder, 'none') })
    await expect(restore(config, backup(), true)).rejects.toThrow(/keys\.json is missing, and the data was written/)
    await (await startGateway(configOf({ TOLLGATE_DATA: join(folder, 'other') }))).stop()
    const other = configOf({ TOLLGATE_DATA: join(folder, 'none'), TOLLGATE_KEYS: join(folder, 'other', 'keys.json') })
    await expect(restore(other, backup(), true)).rejects.toThrow(
      /does not fit the data: .* is missing: stored data needs it/,
    )
  })
})

function renameIfExists(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to)
}

test('a recovery of a PostgreSQL database to an earlier time does not restore erased accounts', async () => {
  const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const earlier = new URL(url)
  earlier.pathname += '_earlier'
  const startOn = (database: string) =>
    startGateway(configOf({ TOLLGATE_DATA: join(folder, 'postgres'), TOLLGATE_DATABASE_URL: database }))
  const first = await startOn(url)
  const { id } = await request(first, 'POST', '/v1/registrations', cardWithoutPayment())
  await first.stop()
  const names = [earlier, new URL(url)].map(({ pathname }) => pathname.slice(1))
  await runSql(process.env['TOLLGATE_TEST_DATABASE_URL'] ?? '', `CREATE DATABASE ${names.join(' TEMPLATE ')}`)

  const second = await startOn(url)
  expect((await request(second, 'DELETE', `/v1/registrations/${id}`)).status).toBe(200)
  const after = await request(second, 'GET', `/v1/registrations/${id}`)
  await second.stop()
  const third = await startOn(earlier.href)
  expect(codeOf(await request(third, 'GET', `/v1/registrations/${id}`))).toEqual(codeOf(after))
  expect(await third.gateway.storage.account(id)).toMatchObject({ sealed: null, wrapped_key: null })
  await third.stop()
  await Promise.all([url, earlier.href].map(removeDatabase))
})
