import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { openPostgres } from './open.ts'

// Faults that prevent a start. The error is one line with a remedy, and the database has no new tables.

/** A user who may connect, but not create tables; in `migrated` they may also read, and in the last test write. */
const user = `test_${randomUUID().replaceAll('-', '')}`
let [empty, foreign, migrated] = ['', '', '']
const fakes: Server[] = []

beforeAll(async () => {
  const server = process.env['TOLLGATE_TEST_DATABASE_URL']
  empty = await newDatabase(server)
  foreign = await newDatabase(server)
  migrated = await newDatabase(server)
  await runSql(empty, `CREATE ROLE ${user} LOGIN`)
  await runSql(foreign, 'CREATE TABLE account (x integer)')
  await (await openPostgres({ url: migrated })).close()
  await runSql(migrated, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`)
})
afterAll(async () => {
  for (const fake of fakes) fake.close()
  for (const url of [empty, foreign, migrated]) await removeDatabase(url)
  await runSql(process.env['TOLLGATE_TEST_DATABASE_URL'] ?? '', `DROP ROLE ${user}`)
})

const urlWith = (address: string, change: (url: URL) => void): string => {
  const url = new URL(address)
  // The address that an operator sets contains a password, which no message may contain.
  url.password = 'hidden-password'
  change(url)
  return url.href
}
const asRestricted = (url: URL) => void (url.username = user)

/** A message of PostgreSQL's protocol. */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.from(`${type}____`)
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 65_535)])
const ready = message('Z', 'I')
const authenticated = message('R', int32(0))

/**
 * Starts a server that sends `greeting` after the first message, and `answer` after every further message. If the
 * answer is empty, the server closes the connection after the greeting.
 * @returns its address
 */
async function fakeServer(greeting: Buffer, answer: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(greeting)
      if (answer.length === 0) socket.end()
      socket.on('data', () => socket.write(answer))
    })
  }).listen(0, '127.0.0.1')
  fakes.push(server)
  await once(server, 'listening')
  const address = server.address()
  return `postgres://tollgate@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/tollgate`
}

const column = (name: string, type: number) =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)])
const value = (text: string) => Buffer.concat([int32(text.length), Buffer.from(text)])
const ofVersion14 = Buffer.concat([
  message('T', int16(3), column('version', 23), column('encoding', 25), column('isReadOnly', 16)),
  message('D', int16(3), value('140011'), value('UTF8'), value('f')),
  message('C', 'SELECT 1\0'),
  ready,
])
const wrongPassword = message('E', 'SFATAL\0C28P01\0Mpassword authentication failed for user "tollgate"\0\0')

test.each<readonly [subject: string, url: () => string | Promise<string>, expected: RegExp]>([
  [
    'a port without a listener',
    () => urlWith(empty, (url) => (url.port = '1')),
    /^connect ECONNREFUSED .+; check host and port/,
  ],
  [
    'an unknown host',
    () => urlWith(empty, (url) => (url.hostname = 'nowhere.invalid')),
    /nowhere\.invalid; check the host$/,
  ],
  [
    'a server that is not PostgreSQL',
    () => fakeServer(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), Buffer.alloc(0)),
    /^Connection terminated unexpectedly; check host and port/,
  ],
  [
    'a missing database',
    () => urlWith(empty, (url) => (url.pathname = '/missing')),
    /^database "missing" does not exist; check the name of the database, or create it$/,
  ],
  [
    'an unknown user',
    () => urlWith(empty, (url) => (url.username = 'nobody_here')),
    /^role "nobody_here" does not exist; check the user/,
  ],
  [
    'a wrong password',
    async () => urlWith(await fakeServer(wrongPassword, ready), () => undefined),
    /^password authentication failed for user "tollgate"; check user and password$/,
  ],
  [
    'an old server',
    async () => urlWith(await fakeServer(Buffer.concat([authenticated, ready]), ofVersion14), () => undefined),
    /^the server is PostgreSQL 14; 15 or later is required$/,
  ],
  [
    'a user without the right to create tables',
    () => urlWith(empty, asRestricted),
    /^permission denied for schema public; the user needs CREATE /,
  ],
  [
    'a user without the right to write',
    () => urlWith(migrated, asRestricted),
    new RegExp(`^the user ${user} lacks \\w+ on access_token and \\d+ other rights; run GRANT .* TO ${user}$`),
  ],
  [
    'a read-only server',
    () => urlWith(empty, (url) => url.searchParams.set('options', '-c default_transaction_read_only=on')),
    /^the server is read-only: name the primary, not a standby$/,
  ],
  [
    'a database of another program',
    () => urlWith(foreign, () => undefined),
    /^relation "account" already exists; the database contains tables of another program/,
  ],
])('%s is reported in one line with a remedy', async (_, address, expected) => {
  const url = await address()
  const error = await openPostgres({ url }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'StorageError', message: expect.stringMatching(expected) })
  expect(String(error)).not.toMatch(/hidden-password|\n/)
})

test('a failed start leaves no tables', async () => {
  const relations = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`
  expect(await runSql(empty, relations)).toEqual([])
  expect(await runSql(foreign, relations)).toEqual([{ relname: 'account' }])
})

test('a user without the right to create tables can open existing ones', async () => {
  await runSql(migrated, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`)
  await (await openPostgres({ url: urlWith(migrated, asRestricted) })).close()
})
