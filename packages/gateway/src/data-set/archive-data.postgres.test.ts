import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@tollgate/contract'
import { openPostgres } from '@tollgate/storage'
import { newDatabase, removeDatabase, runSql } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { testBank } from '../testing/bank.ts'
import { type FilledData, fillData } from '../testing/fill-data.ts'
import { summary, testGateway, type TestGateway } from '../testing/test-gateway.ts'
import { type ArchivedPartition, archiveData } from './archive-data.ts'
import { examineData } from './integrity/examine-data.ts'

let folder = ''
let url = ''
let tollgate: TestGateway
let filled: FilledData
const config = () => readConfig({ TOLLGATE_DATA: folder, TOLLGATE_DATABASE_URL: url })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-archive-'))
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const storage = await openPostgres({ url })
  tollgate = await testGateway({ storage, data: folder, redirects: testBank().connector })
  filled = await fillData(tollgate)
})
afterAll(async () => {
  await filled.webhook.receiver.close()
  await tollgate.close()
  await removeDatabase(url)
  rmSync(folder, { recursive: true })
})

async function archive(nowMs: number, beforeMs = Number.POSITIVE_INFINITY): Promise<readonly ArchivedPartition[]> {
  const reports: ArchivedPartition[] = []
  await archiveData(config(), beforeMs, nowMs, (report) => reports.push(report))
  return reports
}

async function examined(): Promise<readonly [rows: number, findings: readonly string[]]> {
  const findings: string[] = []
  const { rows } = await examineData(
    config(),
    (finding) => findings.push(finding),
    () => undefined,
  )
  return [rows, findings]
}

test('old payments are archived: they are found by id and refuse operations; others are as before', async () => {
  const { send, clock } = tollgate
  const merchantTransactionId = 'archived-1'
  const reads = ['debit', 'authorisation', 'capture', 'refund'].flatMap((name) =>
    ['/v1/payments', '/v1/query', '/v3/query'].map((path) => `${path}/${Reflect.get(filled, name)}`),
  )
  /** The answers without what differs by request. */
  const answers = async () => {
    const all = await Promise.all(reads.map((path) => send('GET', path)))
    return all.map(({ status, body }) => {
      const records: readonly object[] = body.records ?? [body]
      return { status, records: records.map((record) => ({ ...record, ndc: '', timestamp: '' })) }
    })
  }
  const paid = await send('POST', '/v1/payments', {
    paymentType: 'DB',
    amount: '12.00',
    currency: 'EUR',
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
    'card.holder': 'Jane Jones',
    merchantTransactionId,
  })
  expect(paid.status).toBe(200)
  clock.nowMs = Date.now() + 600 * DAY_MS
  const [before, [rows, findings]] = [await answers(), await examined()]
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
  expect(findings).toEqual([])

  expect(await archive(Date.now() + 500 * DAY_MS)).toEqual([])
  expect(await archive(clock.now(), Date.UTC(2020, 0))).toEqual([])
  const [archived, ...months] = await archive(clock.now())
  expect(archived).toEqual({
    name: 'payment_transaction_first',
    transactions: expect.any(Number),
    staying: { undecided: 1, 'in use': 1 },
  })
  expect(months.map(({ transactions }) => transactions)).toEqual(months.map(() => 0))

  expect(await answers()).toEqual(before)
  expect(await examined()).toEqual([rows, []])
  const [stored] = await runSql<{ rows: string }>(
    url,
    `SELECT count(*)::text AS rows FROM archived_payment_transaction WHERE id = '${paid.body.id}'`,
  )
  expect(stored?.rows).toBe('1')
  const refund = await send('POST', `/v1/payments/${filled.debit}`, {
    paymentType: 'RF',
    amount: '1.00',
    currency: 'EUR',
  })
  expect(summary(refund)).toEqual([400, '700.300.700'])
  const found = await send('GET', '/v1/query', { merchantTransactionId })
  expect(found.status).toBe(404)
  const charged = await send('POST', `/v1/registrations/${filled.registration}/payments`, {
    paymentType: 'DB',
    amount: '3.00',
    currency: 'EUR',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
    'standingInstruction.type': 'UNSCHEDULED',
  })
  expect(charged.status).toBe(200)
})

test('a partition in which too many payments can still change is not archived', async () => {
  const template = `SELECT * FROM archived_payment_transaction WHERE id = '${filled.debit}'`
  const monthMs = Date.now() + 75 * DAY_MS
  await runSql(
    url,
    `CREATE TABLE copies AS ${template}; INSERT INTO copies SELECT copies.* FROM copies, generate_series(1, 2001);
    DO $$ DECLARE each record; number integer := 0; BEGIN
      FOR each IN SELECT ctid FROM copies LOOP
        number := number + 1;
        UPDATE copies SET id = lpad(to_hex(${monthMs} + number), 12, '0') || repeat('b', 20), status = 'PENDING'
          WHERE ctid = each.ctid;
      END LOOP;
    END $$;
    UPDATE copies SET root_id = id; INSERT INTO payment_transaction SELECT * FROM copies; DROP TABLE copies`,
  )
  await expect(archive(Date.now() + 800 * DAY_MS)).rejects.toThrow(
    /because more than 2000 of its payments and registrations have to stay, such as \w{32} \(undecided\)/,
  )
  await expect(archiveData(readConfig({ TOLLGATE_DATA: folder }), 0, 0, () => undefined)).rejects.toThrow(
    'TOLLGATE_DATABASE_URL must name a PostgreSQL database: a SQLite file has no partitions',
  )
})
